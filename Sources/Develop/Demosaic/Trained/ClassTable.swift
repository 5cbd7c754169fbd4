/// Correction filters chosen by the structure around a pixel: for each cluster colour and class one small filter a
/// predicted colour, on the mosaic, the network's colours and their chroma medians.
struct ClassTable: Sendable {
  /// Side of the window on the mosaic.
  static let mosaicSide = 5
  /// Side of the windows on the network's colours and on the medians.
  static let colourSide = 3
  /// Colours, then medians of red − green and of blue − green, that lie interleaved.
  static let channels = 5
  static let taps = mosaicSide * mosaicSide + channels * colourSide * colourSide
  /// Weights of one filter as the kernel reads them: five rows of the mosaic, eight columns each, one row of nothing,
  /// three rows of interleaved channels, sixteen values each.
  static let lanes = 96

  let classes: Int
  let shift: Int32
  /// Whether all three colours are predicted.
  let predictsMeasured: Bool
  /// Predicted colours a pixel.
  let outputs: Int
  /// `[variant][class][output][lane]`; see ``Variant``.
  let weights: [Int16]

  /// How the neighbourhood of a pixel lies in that of its table's canonical pixel, apart from being upside down.
  struct Variant: Sendable, Hashable {
    /// Red, green or blue cluster.
    let table: Int
    let isTransposed: Bool
    let isMirrored: Bool

    /// Place in ``ClassTable/weights``.
    var index: Int { (table * 2 + (isTransposed ? 1 : 0)) * 2 + (isMirrored ? 1 : 0) }
    static let count = 12
  }

  init?(_ pattern: TrainedPattern, sigma: Int32) {
    guard var reader = TableLibrary.reader(period: pattern.rawValue, sigma: sigma, .classes) else { return nil }
    let tables = reader.integer()
    classes = reader.integer()
    outputs = reader.integer()
    precondition(reader.integer() == Self.taps && tables == 3, "an embedded class table has another shape")
    shift = Int32(reader.integer())
    predictsMeasured = outputs == 3
    let stored = reader.weights(tables * classes * outputs * Self.taps)
    var weights = Array(repeating: Int16(0), count: Variant.count * classes * outputs * Self.lanes)
    for table in 0..<tables {
      for isTransposed in [false, true] {
        for isMirrored in [false, true] {
          let variant = Variant(table: table, isTransposed: isTransposed, isMirrored: isMirrored)
          let places = Self.places(variant)
          for filter in 0..<classes * outputs {
            let from = (table * classes * outputs + filter) * Self.taps
            let to = (variant.index * classes * outputs + filter) * Self.lanes
            for tap in 0..<Self.taps { weights[to + places[tap]] = stored[from + tap] }
          }
        }
      }
    }
    self.weights = weights
  }

  /// For each tap of the table, whose windows are canonical, the lane of the value it belongs to.
  private static func places(_ variant: Variant) -> [Int] {
    func unturned(_ row: Int, _ column: Int, _ side: Int) -> (row: Int, column: Int) {
      // The table's patches were mirrored first and transposed then.
      let (row, column) = variant.isTransposed ? (column, row) : (row, column)
      return (row, variant.isMirrored ? side - 1 - column : column)
    }
    var places: [Int] = []
    for row in 0..<mosaicSide {
      for column in 0..<mosaicSide {
        let place = unturned(row, column, mosaicSide)
        places.append(place.row * 8 + place.column)
      }
    }
    let colours = 48
    for channel in 0..<channels {
      for row in 0..<colourSide {
        for column in 0..<colourSide {
          let place = unturned(row, column, colourSide)
          places.append(colours + place.row * 16 + place.column * channels + channel)
        }
      }
    }
    return places
  }
}
