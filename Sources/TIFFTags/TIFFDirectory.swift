/// One tag of a directory. TIFF 6.0, section 2.
public struct TIFFEntry: Sendable, Hashable {
  /// The tag's number.
  public let tag: UInt16
  /// The type's number: 3 short, 4 long, 5 rational …
  public let type: UInt16
  /// How many values.
  public let count: Int
  /// Where in the file the values start.
  public let offset: Int

  /// Bytes of one value of a type; `nil` for unknown types. TIFF 6.0 and BigTIFF.
  static func size(ofType type: UInt16) -> Int? {
    switch type {
    case 1, 2, 6, 7: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12, 16, 17, 18: 8
    default: nil
    }
  }
}

/// A directory of tags. Values are read when asked for; what is absent, damaged or outside the file is `nil`.
public struct TIFFDirectory: Sendable {
  /// No tag that is read here has more values than this; larger counts are refused.
  public static let maxValues = 1 << 22

  /// The entries by tag; of a tag that occurs twice the first counts.
  public let entries: [UInt16: TIFFEntry]
  let source: ByteSource
  let littleEndian: Bool

  /// Whether the tag is there, readable or not.
  public func contains(_ tag: UInt16) -> Bool { entries[tag] != nil }

  /// Where the values of a tag would end when the file ends before; `nil` when they are all there, or when their count
  /// is none that is read.
  public func missingEnd(of tag: UInt16) -> Int? {
    guard let entry = entries[tag], let size = TIFFEntry.size(ofType: entry.type), entry.count <= Self.maxValues
    else { return nil }
    let (end, isTooFar) = entry.offset.addingReportingOverflow(entry.count * size)
    return isTooFar || end <= source.byteCount ? nil : end
  }

  /// The values as they are stored.
  public func bytes(_ tag: UInt16) -> [UInt8]? {
    guard let entry = entries[tag], let size = TIFFEntry.size(ofType: entry.type), entry.count <= Self.maxValues
    else { return nil }
    return source.bytes(at: entry.offset, count: entry.count * size)
  }

  /// The values as they can be written into a little-endian file.
  public func storedValue(_ tag: UInt16) -> TIFFValue? {
    guard let entry = entries[tag], let size = TIFFEntry.size(ofType: entry.type), var raw = bytes(tag), !raw.isEmpty
    else { return nil }
    let unit = [5, 10].contains(entry.type) ? size / 2 : size  // rationals are two numbers
    if !littleEndian && unit > 1 {
      raw = stride(from: 0, to: raw.count, by: unit).flatMap { raw[$0..<$0 + unit].reversed() }
    }
    return .stored(type: entry.type, count: entry.count, bytes: raw)
  }

  /// The values as numbers.
  public func numbers(_ tag: UInt16) -> [Double]? {
    guard let entry = entries[tag], let size = TIFFEntry.size(ofType: entry.type), entry.type != 2, entry.count > 0,
      let raw = bytes(tag)
    else { return nil }
    let reader = ByteOrder(littleEndian: littleEndian)
    return (0..<entry.count).map { Self.number(raw, at: $0 * size, type: entry.type, reader) }
  }

  /// The values as whole numbers; `nil` also when one is not a whole number that fits.
  public func integers(_ tag: UInt16) -> [Int]? {
    guard let entry = entries[tag], entry.type != 2 else { return nil }
    if entry.type == 16 || entry.type == 18 {
      guard let raw = bytes(tag), entry.count > 0 else { return nil }
      let reader = ByteOrder(littleEndian: littleEndian)
      let values = (0..<entry.count).compactMap { Int(exactly: reader.unsigned(raw, at: $0 * 8, size: 8)) }
      return values.count == entry.count ? values : nil
    }
    guard let values = numbers(tag) else { return nil }
    let whole = values.compactMap { Int(exactly: $0) }
    return whole.count == values.count ? whole : nil
  }

  /// The first value as a whole number.
  public func integer(_ tag: UInt16) -> Int? { integers(tag)?.first }

  /// The first value.
  public func number(_ tag: UInt16) -> Double? { numbers(tag)?.first }

  /// The text of a tag up to its terminator, without surrounding blanks; `nil` when empty.
  public func text(_ tag: UInt16) -> String? {
    guard let entry = entries[tag], [1, 2, 7].contains(entry.type), let raw = bytes(tag) else { return nil }
    let text = String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    let first = parts.firstIndex { !$0.isEmpty } ?? parts.endIndex
    guard first < parts.endIndex, let last = parts.lastIndex(where: { !$0.isEmpty }) else { return nil }
    return parts[first...last].joined(separator: " ")
  }

  private static func number(_ raw: [UInt8], at offset: Int, type: UInt16, _ reader: ByteOrder) -> Double {
    func unsigned(_ size: Int, _ delta: Int = 0) -> UInt64 { reader.unsigned(raw, at: offset + delta, size: size) }
    func signed(_ delta: Int = 0) -> Double { Double(Int32(truncatingIfNeeded: unsigned(4, delta))) }
    switch type {
    case 3: return Double(unsigned(2))
    case 4, 13: return Double(unsigned(4))
    case 5: return Double(unsigned(4)) / Double(unsigned(4, 4))
    case 6: return Double(Int8(truncatingIfNeeded: unsigned(1)))
    case 8: return Double(Int16(truncatingIfNeeded: unsigned(2)))
    case 9: return signed()
    case 10: return signed() / signed(4)
    case 11: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: unsigned(4))))
    case 12: return Double(bitPattern: unsigned(8))
    case 16, 18: return Double(unsigned(8))
    case 17: return Double(Int64(truncatingIfNeeded: unsigned(8)))
    default: return Double(unsigned(1))
    }
  }
}

/// Reads whole numbers in one byte order.
struct ByteOrder {
  let littleEndian: Bool

  /// `size` (1...8) bytes at `offset`, which must be there.
  func unsigned(_ raw: [UInt8], at offset: Int, size: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<size {
      value = value << 8 | UInt64(raw[offset + (littleEndian ? size - 1 - index : index)])
    }
    return value
  }
}
