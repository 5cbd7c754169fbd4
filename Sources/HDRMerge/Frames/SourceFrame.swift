import ImageCore

/// One capture of a bracket as a plane of samples that can be read as light.
struct SourceFrame: Sendable {
  private enum Storage: Sendable {
    case mosaic(Image<UInt16>)
    case picture(Image<RGB<UInt16>>)
  }

  private let storage: Storage
  let cell: SampleCell
  /// In samples: three a pixel for pictures.
  let size: PixelSize
  /// Rows of the black level's period, one value a column.
  private let blacks: [[Float]]
  private let rowDeltas: [Float]
  /// Factor of each sample of a cell that takes counts above black to parts of full scale.
  private let scales: [Float]
  private let meanBlack: Float
  /// Light of each count on the reference's scale, full scale staying 1; `nil` for frames that are linear.
  var response: [Float]?
  /// Noise of normalised samples, all colours alike.
  var noise: NoiseProfile.Plane
  /// The normalised value at which samples of this frame really saturate: 1, or less when the file's level lies.
  var saturation: Float = 1
  /// Light relative to the reference for one and the same scene.
  var exposure: Double = 1

  init(_ photo: RawPhoto) {
    switch photo.pixels {
    case .mosaic(let mosaic):
      storage = .mosaic(mosaic.samples)
      let cell = SampleCell(mosaic.cfa)
      self.cell = cell
      size = mosaic.size
      (blacks, rowDeltas) = Self.blackRows(mosaic.levels.black, samples: mosaic.size.width)
      let scale = 1 / max(mosaic.levels.white[0] - mosaic.levels.black.mean, 1)
      scales = Array(repeating: scale, count: cell.count)
      meanBlack = mosaic.levels.black.mean
    case .linear(let picture):
      storage = .picture(picture.samples)
      let cell = SampleCell.picture
      self.cell = cell
      size = PixelSize(width: picture.size.width * cell.width, height: picture.size.height)
      let black = picture.levels.black
      (blacks, rowDeltas) = Self.blackRows(black, samples: size.width)
      let means = (0..<cell.width).map { plane in
        let levels = stride(from: plane, to: black.values.count, by: cell.width).map { black.values[$0] }
        return levels.reduce(0, +) / Float(levels.count)
      }
      scales = (0..<cell.width).map { 1 / max(picture.levels.white[$0] - means[$0], 1) }
      meanBlack = black.mean
    }
    noise = NoiseProfile.Plane(scale: 0, offset: 0)
    if let profile = photo.noise {
      let count = Double(profile.planes.count)
      noise.scale = profile.planes.map(\.scale).reduce(0, +) / count
      noise.offset = profile.planes.map(\.offset).reduce(0, +) / count
    }
  }

  private static func blackRows(_ black: BlackLevel, samples: Int) -> ([[Float]], [Float]) {
    let rows = (0..<black.height).map { y in
      (0..<samples).map { x in
        let (column, plane) = (x / black.planes, x % black.planes)
        return black.values[(y * black.width + column % black.width) * black.planes + plane]
          + (black.columnDeltas.isEmpty ? 0 : black.columnDeltas[column])
      }
    }
    return (rows, black.rowDeltas)
  }

  /// A value for each count, from its light.
  func table(_ value: (Float) -> Float) -> [Float] {
    (0...Int(UInt16.max)).map { value(normalised(count: Float($0))) }
  }

  /// A stored count as light, by the mean black level.
  func normalised(count: Float) -> Float { (count - meanBlack) * scales[0] }

  /// Variance of rounding to whole counts: what even a perfect sensor has.
  var roundingVariance: Double { Double(scales[0]) * Double(scales[0]) / 12 }

  /// Cells of the frame.
  var grid: PixelSize { cell.grid(of: size) }

  /// The stored samples, for the time of `body`.
  func withSamples<Result>(_ body: (PixelRows<UInt16>) -> Result) -> Result {
    switch storage {
    case .mosaic(let image): image.withRows(body)
    case .picture(let image):
      image.withRows { rows in
        let planes = cell.width
        let base = UnsafeRawPointer(rows.base).assumingMemoryBound(to: UInt16.self)
        return body(
          PixelRows(base: base, width: rows.width * planes, height: rows.height, stride: rows.stride * planes))
      }
    }
  }

  /// Normalises `count` samples of row `y` from column `x` on: 0 black, 1 full scale. `x` is the first of a cell.
  @inline(__always)
  func light(
    _ samples: PixelRows<UInt16>, x: Int, y: Int, count: Int, factor: Float,
    into out: UnsafeMutablePointer<Float>
  ) {
    if let response {
      let counts = samples.row(y) + x
      response.withUnsafeBufferPointer { table in
        for i in 0..<count { out[i] = table[Int(counts[i])] * factor }
      }
      return
    }
    let delta = rowDeltas.isEmpty ? 0 : rowDeltas[y]
    let counts = samples.row(y) + x
    let scale = scales[0] * factor
    blacks[y % blacks.count].withUnsafeBufferPointer { black in
      let level = black.baseAddress! + x
      if cell.isPicture {
        scales.withUnsafeBufferPointer { scales in
          for i in 0..<count { out[i] = (Float(counts[i]) - (level[i] + delta)) * (scales[(x &+ i) % 3] * factor) }
        }
      } else {
        for i in 0..<count { out[i] = (Float(counts[i]) - (level[i] + delta)) * scale }
      }
    }
  }

  /// Where a cell's sample is read; beyond the border the grid goes on as its mirror image, and partial cells borrow from
  /// their neighbours.
  @inline(__always)
  func column(cell column: Int, phase: Int) -> Int {
    let x = Self.mirrored(column, grid.width) * cell.width + phase
    return x < size.width ? x : max(phase % size.width, x - cell.width)
  }

  /// The same for rows.
  @inline(__always)
  func row(cell row: Int, phase: Int) -> Int {
    let y = Self.mirrored(row, grid.height) * cell.height + phase
    return y < size.height ? y : max(phase % size.height, y - cell.height)
  }

  @inline(__always)
  private static func mirrored(_ index: Int, _ count: Int) -> Int {
    let inside = index < 0 ? -1 - index : index < count ? index : 2 * count - 1 - index
    return max(0, min(count - 1, inside))
  }
}
