import CVector
import ImageCore

/// Fills padded tiles with the light of a frame, in units of the reference's full scale.
struct FrameReader {
  let frame: SourceFrame

  /// Rows of a frame lie too far apart to be guessed; they are asked for this many ahead.
  private static let rowsAhead = 2

  /// Reads the cells `cells` (which may reach beyond the frame), moved by whole cells.
  ///
  /// - Parameters:
  ///   - shift: columns and rows of cells to the frame's own place.
  ///   - out: `stride` samples from row to row.
  func read(
    _ cells: PixelRect, shift: (x: Int, y: Int), samples: PixelRows<UInt16>, into out: UnsafeMutablePointer<Float>,
    stride: Int
  ) {
    let cell = frame.cell
    let factor = Float(1 / frame.exposure)
    let left = cells.x + shift.x
    // Whole cells inside the frame are read in one run; the rest one by one.
    let whole = frame.size.width / cell.width
    let first = max(0, min(cells.width, -left))
    let last = max(first, min(cells.width, whole - left))
    for y in 0..<cells.height * cell.height {
      let source = frame.row(cell: cells.y + shift.y + y / cell.height, phase: y % cell.height)
      let row = out + y * stride
      let ahead = y + Self.rowsAhead
      let later = frame.row(cell: cells.y + shift.y + ahead / cell.height, phase: ahead % cell.height)
      cv_prefetch_line(
        samples.row(later) + max(0, left + first) * cell.width,
        (last - first) * cell.width * MemoryLayout<UInt16>.size)
      if last > first {
        frame.light(
          samples, x: (left + first) * cell.width, y: source, count: (last - first) * cell.width, factor: factor,
          into: row + first * cell.width)
      }
      func border(_ columns: Range<Int>) {
        for column in columns {
          for phase in 0..<cell.width {
            let x = frame.column(cell: left + column, phase: phase)
            let start = x - x % cell.width
            single(samples, start, x - start, source, factor, row + column * cell.width + phase)
          }
        }
      }
      border(0..<first)
      border(last..<cells.width)
    }
  }

  /// One sample, by way of its cell so that the phase is right.
  private func single(
    _ samples: PixelRows<UInt16>, _ start: Int, _ phase: Int, _ y: Int, _ factor: Float,
    _ out: UnsafeMutablePointer<Float>
  ) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: phase + 1) { buffer in
      frame.light(samples, x: start, y: y, count: phase + 1, factor: factor, into: buffer.baseAddress!)
      out.pointee = buffer[phase]
    }
  }
}
