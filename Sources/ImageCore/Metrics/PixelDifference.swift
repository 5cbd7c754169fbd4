import Glibc

/// How far two pictures of one size lie apart, sample by sample.
public struct PixelDifference: Sendable, Hashable {
  /// Mean squared difference of red, green and blue, in parts of full scale squared.
  public let meanSquare: [Double]
  /// Largest absolute difference of any sample, in stored units.
  public let largest: Double

  /// Compares two pictures.
  ///
  /// - Parameter border: pixels left out on each side, where filters lack neighbours; at least one pixel must remain.
  /// - Complexity: O(width × height).
  public init<Sample: IntensitySample>(
    _ left: Image<RGB<Sample>>, _ right: Image<RGB<Sample>>, border: Int = 0
  ) {
    precondition(left.size == right.size, "pictures of \(left.size) and \(right.size) cannot be compared")
    precondition(border >= 0 && 2 * border < min(left.width, left.height), "nothing remains inside the border")
    var squares = [0.0, 0.0, 0.0]
    var largest = 0.0
    left.withRows { a in
      right.withRows { b in
        for y in border..<(a.height - border) {
          for x in border..<(a.width - border) {
            let p = a.row(y)[x]
            let q = b.row(y)[x]
            let difference = [
              p.red.intensity - q.red.intensity, p.green.intensity - q.green.intensity,
              p.blue.intensity - q.blue.intensity,
            ]
            for channel in 0..<3 {
              squares[channel] += difference[channel] * difference[channel]
              largest = max(largest, abs(difference[channel]))
            }
          }
        }
      }
    }
    let count = Double((left.width - 2 * border) * (left.height - 2 * border))
    meanSquare = squares.map { $0 / count / (Sample.fullScale * Sample.fullScale) }
    self.largest = largest
  }

  /// Peak signal-to-noise ratio of red, green and blue, decibels; infinite where the pictures are equal.
  public var psnr: [Double] { meanSquare.map(Self.decibels) }

  /// Colour PSNR: of the mean of the three channels' squared differences, decibels.
  ///
  /// Source: Menon et al. 2007, "Demosaicing with directional filtering and a posteriori decision", section IV.
  public var cpsnr: Double { Self.decibels(meanSquare.reduce(0, +) / Double(meanSquare.count)) }

  private static func decibels(_ meanSquare: Double) -> Double { -10 * log10(meanSquare) }
}
