import ImageCore

/// The part of a frame that a displaced tile is made of, with all that interpolation needs: each thread has one.
final class WarpPatch {
  /// Samples by which displacements may differ inside a tile; more is cut off.
  static let slack = 32
  /// Samples that interpolation reads beyond a place, and that missing colours are made from: rounded up to whole
  /// cells of any period.
  private static let reach = 8
  private static let planes = 4

  let cell: SampleCell
  let capacity: PixelSize
  private let memory: UnsafeMutablePointer<Float>
  private let stride: Int
  /// The patch in cells of the frame; may reach beyond it.
  private(set) var cells = PixelRect(x: 0, y: 0, width: 0, height: 0)

  init(_ layout: TileLayout) {
    cell = layout.cell
    let margin = Self.slack + 2 * Self.reach + 2 * CFAPattern.maxPeriod
    let samplesPerPixel = cell.width / cell.pixelWidth
    capacity = PixelSize(
      width: layout.paddedSamples.width + margin * samplesPerPixel, height: layout.paddedSamples.height + margin)
    stride = (capacity.width + 15) / 16 * 16
    memory = .allocate(capacity: stride * capacity.height * Self.planes)
    memory.initialize(repeating: 0, count: stride * capacity.height * Self.planes)
  }

  deinit { memory.deallocate() }

  /// Light as read; light of green everywhere; red and blue less green at their own sites.
  var light: Plane { Plane(base: memory, stride: stride) }
  var green: Plane { Plane(base: memory + stride * capacity.height, stride: stride) }
  var difference: Plane { Plane(base: memory + 2 * stride * capacity.height, stride: stride) }
  /// 1 at saturated cells, else 0.
  var marks: Plane { Plane(base: memory + 3 * stride * capacity.height, stride: stride) }
  /// The patch's samples.
  var size: PixelSize { PixelSize(width: cells.width * cell.width, height: cells.height * cell.height) }
  /// Place of the patch's first sample, in pixels of the frame.
  var left: Int { cells.x * cell.pixelWidth }
  var top: Int { cells.y * cell.pixelHeight }

  /// Reads what the tile `target` (in cells) needs when displaced by between `least` and `most` pixels.
  func load(
    _ frame: SourceFrame, _ samples: PixelRows<UInt16>, target: PixelRect, least: (x: Float, y: Float),
    most: (x: Float, y: Float)
  ) {
    let (w, h) = (cell.pixelWidth, cell.pixelHeight)
    let reach = cell.isPicture ? 3 : Self.reach
    func cellsBelow(_ pixels: Float, _ side: Int) -> Int {
      Int(((pixels - Float(reach)) / Float(side)).rounded(.down))
    }
    func cellsAbove(_ pixels: Float, _ side: Int) -> Int { Int(((pixels + Float(reach)) / Float(side)).rounded(.up)) }
    let x = target.x + cellsBelow(least.x, w)
    let y = target.y + cellsBelow(least.y, h)
    let right = target.x + target.width + cellsAbove(most.x, w)
    let bottom = target.y + target.height + cellsAbove(most.y, h)
    cells = PixelRect(
      x: x, y: y, width: min(right - x, capacity.width / cell.width),
      height: min(bottom - y, capacity.height / cell.height))
    FrameReader(frame: frame).read(cells, shift: (0, 0), samples: samples, into: light.base, stride: light.stride)
  }
}
