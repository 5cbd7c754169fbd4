/// A mosaic whose samples are linear: 0 is black, 1 is the white level. Values outside 0...1 are kept, because
/// cutting noise at black would lift the mean of dark areas and merging needs the headroom.
public struct LinearMosaic: Sendable {
  /// Normalised samples.
  public var plane: Image<Float>
  /// Phased to the first photosite.
  public var cfa: CFAPattern
  /// Noise of the samples, if known.
  public var noise: NoiseProfile?

  /// Wraps samples that are normalised already.
  public init(plane: Image<Float>, cfa: CFAPattern, noise: NoiseProfile? = nil) {
    self.plane = plane
    self.cfa = cfa
    self.noise = noise
  }

  /// Columns and rows of photosites.
  public var size: PixelSize { plane.size }

  /// Rows of one tile of work.
  private static let rowsPerBand = 64

  /// Normalises stored counts: `(count - black) / (white - mean black)`, black by photosite.
  ///
  /// One scale serves all photosites, so that gains between neighbours stay as they were.
  ///
  /// - Complexity: O(width × height), one row of black levels for each row of the black cell.
  /// - Source: DNG 1.7, chapter 5, "Mapping Raw Values to Linear Reference Values".
  public init(normalizing mosaic: Mosaic, noise: NoiseProfile? = nil, resources: Resources = Resources()) {
    let black = mosaic.levels.black
    let scale = 1 / max(mosaic.levels.white[0] - black.mean, Float.leastNormalMagnitude)
    let size = mosaic.size
    let cellRows = (0..<black.height).map { row in
      (0..<size.width).map { x in
        black.values[row * black.width + x % black.width] + (black.columnDeltas.isEmpty ? 0 : black.columnDeltas[x])
      }
    }
    var plane = Image<Float>(uninitialized: size, in: resources.pool)
    mosaic.samples.withRows { from in
      plane.withMutableRows { to in
        resources.workers.forEachBand(of: size.height, rowsPerBand: Self.rowsPerBand) { band in
          for y in band {
            cellRows[y % black.height].withUnsafeBufferPointer { levels in
              Self.normalizeRow(
                from.row(y), levels.baseAddress!, rowDelta: black.rowDeltas.isEmpty ? 0 : black.rowDeltas[y],
                scale: scale, into: to.row(y), count: size.width)
            }
          }
        }
      }
    }
    self.init(plane: plane, cfa: mosaic.cfa, noise: noise)
  }

  private static func normalizeRow(
    _ counts: UnsafePointer<UInt16>, _ black: UnsafePointer<Float>, rowDelta: Float, scale: Float,
    into samples: UnsafeMutablePointer<Float>, count: Int
  ) {
    for x in 0..<count { samples[x] = (Float(counts[x]) - (black[x] + rowDelta)) * scale }
  }

  /// A part, without copying; the pattern is re-phased.
  public func cropped(to rect: PixelRect) -> LinearMosaic {
    LinearMosaic(plane: plane.cropped(to: rect), cfa: cfa.shifted(dx: rect.x, dy: rect.y), noise: noise)
  }

  /// The mosaic laid by an orientation; the pattern is re-phased.
  public func oriented(_ orientation: Orientation, resources: Resources = Resources()) -> LinearMosaic {
    LinearMosaic(
      plane: plane.oriented(orientation, resources: resources), cfa: cfa.oriented(orientation, of: size), noise: noise
    )
  }
}
