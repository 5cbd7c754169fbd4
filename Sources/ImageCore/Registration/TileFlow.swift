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

  /// Tiles across and down that cover a picture.
  static func grid(_ size: PixelSize, spacing: Int) -> (columns: Int, rows: Int) {
    ((size.width + spacing - 1) / spacing, (size.height + spacing - 1) / spacing)
  }

  /// The grid for a picture of a size, with the displacements of a similarity.
  public init(_ motion: SimilarityMotion, size: PixelSize, spacing: Int) {
    self.spacing = spacing
    (columns, rows) = Self.grid(size, spacing: spacing)
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
        let (upperX, lowerX) = (xs.baseAddress! + top * columns, xs.baseAddress! + bottom * columns)
        let (upperY, lowerY) = (ys.baseAddress! + top * columns, ys.baseAddress! + bottom * columns)
        func between(_ column: Int) -> (x: Float, y: Float) {
          (
            upperX[column] + down * (lowerX[column] - upperX[column]),
            upperY[column] + down * (lowerY[column] - upperY[column])
          )
        }
        // From one tile's centre to the next at a time; the first and the last stretch go on beyond.
        var i = 0
        while i < count {
          let u = (Float(start + i) - half) * unit
          let left = max(0, min(columns - 2, Int(u.rounded(.down))))
          let right = min(columns - 1, left + 1)
          let next = left + 1 < columns - 1 ? (left + 1) * spacing + spacing / 2 - start : count
          let (a, b) = (between(left), between(right))
          let first = u - Float(left)
          let end = max(i + 1, min(count, next))
          for j in 0..<Int32(truncatingIfNeeded: end &- i) {
            let across = first + Float(j) * unit
            dx[i &+ Int(j)] = a.x + across * (b.x - a.x)
            dy[i &+ Int(j)] = a.y + across * (b.y - a.y)
          }
          i = end
        }
      }
    }
  }
}
