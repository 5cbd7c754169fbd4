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
  private mutating func difference(_ table: Table, _ lookup: HuffmanLookup) -> UInt16 {
    let entry = UInt64(table[Int(reader.window &>> UInt64(64 - HuffmanLookup.fastBits))])
    if _fastPath(entry != 0) {
      let bits = Int64(bitPattern: entry &>> 16)
      let rest = reader.window &<< (entry &>> 8 & 31)
      let magnitude = Int64(bitPattern: (rest &>> 1) &>> UInt64(bitPattern: 63 &- bits))
      // A magnitude that starts with 0 stands for a negative difference: T.81 F.2.2.1, EXTEND.
      let isPositive = Int64(bitPattern: rest) &>> 63
      let value = magnitude &+ (~isPositive & ((-1 &<< bits) &+ 1))
      reader.drop(entry & 63)
      return UInt16(truncatingIfNeeded: value)
    }
    return slowDifference(lookup)
  }

  @inline(never)
  private mutating func slowDifference(_ lookup: HuffmanLookup) -> UInt16 {
    reader.fill()
    guard let found = lookup.search(reader.window) else {
      isUnknown = true
      return 0
    }
    reader.drop(UInt64(found.bits))
    reader.fill()
    return UInt16(truncatingIfNeeded: found.difference)
  }

  mutating func run(_ count: Int, _ table: Table, _ lookup: HuffmanLookup) {
    var left = line[0]
    // The first sample adds to what the row starts from, whatever follows.
    reader.fill()
    left = left &+ difference(table, lookup)
    line[0] = left
    for x in 1..<max(1, count) {
      reader.fill()
      left = (left & keep) &+ difference(table, lookup)
      line[x] = left
    }
  }

  mutating func run(_ count: Int, _ a: Table, _ b: Table, _ one: HuffmanLookup, _ two: HuffmanLookup) {
    var (first, second) = (line[0], line[1])
    var mask = UInt16.max
    var x = 0
    while x < count {
      reader.fill()
      first = (first & mask) &+ difference(a, one)
      second = (second & mask) &+ difference(b, two)
      line[x] = first
      line[x &+ 1] = second
      mask = keep
      x = x &+ 2
    }
  }

  mutating func run(
    _ count: Int, _ a: Table, _ b: Table, _ c: Table, _ one: HuffmanLookup, _ two: HuffmanLookup,
    _ three: HuffmanLookup
  ) {
    var (first, second, third) = (line[0], line[1], line[2])
    var mask = UInt16.max
    var x = 0
    while x < count {
      reader.fill()
      first = (first & mask) &+ difference(a, one)
      second = (second & mask) &+ difference(b, two)
      reader.fill()
      third = (third & mask) &+ difference(c, three)
      line[x] = first
      line[x &+ 1] = second
      line[x &+ 2] = third
      mask = keep
      x = x &+ 3
    }
  }

  mutating func run(
    _ count: Int, _ tables: (Table, Table, Table, Table), _ one: HuffmanLookup, _ two: HuffmanLookup,
    _ three: HuffmanLookup, _ four: HuffmanLookup
  ) {
    var (first, second, third, fourth) = (line[0], line[1], line[2], line[3])
    var mask = UInt16.max
    var x = 0
    while x < count {
      reader.fill()
      first = (first & mask) &+ difference(tables.0, one)
      second = (second & mask) &+ difference(tables.1, two)
      reader.fill()
      third = (third & mask) &+ difference(tables.2, three)
      fourth = (fourth & mask) &+ difference(tables.3, four)
      line[x] = first
      line[x &+ 1] = second
      line[x &+ 2] = third
      line[x &+ 3] = fourth
      mask = keep
      x = x &+ 4
    }
  }
}
