import ImageCore
import RawFiles

/// `4032x3024`.
struct SizeArgument: ExpressibleByArgument {
  let size: PixelSize
  init?(argument: ArgumentWord) {
    let named = [
      "12MP": PixelSize(width: 4032, height: 3024), "24MP": PixelSize(width: 5712, height: 4284),
      "48MP": PixelSize(width: 8064, height: 6048),
    ]
    if let size = named[argument.text.uppercased()] {
      self.size = size
      return
    }
    let sides = argument.text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map {
      Int($0) ?? 0
    }
    guard sides.count == 2, sides.allSatisfy({ (1...1_000_000).contains($0) }) else { return nil }
    size = PixelSize(width: sides[0], height: sides[1])
  }
}

struct CFAArgument: ExpressibleByArgument {
  let pattern: CFAPattern
  init?(argument: ArgumentWord) {
    guard let pattern = CFAPattern(named: argument.text) else { return nil }
    self.pattern = pattern
  }
}

/// What the user knows better than the file.
struct SensorOptions: ParsableArguments {
  @Option(
    value: "CFA",
    help: "Colour filter array, whatever the file says: rggb, quad-rggb, nona-rggb, xtrans, quad-rggb+2,3 …")
  var cfa: CFAArgument?
  @Option(value: "N", help: "Black level in counts, whatever the file says.") var black: Double?
  @Option(value: "N", help: "Saturation level in counts, whatever the file says.") var white: Double?
  @Option(value: "WxH", help: "Size of a headerless mosaic; needs --raw-cfa and --raw-bits.") var rawSize:
    SizeArgument?
  @Option(value: "CFA", help: "Colour filter array of a headerless mosaic.") var rawCfa: CFAArgument?
  @Option(
    value: "N", help: "Significant bits of a headerless mosaic's samples (8, or 9...16 in two bytes, little endian).")
  var rawBits: Int?

  func check() throws(UsageError) {
    let given = [rawSize != nil, rawCfa != nil, rawBits != nil]
    if given.contains(true) && given.contains(false) {
      throw UsageError("--raw-size, --raw-cfa and --raw-bits belong together")
    }
    if let rawBits, !(8...16).contains(rawBits) { throw UsageError("--raw-bits \(rawBits) is not in 8...16") }
    if let black, let white, white <= black { throw UsageError("--white must be above --black") }
  }

  var rawOptions: RawReadOptions {
    var options = RawReadOptions()
    options.cfa = cfa?.pattern
    options.black = black.map { Float($0) }
    options.white = white.map { Float($0) }
    if let rawSize, let rawCfa, let rawBits {
      options.headerless = HeaderlessLayout(size: rawSize.size, bits: rawBits, cfa: rawCfa.pattern)
    }
    return options
  }
}
