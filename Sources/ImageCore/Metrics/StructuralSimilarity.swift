import Glibc

/// SSIM: how much of a picture's local structure another one keeps.
///
/// Source: Wang, Bovik, Sheikh, Simoncelli 2004, "Image quality assessment: from error visibility to structural
/// similarity": an 11 x 11 Gaussian window of standard deviation 1.5, K1 = 0.01, K2 = 0.03, only whole windows.
public enum StructuralSimilarity {
  static let radius = 5
  static let deviation = 1.5
  static let k1 = 0.01
  static let k2 = 0.03

  /// The mean SSIM of the three channels' means.
  ///
  /// - Parameters: two pictures of one size, both sides at least 11.
  /// - Returns: 1 for equal pictures, less otherwise.
  /// - Complexity: O(width × height × 11), five planes of Doubles; slow, for tests and reports.
  public static func mean<Sample: IntensitySample>(_ left: Image<RGB<Sample>>, _ right: Image<RGB<Sample>>) -> Double
  {
    let channels = [{ (p: RGB<Sample>) in p.red }, { $0.green }, { $0.blue }].map { channel in
      mean(plane(left, channel), plane(right, channel), left.size)
    }
    return channels.reduce(0, +) / Double(channels.count)
  }

  private static func plane<Sample: IntensitySample>(
    _ image: Image<RGB<Sample>>, _ channel: (RGB<Sample>) -> Sample
  ) -> [Double] {
    image.withRows { rows in
      (0..<rows.height).flatMap { y in
        (0..<rows.width).map { x in channel(rows.row(y)[x]).intensity / Sample.fullScale }
      }
    }
  }

  private static func mean(_ a: [Double], _ b: [Double], _ size: PixelSize) -> Double {
    precondition(min(size.width, size.height) > 2 * radius, "SSIM needs at least one whole window, not \(size)")
    let meanA = blurred(a, size)
    let meanB = blurred(b, size)
    let squareA = blurred(zip(a, a).map(*), size)
    let squareB = blurred(zip(b, b).map(*), size)
    let product = blurred(zip(a, b).map(*), size)
    var sum = 0.0
    for i in meanA.indices {
      let both = meanA[i] * meanB[i]
      let squares = meanA[i] * meanA[i] + meanB[i] * meanB[i]
      let variances = squareA[i] + squareB[i] - squares
      sum +=
        (2 * both + k1 * k1) * (2 * (product[i] - both) + k2 * k2) / ((squares + k1 * k1) * (variances + k2 * k2))
    }
    return sum / Double(meanA.count)
  }

  /// The plane under the window, whole windows only: smaller by the radius on each side.
  private static func blurred(_ plane: [Double], _ size: PixelSize) -> [Double] {
    let raw = (-radius...radius).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
    let total = raw.reduce(0, +)
    let window = raw.map { $0 / total }
    let width = size.width - 2 * radius
    let height = size.height - 2 * radius
    var rows = [Double](repeating: 0, count: width * size.height)
    for y in 0..<size.height {
      for x in 0..<width {
        var sum = 0.0
        for tap in window.indices { sum += window[tap] * plane[y * size.width + x + tap] }
        rows[y * width + x] = sum
      }
    }
    var result = [Double](repeating: 0, count: width * height)
    for y in 0..<height {
      for tap in window.indices {
        for x in 0..<width { result[y * width + x] += window[tap] * rows[(y + tap) * width + x] }
      }
    }
    return result
  }
}
