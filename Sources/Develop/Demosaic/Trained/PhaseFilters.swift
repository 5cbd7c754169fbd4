import CVector

/// Least-squares filters for arrays of larger clusters: one for each place of the period and each colour.
///
/// The linear minimum mean square-error estimate of a colour from the square-root mosaic around it. The weights of a
/// filter add up to exactly one, so flat grey stays flat.
struct PhaseFilters: Sendable {
  /// Values that one instruction multiplies.
  private static let lanes = 16

  /// Photosites after which the array repeats.
  let period: Int
  /// Side of the window.
  let side: Int
  /// Whether measured values are replaced by estimates.
  let predictsMeasured: Bool
  private let shift: Int32
  /// Vectors of a row of a window.
  private let vectors: Int
  /// `[place][colour][row][lane]`, rows filled up with zeros.
  private let weights: [Int16]

  /// Reads an embedded table; `nil` when there is none.
  init?(period: Int32, sigma: Int32) {
    guard var reader = TableLibrary.reader(period: period, sigma: sigma, .phases) else { return nil }
    self.period = reader.integer()
    side = reader.integer()
    shift = Int32(reader.integer())
    predictsMeasured = sigma > 0
    vectors = (side + Self.lanes - 1) / Self.lanes
    let rows = 3 * self.period * self.period * side
    let stored = reader.weights(rows * side)
    let pitch = vectors * Self.lanes
    var weights = Array(repeating: Int16(0), count: rows * pitch)
    for row in 0..<rows {
      for tap in 0..<side { weights[row * pitch + tap] = stored[row * side + tap] }
    }
    self.weights = weights
  }

  /// Periods around a period that its estimate depends on.
  var reach: Int { (side / 2 + period - 1) / period }

  /// Values beyond a row's last window that are read, and multiplied by nothing.
  var slack: Int { vectors * Self.lanes }

  /// Estimates all periods of the tile but ``reach`` at its borders. Row 0, column 0 of `out` is the first of those.
  ///
  /// - Parameters:
  ///   - width: columns to estimate, whole periods; `height`: rows.
  func run(_ codes: UnsafePointer<Int16>, stride: Int, width: Int, height: Int, into out: ColourTile) {
    let margin = reach * period - side / 2
    let filter = side * vectors * Self.lanes
    weights.withUnsafeBufferPointer { weights in
      for y in 0..<height {
        let row = codes + (y + margin) * stride + margin
        let (red, green, blue) = (out.row(0, y), out.row(1, y), out.row(2, y))
        for column in 0..<period {
          let place = weights.baseAddress! + ((y % period) * period + column) * 3 * filter
          var x = column
          while x < width {
            let sums = sums(row + x, stride, place, filter)
            red[x] = rounded(sums.0)
            green[x] = rounded(sums.1)
            blue[x] = rounded(sums.2)
            x &+= period
          }
        }
      }
    }
  }

  @inline(__always)
  private func sums(
    _ window: UnsafePointer<Int16>, _ stride: Int, _ weights: UnsafePointer<Int16>, _ filter: Int
  ) -> (SIMD8<Int32>, SIMD8<Int32>, SIMD8<Int32>) {
    var (red, green, blue) = (cv_splat_i32(0), cv_splat_i32(0), cv_splat_i32(0))
    var weight = weights
    for row in 0..<side {
      for vector in 0..<vectors {
        let values = cv_load_i16x16(window + (row &* stride &+ vector &* Self.lanes))
        red = cv_multiply_add_pairs(red, values, cv_load_i16x16(weight))
        green = cv_multiply_add_pairs(green, values, cv_load_i16x16(weight + filter))
        blue = cv_multiply_add_pairs(blue, values, cv_load_i16x16(weight + 2 &* filter))
        weight += Self.lanes
      }
    }
    return (red, green, blue)
  }

  @inline(__always)
  private func rounded(_ sums: SIMD8<Int32>) -> Int16 {
    let value = (cv_sum_i32(sums) &+ (1 &<< (shift &- 1))) &>> shift
    return Int16(truncatingIfNeeded: min(max(value, 0), Int32(Int16.max)))
  }
}
