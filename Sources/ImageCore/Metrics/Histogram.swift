/// Counts of values in bins of equal width, for percentiles of differences without keeping them.
struct Histogram: Sendable {
  /// Width of a bin: percentiles are exact to this.
  let step: Float
  /// One a bin; the last takes all that is beyond.
  private(set) var counts: [Int]

  /// Bins for `0 ... top`.
  init(step: Float, top: Float) {
    self.step = step
    counts = [Int](repeating: 0, count: Int((top / step).rounded(.up)) + 2)
  }

  /// Counts a row of values of 0 and above.
  mutating func add(_ values: UnsafePointer<Float>, count: Int) {
    let scale = 1 / step
    let last = Float(counts.count - 1)
    counts.withUnsafeMutableBufferPointer { bins in
      for x in 0..<count {
        let bin = values[x] * scale
        bins[Int(bin < last ? bin : last)] &+= 1
      }
    }
  }

  /// The upper edge of the bin in which the share of values, 0...1, is reached; 0 without values or when they are all 0.
  func percentile(_ share: Double, of total: Int, largest: Double) -> Double {
    let wanted = Int((Double(total) * share).rounded(.up))
    var sum = 0
    for (index, count) in counts.enumerated() {
      sum += count
      if sum >= wanted && count > 0 {
        return index == counts.count - 1 ? largest : min(largest, Double(index + 1) * Double(step))
      }
    }
    return 0
  }
}
