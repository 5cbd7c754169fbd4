import ImageCore

/// Means and peaks of a frame's light over square blocks, for everything that is decided once a frame.
struct BlockLight: Sendable {
  /// Samples on a block's side, rounded down to whole cells: enough to make noise small beside light.
  private static let side = 16
  /// Blocks along the shorter side of a frame that is too small for that many of full size.
  private static let fewest = 48

  let columns: Int
  let rows: Int
  /// Mean of the normalised samples of each block, row by row.
  let means: [Float]
  /// Largest normalised sample of each block.
  let peaks: [Float]
  /// Share of all samples that are saturated.
  let clippedShare: Double
  /// Cells a block has.
  let cells: PixelSize

  init(_ frame: SourceFrame, workers: Workers) {
    let cell = frame.cell
    let whole = PixelSize(width: frame.size.width / cell.width, height: frame.size.height / cell.height)
    // Small frames get smaller blocks, so that enough of them are clear of saturation.
    let most = min(whole.width, whole.height) / Self.fewest
    let width = max(1, min(Self.side / cell.width, most))
    let height = max(1, min(Self.side / cell.height, most))
    cells = PixelSize(width: width, height: height)
    let (columns, rows) = (whole.width / width, whole.height / height)
    (self.columns, self.rows) = (columns, rows)
    let samplesAcross = width * cell.width
    let samplesDown = height * cell.height
    let limit = TileMerger.fadeEnd * frame.saturation
    var result = Image<RGB<Float>>(uninitialized: PixelSize(width: max(1, columns), height: max(1, rows)))
    frame.withSamples { samples in
      result.withMutableRows { out in
        let count = columns * samplesAcross
        workers.forEach(tiles: rows, scratch: { [Float](repeating: 0, count: 4 * count) }) { row, lines in
          lines.withUnsafeMutableBufferPointer { buffer in
            let sums = BlockSums(light: buffer.baseAddress!, count: count, limit: limit)
            sums.clear()
            for y in row * samplesDown..<(row + 1) * samplesDown {
              frame.light(samples, x: 0, y: y, count: count, factor: 1, into: sums.light)
              sums.add()
            }
            let target = out.row(row)
            for x in 0..<columns { target[x] = sums.block(x * samplesAcross..<(x + 1) * samplesAcross) }
          }
        }
      }
    }
    let share = 1 / Float(samplesAcross * samplesDown)
    var (means, peaks): ([Float], [Float]) = ([], [])
    var clipped = 0.0
    for y in 0..<rows {
      for x in 0..<columns {
        let block = result[x, y]
        means.append(block.red * share)
        peaks.append(block.green)
        clipped += Double(block.blue)
      }
    }
    (self.means, self.peaks) = (means, peaks)
    clippedShare = clipped * Double(share) / Double(max(1, means.count))
  }

  /// The light that half of the blocks exceed.
  var median: Float { means.isEmpty ? 0 : RadixSort.ascending(means)[means.count / 2] }
}

/// Four lines of one row of blocks: light of the row at hand, and sums, peaks and numbers of saturated samples of all
/// rows so far, sample by sample.
private struct BlockSums {
  let light: UnsafeMutablePointer<Float>
  let count: Int
  let limit: Float

  private var totals: UnsafeMutablePointer<Float> { light + count }
  private var peaks: UnsafeMutablePointer<Float> { light + 2 * count }
  private var clipped: UnsafeMutablePointer<Float> { light + 3 * count }

  func clear() {
    totals.update(repeating: 0, count: count)
    peaks.update(repeating: -.greatestFiniteMagnitude, count: count)
    clipped.update(repeating: 0, count: count)
  }

  /// Takes the light in.
  func add() {
    let (light, totals, peaks, clipped, limit) = (self.light, self.totals, self.peaks, self.clipped, self.limit)
    for x in 0..<count { totals[x] += light[x] }
    for x in 0..<count { peaks[x] = light[x] > peaks[x] ? light[x] : peaks[x] }
    for x in 0..<count { clipped[x] += light[x] >= limit ? 1 : 0 }
  }

  /// Sum, peak and number of saturated samples of one block.
  func block(_ range: Range<Int>) -> RGB<Float> {
    var (sum, peak, count) = (Float(0), -Float.greatestFiniteMagnitude, Float(0))
    for x in range {
      sum += totals[x]
      peak = peaks[x] > peak ? peaks[x] : peak
      count += clipped[x]
    }
    return RGB(sum, peak, count)
  }
}

extension BlockLight {
  /// Light between blocks; `nil` outside.
  func sample(x: Double, y: Double) -> (mean: Float, peak: Float)? {
    guard x >= 0, y >= 0, x <= Double(columns - 1), y <= Double(rows - 1) else { return nil }
    let (left, top) = (min(Int(x), max(0, columns - 2)), min(Int(y), max(0, rows - 2)))
    let (u, v) = (Float(x - Double(left)), Float(y - Double(top)))
    if u == 0 && v == 0 { return (means[top * columns + left], peaks[top * columns + left]) }
    let (right, bottom) = (min(left + 1, columns - 1), min(top + 1, rows - 1))
    var (mean, peak) = (Float(0), -Float.greatestFiniteMagnitude)
    func add(_ corner: Int, _ weight: Float) {
      mean += means[corner] * weight
      if weight > 0 { peak = max(peak, peaks[corner]) }
    }
    add(top * columns + left, (1 - u) * (1 - v))
    add(top * columns + right, u * (1 - v))
    add(bottom * columns + left, (1 - u) * v)
    add(bottom * columns + right, u * v)
    return (mean, peak)
  }
}

/// Places of blocks in a frame, for motions in pixels.
struct BlockGrid {
  private let pixels: PixelSize
  private let width: Double
  private let height: Double

  init(_ side: Side) {
    let cell = side.frame.cell
    let size = side.frame.size
    pixels = PixelSize(
      width: size.width / cell.width * cell.pixelWidth, height: size.height / cell.height * cell.pixelHeight)
    width = Double(side.light.cells.width * cell.pixelWidth)
    height = Double(side.light.cells.height * cell.pixelHeight)
  }

  /// How far a motion displaces block `(x, y)`, in blocks.
  func displacement(_ motion: SimilarityMotion, _ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let d = motion.displacement(x: (x + 0.5) * width, y: (y + 0.5) * height, in: pixels)
    return (d.x / width, d.y / height)
  }
}
