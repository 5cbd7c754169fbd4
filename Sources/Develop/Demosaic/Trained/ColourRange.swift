/// The range of measured values around each block, for each colour: predictions far outside it are mistakes.
///
/// Keeps flat colours exact and edges of clipped areas from ringing beyond white.
struct ColourRange: Sendable {
  /// Values of one row of blocks: planes of least, then of greatest values of red, green and blue.
  static let planes = 6

  /// Ranges beyond the range that predictions may go: real detail goes beyond what its photosites saw.
  private let slackRanges: Int32 = 2

  /// Channels of deviations (sites of a block) of each colour.
  private let sites: [[Int]]
  /// Code at and above which each colour is clipped.
  private let clipped: [Int16]

  /// - Parameter clipped: light at which red, green and blue are clipped.
  init(_ pattern: TrainedPattern, clipped: [Float]) {
    sites = (0..<3).map { colour in (0..<NetworkTable.sites).filter { pattern.colour(ofSite: $0) == colour } }
    // One code less: clipped light may round down.
    self.clipped = clipped.map {
      Int16(min(CodeScale.unit * ($0 + MosaicEncoder.offset).squareRoot() - 1, Float(Int16.max)))
    }
  }

  /// Ranges of each block of one row.
  ///
  /// - Parameter deviations: pairs of sites, `stride` blocks a pair.
  func find(
    _ deviations: UnsafePointer<Int16>, _ means: UnsafePointer<Int32>, blocks: Int, stride: Int,
    into out: UnsafeMutablePointer<Int16>
  ) {
    for colour in 0..<3 {
      let least = out + colour * stride
      let greatest = out + (3 + colour) * stride
      for (index, site) in sites[colour].enumerated() {
        let values = deviations + site / 2 * 2 * stride + site % 2
        Self.widen(values, blocks, least, greatest, starts: index == 0)
      }
      for block in 0..<blocks {
        least[block] = Int16(truncatingIfNeeded: Int32(least[block]) &+ means[block])
        greatest[block] = Int16(truncatingIfNeeded: Int32(greatest[block]) &+ means[block])
      }
    }
  }

  @inline(__always)
  private static func widen(
    _ values: UnsafePointer<Int16>, _ blocks: Int, _ least: UnsafeMutablePointer<Int16>,
    _ greatest: UnsafeMutablePointer<Int16>, starts: Bool
  ) {
    if starts {
      for block in 0..<blocks {
        least[block] = values[2 &* block]
        greatest[block] = values[2 &* block]
      }
    } else {
      for block in 0..<blocks {
        let value = values[2 &* block]
        least[block] = value < least[block] ? value : least[block]
        greatest[block] = value > greatest[block] ? value : greatest[block]
      }
    }
  }

  /// What predictions may be in each block: the range of 3x3 blocks and twice as much on both sides; nothing above the
  /// greatest value where that is clipped.
  ///
  /// - Parameters:
  ///   - rows: ranges of the row above, of the row itself and of the row below, from the left neighbour on.
  ///   - out: planes as in `rows`.
  func allow(
    _ rows: (UnsafePointer<Int16>, UnsafePointer<Int16>, UnsafePointer<Int16>), blocks: Int, stride: Int,
    into out: UnsafeMutablePointer<Int16>
  ) {
    for colour in 0..<3 {
      let (low, high) = (colour * stride, (3 + colour) * stride)
      let top = clipped[colour]
      for block in 0..<blocks {
        var least = Int16.max
        var greatest = Int16.min
        for row in [rows.0, rows.1, rows.2] {
          for neighbour in block...block &+ 2 {
            least = min(least, row[low &+ neighbour])
            greatest = max(greatest, row[high &+ neighbour])
          }
        }
        let slack = slackRanges &* (Int32(greatest) &- Int32(least))
        out[low &+ block] = Int16(truncatingIfNeeded: max(0, Int32(least) &- slack))
        out[high &+ block] =
          greatest >= top ? greatest : Int16(truncatingIfNeeded: min(Int32(Int16.max), Int32(greatest) &+ slack))
      }
    }
  }
}
