/// One picture of brightness at ever smaller sizes, for finding how it lies on another.
///
/// Brightness should be encoded so that noise is alike everywhere (a square root), and clipped where either of the two
/// pictures to be compared is saturated: then saturation has no structure of its own.
public struct GreyPyramid: Sendable {
  /// From the finest to the coarsest; pixel `i` of level `n` is centred on `(i + ½) 2ⁿ - ½` of level 0.
  public let levels: [Image<Float>]

  private static let rowsPerBand = 32

  /// - Parameters:
  ///   - image: the finest level.
  ///   - smallestSide: levels are added as long as both sides stay at least this long.
  /// - Complexity: O(width × height); a third more memory than the image.
  public init(_ image: Image<Float>, smallestSide: Int = 24, resources: Resources = Resources()) {
    var levels = [image]
    while let last = levels.last, min(last.width, last.height) >= 2 * smallestSide {
      levels.append(Self.halved(last, resources))
    }
    self.levels = levels
  }

  /// Half the size by the taps (1 3 3 1) / 8 in both directions; the border goes on for ever.
  private static func halved(_ image: Image<Float>, _ resources: Resources) -> Image<Float> {
    let size = PixelSize(width: image.width / 2, height: image.height / 2)
    var result = Image<Float>(uninitialized: size, in: resources.pool)
    image.withRows { from in
      result.withMutableRows { to in
        resources.workers.forEachBand(of: size.height, rowsPerBand: rowsPerBand) { band in
          withUnsafeTemporaryAllocation(of: Float.self, capacity: from.width) { line in
            for y in band {
              let rows = (-1...2).map { from.row(max(0, min(from.height - 1, 2 * y + $0))) }
              let (a, b, c, d) = (rows[0], rows[1], rows[2], rows[3])
              for x in 0..<from.width { line[x] = (a[x] + d[x] + 3 * (b[x] + c[x])) * (1.0 / 8) }
              let out = to.row(y)
              for x in 0..<size.width {
                let (left, right) = (max(0, 2 * x - 1), min(from.width - 1, 2 * x + 2))
                out[x] = (line[left] + line[right] + 3 * (line[2 * x] + line[2 * x + 1])) * (1.0 / 8)
              }
            }
          }
        }
      }
    }
    return result
  }
}
