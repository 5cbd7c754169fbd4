import Develop
import ImageCore
import Pipeline
import TIFFTags

extension FilePath: ExpressibleByArgument {
  init?(argument: ArgumentWord) {
    guard !argument.bytes.isEmpty else { return nil }
    self.init(bytes: argument.bytes)
  }

  static var completion: ValueCompletion { .files }
  static var allValueStrings: [String] { [] }
  var isStandardStream: Bool { bytes == [UInt8(ascii: "-")] }
}

extension Mirroring: ExpressibleByArgument {}
extension OutputSettings.Format: ExpressibleByArgument {}
extension OutputColourSpace: ExpressibleByArgument {}
extension DevelopOptions.Tone: ExpressibleByArgument {}
extension DevelopOptions.Rendering: ExpressibleByArgument {}
extension DevelopOptions.Encoding: ExpressibleByArgument {}
extension DemosaicQuality: ExpressibleByArgument {}

extension Rotation: ExpressibleByArgument {
  init?(argument: ArgumentWord) { self.init(argument.text) }
  static var allValueStrings: [String] { ["apply", "keep", "0", "90", "180", "270"] }
}

extension AspectRatio: ExpressibleByArgument {
  init?(argument: ArgumentWord) { self.init(argument.text) }
  static var completion: ValueCompletion { .words(["1:1", "4:3", "3:4", "3:2", "16:9", "9:16"]) }
}

extension Gravity: ExpressibleByArgument {
  init?(argument: ArgumentWord) { self.init(named: argument.text) }
}

extension DevelopOptions.WhiteBalance: ExpressibleByArgument {
  init?(argument: ArgumentWord) { self.init(argument.text) }
}

extension PhotoDimensions: ExpressibleByArgument {
  init?(argument: ArgumentWord) { self.init(argument.text) }
  static var completion: ValueCompletion { .words(["full", "12MP", "18MP", "24MP", "48MP"]) }
}

/// A size that is meant literally: `4032x3024`, or the name of one.
struct SizeArgument: ExpressibleByArgument {
  let size: PixelSize

  init?(argument: ArgumentWord) {
    guard let size = PhotoDimensions(argument.text)?.size else { return nil }
    self.size = size
  }
}

extension CFAPattern: ExpressibleByArgument {
  init?(argument: ArgumentWord) { self.init(named: argument.text) }
  static var completion: ValueCompletion {
    let orders = ["rggb", "grbg", "gbrg", "bggr"]
    return .words(orders + orders.map { "quad-" + $0 } + orders.map { "nona-" + $0 } + ["xtrans"])
  }
}

/// `1234`, `512M`, `2G`.
struct ByteCount: ExpressibleByArgument {
  let bytes: Int

  init?(argument: ArgumentWord) {
    let text = argument.text.uppercased()
    let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
    let unit = text.last.flatMap { units[$0] }
    guard let number = Int(unit == nil ? text : String(text.dropLast())), number > 0 else { return nil }
    let (product, overflows) = number.multipliedReportingOverflow(by: unit ?? 1)
    guard !overflows else { return nil }
    bytes = product
  }
}
