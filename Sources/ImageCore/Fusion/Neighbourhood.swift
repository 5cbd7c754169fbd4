/// Filters of 3 x 3 neighbours of a small picture; beyond the border its last pixel goes on.
enum Neighbourhood {
  private static let rowsPerBand = 32

  /// The largest neighbour.
  static func largest(_ image: Image<Float>, _ resources: Resources) -> Image<Float> {
    filtered(image, resources) { up, here, down, line, out, count in
      for x in 0..<count { line[x] = max(max(up[x], here[x]), down[x]) }
      (line[-1], line[count]) = (line[0], line[count - 1])
      for x in 0..<count { out[x] = max(max(line[x &- 1], line[x]), line[x &+ 1]) }
    }
  }

  /// Weights (1 2 1) / 4 both ways.
  static func blurred(_ image: Image<Float>, _ resources: Resources) -> Image<Float> {
    filtered(image, resources) { up, here, down, line, out, count in
      for x in 0..<count { line[x] = 0.25 * (up[x] + down[x]) + 0.5 * here[x] }
      (line[-1], line[count]) = (line[0], line[count - 1])
      for x in 0..<count { out[x] = 0.25 * (line[x &- 1] + line[x &+ 1]) + 0.5 * line[x] }
    }
  }

  /// The same of four values.
  static func blurred(_ image: Image<SIMD4<Float>>, _ resources: Resources) -> Image<SIMD4<Float>> {
    filtered(image, resources) { up, here, down, line, out, count in
      for x in 0..<count { line[x] = 0.25 * (up[x] + down[x]) + 0.5 * here[x] }
      (line[-1], line[count]) = (line[0], line[count - 1])
      for x in 0..<count { out[x] = 0.25 * (line[x &- 1] + line[x &+ 1]) + 0.5 * line[x] }
    }
  }

  private typealias Row<Pixel> =
    @Sendable (
      _ up: UnsafePointer<Pixel>, _ here: UnsafePointer<Pixel>, _ down: UnsafePointer<Pixel>,
      _ line: UnsafeMutablePointer<Pixel>, _ out: UnsafeMutablePointer<Pixel>, _ count: Int
    ) -> Void

  /// `line` has one more pixel on both sides.
  @inline(__always)
  private static func filtered<Pixel: BitwiseCopyable & Sendable>(
    _ image: Image<Pixel>, _ resources: Resources, _ body: Row<Pixel>
  ) -> Image<Pixel> {
    var result = Image<Pixel>(uninitialized: image.size, in: resources.pool)
    image.withRows { from in
      result.withMutableRows { to in
        resources.workers.forEachBand(of: from.height, rowsPerBand: rowsPerBand) { band in
          withUnsafeTemporaryAllocation(of: Pixel.self, capacity: from.width + 2) { line in
            for y in band {
              body(
                from.row(max(0, y - 1)), from.row(y), from.row(min(from.height - 1, y + 1)), line.baseAddress! + 1,
                to.row(y), from.width)
            }
          }
        }
      }
    }
    return result
  }
}
