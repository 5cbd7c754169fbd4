import TIFFTags
import Testing

/// A TIFF file of any byte order and size of offsets, built by hand so that it can lie.
struct Draft: Sendable, CustomTestStringConvertible {
  let littleEndian: Bool
  let isBig: Bool

  static let all = [
    Draft(littleEndian: true, isBig: false), Draft(littleEndian: false, isBig: false),
    Draft(littleEndian: true, isBig: true), Draft(littleEndian: false, isBig: true),
  ]

  var testDescription: String { "\(isBig ? "BigTIFF" : "TIFF"), \(littleEndian ? "II" : "MM")" }
  var word: Int { isBig ? 8 : 4 }
  var headerSize: Int { isBig ? 16 : 8 }

  func number(_ value: UInt64, _ size: Int) -> [UInt8] {
    let little = (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    return littleEndian ? little : little.reversed()
  }

  /// The header, with the place of the first directory.
  func header(first: UInt64) -> [UInt8] {
    let mark: [UInt8] = littleEndian ? [0x49, 0x49] : [0x4D, 0x4D]
    if isBig { return mark + number(43, 2) + number(8, 2) + number(0, 2) + number(first, 8) }
    return mark + number(42, 2) + number(first, 4)
  }

  /// An entry; `field` is padded to the size of an offset.
  func entry(_ tag: UInt16, type: UInt16, count: UInt64, _ field: [UInt8]) -> [UInt8] {
    number(UInt64(tag), 2) + number(UInt64(type), 2) + number(count, word) + field
      + Array(repeating: 0, count: word - field.count)
  }

  func directory(_ entries: [[UInt8]], next: UInt64 = 0) -> [UInt8] {
    number(UInt64(entries.count), isBig ? 8 : 2) + entries.flatMap { $0 } + number(next, word)
  }

  /// A file of one directory right after the header.
  func file(_ entries: [[UInt8]], next: UInt64 = 0) -> [UInt8] {
    header(first: UInt64(headerSize)) + directory(entries, next: next)
  }
}

/// Reads all there is, in every way.
func touchEverything(_ bytes: [UInt8]) {
  guard let file = try? TIFFFile(ByteSource(bytes)) else { return }
  for directory in file.allDirectories {
    for tag in directory.entries.keys {
      _ = (directory.bytes(tag), directory.numbers(tag), directory.integers(tag), directory.text(tag))
    }
    _ = file.exif(of: directory)
  }
}
