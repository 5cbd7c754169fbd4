/// The black level of every photosite: a repeating cell, plus one delta a column and one a row.
///
/// DNG 1.7, tags BlackLevelRepeatDim, BlackLevel, BlackLevelDeltaH, BlackLevelDeltaV. The cell's first value belongs
/// to the photosite `(0, 0)` of the picture that carries it. Values are counts and may be fractional.
public struct BlackLevel: Sendable, Hashable, Codable {
  /// Period of the cell.
  public let width: Int
  /// Rows after which the cell repeats.
  public let height: Int
  /// Samples a pixel: 1 for a mosaic, 3 for linear RGB.
  public let planes: Int
  /// Row by row, then column by column, then plane by plane: `width * height * planes` values.
  public let values: [Float]
  /// One a column of the picture, or empty.
  public let columnDeltas: [Float]
  /// One a row of the picture, or empty.
  public let rowDeltas: [Float]

  /// A cell of `width * height * planes` counts, with deltas for every column and row or none.
  public init(
    width: Int, height: Int, planes: Int = 1, values: [Float], columnDeltas: [Float] = [], rowDeltas: [Float] = []
  ) {
    precondition(width > 0 && height > 0 && values.count == width * height * planes, "black level cell is not full")
    self.width = width
    self.height = height
    self.planes = planes
    self.values = values
    self.columnDeltas = columnDeltas
    self.rowDeltas = rowDeltas
  }

  /// One black level for all photosites.
  public init(uniform value: Float, planes: Int = 1) {
    self.init(width: 1, height: 1, planes: planes, values: Array(repeating: value, count: planes))
  }

  /// The black level of one sample, in counts.
  public func value(x: Int, y: Int, plane: Int = 0) -> Float {
    var level = values[((y % height) * width + x % width) * planes + plane]
    if !columnDeltas.isEmpty { level += columnDeltas[x] }
    if !rowDeltas.isEmpty { level += rowDeltas[y] }
    return level
  }

  /// The mean of the cell, deltas left out.
  public var mean: Float { values.reduce(0, +) / Float(values.count) }

  /// The level of a crop: re-phased, deltas cut.
  public func cropped(to rect: PixelRect) -> BlackLevel {
    var cell: [Float] = []
    for y in 0..<height {
      for x in 0..<width {
        for plane in 0..<planes {
          cell.append(values[(((y + rect.y) % height) * width + (x + rect.x) % width) * planes + plane])
        }
      }
    }
    return BlackLevel(
      width: width, height: height, planes: planes, values: cell,
      columnDeltas: columnDeltas.isEmpty ? [] : Array(columnDeltas[rect.columns]),
      rowDeltas: rowDeltas.isEmpty ? [] : Array(rowDeltas[rect.rows]))
  }

  /// The level of a picture of size `stored` after it was laid by `orientation`.
  public func oriented(_ orientation: Orientation, of stored: PixelSize) -> BlackLevel {
    let period = orientation.applied(to: PixelSize(width: width, height: height))
    var cell: [Float] = []
    for y in 0..<period.height {
      for x in 0..<period.width {
        let source = orientation.source(x: x, y: y, in: stored)
        let column = ((source.x % width) + width) % width
        let row = ((source.y % height) + height) % height
        for plane in 0..<planes { cell.append(values[(row * width + column) * planes + plane]) }
      }
    }
    let columns = orientation.mirrorsColumns ? columnDeltas.reversed() : columnDeltas
    let rows = orientation.mirrorsRows ? rowDeltas.reversed() : rowDeltas
    return BlackLevel(
      width: period.width, height: period.height, planes: planes, values: cell,
      columnDeltas: orientation.transposes ? rows : columns, rowDeltas: orientation.transposes ? columns : rows)
  }
}

/// What 0 and full scale mean in stored counts.
public struct SensorLevels: Sendable, Hashable, Codable {
  /// The count that stands for no light, for each photosite.
  public var black: BlackLevel
  /// The count at which a photosite is saturated, one a plane (1 for a mosaic, 3 for linear RGB). Data may exceed it.
  public var white: [Float]

  /// Levels with one white a plane of `black`.
  public init(black: BlackLevel, white: [Float]) {
    precondition(white.count == black.planes, "one white level a plane")
    self.black = black
    self.white = white
  }

  /// The same black and white, in counts, for every photosite of a mosaic.
  public init(black: Float, white: Float) {
    self.init(black: BlackLevel(uniform: black), white: [white])
  }

  /// The levels of a crop: black is re-phased, white stays.
  public func cropped(to rect: PixelRect) -> SensorLevels {
    SensorLevels(black: black.cropped(to: rect), white: white)
  }

  /// The levels of a picture of size `stored` after it was laid by `orientation`.
  public func oriented(_ orientation: Orientation, of stored: PixelSize) -> SensorLevels {
    SensorLevels(black: black.oriented(orientation, of: stored), white: white)
  }
}

/// Noise of normalised samples (black 0, white 1): variance = `scale * x + offset` for signal `x`.
///
/// DNG 1.7, tag NoiseProfile. One entry for all colours, or one a colour plane (red, green, blue).
public struct NoiseProfile: Sendable, Hashable, Codable {
  /// The noise of one colour: variance is `scale * x + offset`.
  public struct Plane: Sendable, Hashable, Codable {
    /// Photon noise: variance gained for each unit of signal.
    public var scale: Double
    /// Read noise: variance in darkness.
    public var offset: Double

    /// Both in units of normalised samples (black 0, white 1) squared; 0 or more.
    public init(scale: Double, offset: Double) {
      self.scale = scale
      self.offset = offset
    }
  }

  /// One for all colours, or red, green, blue.
  public var planes: [Plane]

  /// A profile of at least one plane.
  public init(planes: [Plane]) {
    precondition(!planes.isEmpty, "a noise profile has at least one plane")
    self.planes = planes
  }

  /// The plane of a colour index (0 red, 1 green, 2 blue); the only one when there is one.
  public func plane(_ index: Int) -> Plane { planes[min(index, planes.count - 1)] }
}
