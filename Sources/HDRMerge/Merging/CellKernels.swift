/// Loops over planes of cells. No allocation, no branches on data.
enum CellKernels {
  @inline(__always)
  static func smaller(_ a: Float, _ b: Float) -> Float { a < b ? a : b }
  @inline(__always)
  static func larger(_ a: Float, _ b: Float) -> Float { a > b ? a : b }

  /// The largest sample of each cell of one row of cells.
  static func maximum(
    _ light: Plane, _ cell: SampleCell, row: Int, count: Int, into out: UnsafeMutablePointer<Float>
  ) {
    for phaseY in 0..<cell.height {
      let source = light.row(row * cell.height + phaseY)
      let isFirst = phaseY == 0
      switch cell.width {
      case 2:
        for x in 0..<count {
          let high = larger(source[2 &* x], source[2 &* x &+ 1])
          out[x] = isFirst ? high : larger(out[x], high)
        }
      default:
        let width = cell.width
        for x in 0..<count {
          var high = source[x &* width]
          for phase in 1..<max(2, width) where phase < width { high = larger(high, source[x &* width &+ phase]) }
          out[x] = isFirst ? high : larger(out[x], high)
        }
      }
    }
  }

  /// Sums over each cell of `a` and, with `b`, of the difference and its square: one row of cells.
  static func sum(
    _ a: Plane, _ cell: SampleCell, row: Int, count: Int, into out: UnsafeMutablePointer<Float>
  ) {
    for phaseY in 0..<cell.height {
      let source = a.row(row * cell.height + phaseY)
      if phaseY == 0 { for x in 0..<count { out[x] = 0 } }
      addCells(source, width: cell.width, count: count, into: out)
    }
  }

  /// Sums over each cell of the difference of two planes, of its square, and of the samples compared: those of `a`
  /// below `limit`.
  static func differences(
    _ a: Plane, _ b: Plane, limit: Float, _ cell: SampleCell, row: Int, count: Int,
    sums: UnsafeMutablePointer<Float>, squares: UnsafeMutablePointer<Float>, counts: UnsafeMutablePointer<Float>
  ) {
    for x in 0..<count { (sums[x], squares[x], counts[x]) = (0, 0, 0) }
    for phaseY in 0..<cell.height {
      let (p, q) = (a.row(row * cell.height + phaseY), b.row(row * cell.height + phaseY))
      if cell.width == 2 {
        for x in 0..<count {
          let u0: Float = p[2 &* x] < limit ? 1 : 0
          let u1: Float = p[2 &* x &+ 1] < limit ? 1 : 0
          let d0 = (p[2 &* x] - q[2 &* x]) * u0
          let d1 = (p[2 &* x &+ 1] - q[2 &* x &+ 1]) * u1
          sums[x] += d0 + d1
          squares[x] += d0 * d0 + d1 * d1
          counts[x] += u0 + u1
        }
      } else {
        let width = cell.width
        for x in 0..<count {
          for phase in 0..<width {
            let u: Float = p[x &* width &+ phase] < limit ? 1 : 0
            let d = (p[x &* width &+ phase] - q[x &* width &+ phase]) * u
            sums[x] += d
            squares[x] += d * d
            counts[x] += u
          }
        }
      }
    }
  }

  /// Sums over `(2 radius + 1)²` cells, in place; the outermost `radius` rows and columns are left unspecified.
  static func box(_ plane: Plane, width: Int, height: Int, radius: Int, scratch: Plane) {
    for y in 0..<height {
      let (source, out) = (plane.row(y), scratch.row(y))
      for x in radius..<width - radius {
        var total = source[x &- radius]
        for offset in 1...2 * radius { total += source[x &- radius &+ offset] }
        out[x] = total
      }
    }
    for y in radius..<height - radius {
      let out = plane.row(y)
      for x in radius..<width - radius { out[x] = scratch.row(y - radius)[x] }
      for offset in 1...2 * radius {
        let source = scratch.row(y - radius + offset)
        for x in radius..<width - radius { out[x] += source[x] }
      }
    }
  }

  /// The smallest (or, with `sign` -1, the largest) of 3x3 cells, in place; border cells keep what they can see.
  static func extremum(_ plane: Plane, width: Int, height: Int, largest: Bool, scratch: Plane) {
    for y in 0..<height {
      let (source, out) = (plane.row(y), scratch.row(y))
      if largest {
        for x in 1..<width - 1 { out[x] = larger(larger(source[x &- 1], source[x]), source[x &+ 1]) }
      } else {
        for x in 1..<width - 1 { out[x] = smaller(smaller(source[x &- 1], source[x]), source[x &+ 1]) }
      }
      (out[0], out[width - 1]) = (out[1], out[width - 2])
    }
    for y in 0..<height {
      let above = scratch.row(max(0, y - 1))
      let (here, below) = (scratch.row(y), scratch.row(min(height - 1, y + 1)))
      let out = plane.row(y)
      if largest {
        for x in 0..<width { out[x] = larger(larger(above[x], here[x]), below[x]) }
      } else {
        for x in 0..<width { out[x] = smaller(smaller(above[x], here[x]), below[x]) }
      }
    }
  }

  /// Adds up each cell's samples of one row.
  static func addCells(
    _ light: UnsafePointer<Float>, width: Int, count: Int, into out: UnsafeMutablePointer<Float>
  ) {
    if width == 2 {
      for x in 0..<count { out[x] += light[2 &* x] + light[2 &* x &+ 1] }
      return
    }
    for x in 0..<count {
      var total: Float = 0
      for phase in 0..<width { total += light[x &* width &+ phase] }
      out[x] += total
    }
  }

  /// Repeats each cell's value for its samples in one row.
  static func spread(
    _ cells: UnsafePointer<Float>, width: Int, count: Int, into out: UnsafeMutablePointer<Float>
  ) {
    if width == 2 {
      for x in 0..<count {
        out[2 &* x] = cells[x]
        out[2 &* x &+ 1] = cells[x]
      }
      return
    }
    for x in 0..<count {
      for phase in 0..<width { out[x &* width &+ phase] = cells[x] }
    }
  }
}
