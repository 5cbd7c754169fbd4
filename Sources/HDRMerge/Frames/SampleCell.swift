import ImageCore

/// The smallest part of a frame that has all colours: the period of a filter array, or one pixel of a picture that
/// has all colours everywhere, seen as samples side by side. Saturation, motion and gain are decided for whole cells,
/// so that colours stay together.
struct SampleCell: Sendable, Hashable {
  /// Samples of one cell.
  let width: Int
  let height: Int
  /// Pixels from one cell to the next.
  let pixelWidth: Int
  let pixelHeight: Int
  /// The colour of each sample, row by row.
  let colours: [CFAColour]

  init(_ cfa: CFAPattern) {
    (width, height) = (cfa.width, cfa.height)
    (pixelWidth, pixelHeight) = (cfa.width, cfa.height)
    colours = cfa.colours
  }

  /// Two greens on a diagonal, red and blue on the other.
  var isBayer: Bool { CFAPattern(width: width, height: height, colours: colours)?.isBayer ?? false }

  private init() {
    (width, height, pixelWidth, pixelHeight) = (3, 1, 1, 1)
    colours = [.red, .green, .blue]
  }

  /// Red, green and blue at every pixel.
  static let picture = SampleCell()

  var isPicture: Bool { pixelWidth != width }
  var count: Int { width * height }

  /// Cells that cover a grid of samples; the last ones may be partial.
  func grid(of samples: PixelSize) -> PixelSize {
    PixelSize(width: (samples.width + width - 1) / width, height: (samples.height + height - 1) / height)
  }
}
