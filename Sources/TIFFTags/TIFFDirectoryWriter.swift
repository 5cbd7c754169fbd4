/// The values of a tag to be written.
public enum TIFFValue: Sendable, Hashable {
  /// Type 1.
  case bytes([UInt8])
  /// Type 2; the terminator is added.
  case text(String)
  /// Type 3.
  case shorts([UInt16])
  /// Type 4.
  case longs([UInt32])
  /// Type 5: each the best fraction of two 32-bit numbers; negative values become 0.
  case rationals([Double])
  /// Type 10: each the best fraction of two signed 32-bit numbers.
  case signedRationals([Double])
  /// Type 12.
  case doubles([Double])
  /// Type 7.
  case undefined([UInt8])
  /// Values of any type that are little-endian bytes already, taken from another file.
  case stored(type: UInt16, count: Int, bytes: [UInt8])

  var type: UInt16 {
    switch self {
    case .bytes: 1
    case .text: 2
    case .shorts: 3
    case .longs: 4
    case .rationals: 5
    case .undefined: 7
    case .signedRationals: 10
    case .doubles: 12
    case .stored(let type, _, _): type
    }
  }

  var count: Int {
    switch self {
    case .bytes(let values), .undefined(let values): values.count
    case .text(let text): text.utf8.count + 1
    case .shorts(let values): values.count
    case .longs(let values): values.count
    case .stored(_, let count, _): count
    case .rationals(let values), .signedRationals(let values), .doubles(let values): values.count
    }
  }

  var encoded: [UInt8] {
    func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
    switch self {
    case .bytes(let values), .undefined(let values), .stored(_, _, let values): return values
    case .text(let text): return Array(text.utf8) + [0]
    case .shorts(let values): return values.flatMap(little)
    case .longs(let values): return values.flatMap(little)
    case .rationals(let values):
      return values.flatMap { value -> [UInt8] in
        let (top, bottom) = Self.fraction(max(0, value), limit: Double(UInt32.max))
        return little(UInt32(top)) + little(UInt32(bottom))
      }
    case .signedRationals(let values):
      return values.flatMap { value -> [UInt8] in
        let (top, bottom) = Self.fraction(value.magnitude, limit: Double(Int32.max))
        return little(Int32(value < 0 ? -top : top)) + little(Int32(bottom))
      }
    case .doubles(let values): return values.flatMap { little($0.bitPattern) }
    }
  }

  /// The best continued fraction of a value with both parts at most `limit`.
  static func fraction(_ value: Double, limit: Double) -> (Double, Double) {
    guard value.isFinite else { return (0, 0) }
    if value >= limit { return (limit, 1) }
    var (top, bottom) = (value.rounded(.down), 1.0)
    var (previousTop, previousBottom) = (1.0, 0.0)
    var rest = value - top
    let termLimit = 64
    for _ in 0..<termLimit {
      if rest <= 0 || top / bottom == value { break }
      let inverse = 1 / rest
      let term = inverse.rounded(.down)
      let (nextTop, nextBottom) = (term * top + previousTop, term * bottom + previousBottom)
      if nextTop > limit || nextBottom > limit { break }
      (previousTop, previousBottom, top, bottom) = (top, bottom, nextTop, nextBottom)
      rest = inverse - term
    }
    return (top, bottom)
  }
}

/// Builds one directory of a classic, little-endian TIFF file.
public struct TIFFDirectoryWriter: Sendable {
  /// The eight bytes a little-endian TIFF file begins with when its first directory follows at once.
  public static let header: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]

  private var values: [UInt16: TIFFValue] = [:]

  /// An empty directory.
  public init() {}

  /// The value of a tag; `nil` removes it. Empty values must not be written.
  public subscript(tag: UInt16) -> TIFFValue? {
    get { values[tag] }
    set { values[tag] = newValue }
  }

  /// Whether a tag has a value.
  public func contains(_ tag: UInt16) -> Bool { values[tag] != nil }

  /// Whether nothing would be written.
  public var isEmpty: Bool { values.isEmpty }

  /// How many bytes ``serialized(at:next:)`` gives: it depends on the counts of the values only.
  public var byteCount: Int {
    values.values.reduce(2 + 12 * values.count + 4) { sum, value in
      let size = value.encoded.count
      return sum + (size > 4 ? size + size % 2 : 0)
    }
  }

  /// The bytes of the directory and its values when it lies at `offset` (even) of the file.
  public func serialized(at offset: Int, next: UInt32 = 0) -> [UInt8] {
    func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
    var table = little(UInt16(values.count))
    var heap: [UInt8] = []
    let heapOffset = offset + 2 + 12 * values.count + 4
    for (tag, value) in values.sorted(by: { $0.key < $1.key }) {
      let encoded = value.encoded
      table += little(tag) + little(value.type) + little(UInt32(value.count))
      if encoded.count <= 4 {
        table += encoded + Array(repeating: 0, count: 4 - encoded.count)
      } else {
        table += little(UInt32(heapOffset + heap.count))
        heap += encoded
        if heap.count % 2 == 1 { heap.append(0) }
      }
    }
    return table + little(next) + heap
  }
}
