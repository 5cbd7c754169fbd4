/// Displacements of a picture on a grid of tiles: where each part of the reference is found in the other picture.
public struct TileFlow: Sendable, Hashable {
  /// Pixels from one tile's centre to the next, and of the first tile's centre from the picture's edge.
  public let spacing: Int
  /// Tiles across.
  public let columns: Int
  /// Tiles down.
  public let rows: Int
  /// Displacements to the right, pixels, row by row.
  public var x: [Float]
  /// Displacements down.
  public var y: [Float]

  /// The grid for a picture of a size, with the displacements of a similarity.
  public init(_ motion: SimilarityMotion, size: PixelSize, spacing: Int) {
    self.spacing = spacing
    columns = (size.width + spacing - 1) / spacing
    rows = (size.height + spacing - 1) / spacing
    (x, y) = ([], [])
    for row in 0..<rows {
      for column in 0..<columns {
        let d = motion.displacement(
          x: Double(column * spacing) + Double(spacing - 1) / 2, y: Double(row * spacing) + Double(spacing - 1) / 2,
          in: size)
        x.append(Float(d.x))
        y.append(Float(d.y))
      }
    }
  }

  /// Displacements at `count` pixels of row `y` from column `x` on, straight lines between the tiles' centres.
  public func displacements(
    x start: Int, y row: Int, count: Int, dx: UnsafeMutablePointer<Float>, dy: UnsafeMutablePointer<Float>
  ) {
    let unit = 1 / Float(spacing)
    let half = Float(spacing - 1) / 2
    let v = (Float(row) - half) * unit
    let top = max(0, min(rows - 2, Int(v.rounded(.down))))
    let bottom = min(rows - 1, top + 1)
    let down = v - Float(top)
    x.withUnsafeBufferPointer { xs in
      y.withUnsafeBufferPointer { ys in
        for i in 0..<count {
          let u = (Float(start + i) - half) * unit
          let left = max(0, min(columns - 2, Int(u.rounded(.down))))
          let right = min(columns - 1, left + 1)
          let across = u - Float(left)
          let (a, b) = (top * columns, bottom * columns)
          let upperX = xs[a + left] + across * (xs[a + right] - xs[a + left])
          let lowerX = xs[b + left] + across * (xs[b + right] - xs[b + left])
          let upperY = ys[a + left] + across * (ys[a + right] - ys[a + left])
          let lowerY = ys[b + left] + across * (ys[b + right] - ys[b + left])
          dx[i] = upperX + down * (lowerX - upperX)
          dy[i] = upperY + down * (lowerY - upperY)
        }
      }
    }
  }
}
