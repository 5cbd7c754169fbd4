/// The next bits of a stream, most significant first. May run beyond the data by as much as they are padded.
struct BitWindow {
  /// The next bits from the top on; at least `valid` of them.
  fileprivate(set) var window: UInt64 = 0
  fileprivate var valid: UInt64 = 0
  fileprivate var next: UnsafePointer<UInt8>

  init(_ start: UnsafePointer<UInt8>) { next = start }

  /// The byte in which the next bit lies, or the one behind it when that byte is used up.
  var position: UnsafePointer<UInt8> { next - Int(valid / 8) }

  /// Makes at least 56 bits valid.
  @inline(__always)
  mutating func fill() {
    let word = UnsafeRawPointer(next).loadUnaligned(as: UInt64.self).bigEndian
    window |= word &>> valid
    next += Int((63 &- valid) &>> 3)
    valid |= 56
  }

  @inline(__always)
  mutating func drop(_ bits: UInt64) {
    window = window &<< bits
    valid = valid &- bits
  }
}

/// Decodes the samples of one row.
///
/// The loops keep everything in local variables: what a call to the rare slow path could change through a pointer would
/// live in memory, which halves the speed.
struct RowDecoder {
  typealias Table = UnsafePointer<UInt32>

  var reader: BitWindow
  /// All ones when a sample adds to the one before it, 0 when differences are wanted.
  let keep: UInt16
  let line: UnsafeMutablePointer<UInt16>
  /// Whether the data held a code that does not exist.
  private(set) var isUnknown = false

  init(reader: BitWindow, keep: UInt16, line: UnsafeMutablePointer<UInt16>) {
    self.reader = reader
    self.keep = keep
    self.line = line
  }

  /// The next difference. Takes at most 27 bits without asking for more, so that two fit into a filled window.
  @inline(__always)
  private static func difference(
    _ reader: inout BitWindow, _ table: Table, _ lookup: HuffmanLookup, _ isUnknown: inout Bool
  ) -> UInt16 {
    let entry = UInt64(table[Int(truncatingIfNeeded: reader.window &>> UInt64(64 - HuffmanLookup.fastBits))])
    if _fastPath(entry != 0) {
      let bits = entry &>> 16
      let rest = reader.window &<< (entry &>> 8)
      let magnitude = (rest &>> 1) &>> (63 &- bits)
      // A magnitude that starts with 0 stands for a negative difference: T.81 F.2.2.1, EXTEND.
      let isPositive = UInt64(bitPattern: Int64(bitPattern: rest) &>> 63)
      let value = magnitude &+ (~isPositive & ((UInt64.max &<< bits) &+ 1))
      reader.drop(entry & 63)
      return UInt16(truncatingIfNeeded: value)
    }
    let found = slowDifference(reader, lookup)
    reader = found.reader
    if found.difference < 0 { isUnknown = true }
    return UInt16(truncatingIfNeeded: found.difference)
  }

  /// - Returns: the difference modulo 2^16, or -1 when the code does not exist.
  @inline(never)
  private static func slowDifference(
    _ reader: BitWindow, _ lookup: HuffmanLookup
  ) -> (reader: BitWindow, difference: Int) {
    var reader = reader
    reader.fill()
    guard let found = lookup.search(reader.window) else { return (reader, -1) }
    reader.drop(UInt64(found.bits))
    reader.fill()
    return (reader, found.difference & 0xFFFF)
  }

  mutating func run(_ count: Int, _ table: Table, _ lookup: HuffmanLookup) {
    var (reader, isUnknown, line) = (reader, isUnknown, line)
    let keep = keep
    var left = line[0]
    var mask = UInt16.max
    let end = line + count
    while line < end {
      reader.fill()
      left = (left & mask) &+ Self.difference(&reader, table, lookup, &isUnknown)
      line[0] = left
      mask = keep
      line += 1
    }
    (self.reader, self.isUnknown) = (reader, isUnknown)
  }

  mutating func run(_ count: Int, _ a: Table, _ b: Table, _ one: HuffmanLookup, _ two: HuffmanLookup) {
    var (reader, isUnknown, line) = (reader, isUnknown, line)
    let keep = keep
    var (first, second) = (line[0], line[1])
    var mask = UInt16.max
    let end = line + count
    while line < end {
      reader.fill()
      first = (first & mask) &+ Self.difference(&reader, a, one, &isUnknown)
      second = (second & mask) &+ Self.difference(&reader, b, two, &isUnknown)
      line[0] = first
      line[1] = second
      mask = keep
      line += 2
    }
    (self.reader, self.isUnknown) = (reader, isUnknown)
  }

  mutating func run(
    _ count: Int, _ a: Table, _ b: Table, _ c: Table, _ one: HuffmanLookup, _ two: HuffmanLookup,
    _ three: HuffmanLookup
  ) {
    var (reader, isUnknown, line) = (reader, isUnknown, line)
    let keep = keep
    var (first, second, third) = (line[0], line[1], line[2])
    var mask = UInt16.max
    let end = line + count
    while line < end {
      reader.fill()
      first = (first & mask) &+ Self.difference(&reader, a, one, &isUnknown)
      second = (second & mask) &+ Self.difference(&reader, b, two, &isUnknown)
      reader.fill()
      third = (third & mask) &+ Self.difference(&reader, c, three, &isUnknown)
      line[0] = first
      line[1] = second
      line[2] = third
      mask = keep
      line += 3
    }
    (self.reader, self.isUnknown) = (reader, isUnknown)
  }

  mutating func run(
    _ count: Int, _ tables: (Table, Table, Table, Table), _ one: HuffmanLookup, _ two: HuffmanLookup,
    _ three: HuffmanLookup, _ four: HuffmanLookup
  ) {
    var (reader, isUnknown, line) = (reader, isUnknown, line)
    let keep = keep
    var (first, second, third, fourth) = (line[0], line[1], line[2], line[3])
    var mask = UInt16.max
    let end = line + count
    while line < end {
      reader.fill()
      first = (first & mask) &+ Self.difference(&reader, tables.0, one, &isUnknown)
      second = (second & mask) &+ Self.difference(&reader, tables.1, two, &isUnknown)
      reader.fill()
      third = (third & mask) &+ Self.difference(&reader, tables.2, three, &isUnknown)
      fourth = (fourth & mask) &+ Self.difference(&reader, tables.3, four, &isUnknown)
      line[0] = first
      line[1] = second
      line[2] = third
      line[3] = fourth
      mask = keep
      line += 4
    }
    (self.reader, self.isUnknown) = (reader, isUnknown)
  }
}
