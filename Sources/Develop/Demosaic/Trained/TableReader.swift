import CDemosaicTables

/// The arrangements of filters that trained tables exist for. Raw values are the periods, in photosites.
enum TrainedPattern: Int32, Sendable, CaseIterable {
  case bayer = 2
  case quad = 4
}

/// What an embedded table is for.
enum TableKind: Sendable, Hashable {
  case network, leastSquares, classes, phases

  var code: duo_table_kind {
    switch self {
    case .network: duo_table_network
    case .leastSquares: duo_table_least_squares
    case .classes: duo_table_classes
    case .phases: duo_table_phases
    }
  }
}

/// Finds embedded tables; `Training/README.md` describes their layout.
enum TableLibrary {
  /// Noise levels for which there is a table, ascending. See ``NoiseLevel`` for the unit.
  static func levels(period: Int32, _ kind: TableKind) -> [Int32] {
    (0..<duo_table_count()).map(duo_table_at).filter { $0.period == period && $0.kind == kind.code }.map(\.sigma)
      .sorted()
  }

  /// Positioned behind the magic number and the table's kind, which are checked.
  static func reader(period: Int32, sigma: Int32, _ kind: TableKind) -> TableReader? {
    let tables = (0..<duo_table_count()).lazy.map(duo_table_at)
    guard let found = tables.first(where: { $0.period == period && $0.sigma == sigma && $0.kind == kind.code })
    else { return nil }
    var reader = TableReader(UnsafeRawBufferPointer(start: found.bytes, count: Int(found.size)))
    reader.check(kind: kind, period: period, sigma: sigma)
    return reader
  }
}

/// Takes numbers off the front of an embedded table, little endian. A table that does not fit its own header is a
/// fault of the build, not of any input.
struct TableReader {
  private static let magic = Array("DUOTABL1".utf8)
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Skips the header after comparing it.
  mutating func check(kind: TableKind, period: Int32, sigma: Int32) {
    precondition(bytes.prefix(Self.magic.count).elementsEqual(Self.magic), "an embedded table has no magic number")
    offset = Self.magic.count
    let code: Int32 =
      switch kind {
      case .network, .leastSquares: 1
      case .classes: 2
      case .phases: 3
      }
    let hundredths: Int32 = 100
    precondition(
      integers(3) == [code, period, sigma * hundredths], "an embedded table is not what its name says")
  }

  mutating func integer() -> Int { Int(integers(1)[0]) }

  mutating func integers(_ count: Int) -> [Int32] {
    take(count, of: Int32.self).map { Int32(littleEndian: $0) }
  }

  mutating func weights(_ count: Int) -> [Int16] {
    take(count, of: Int16.self).map { Int16(littleEndian: $0) }
  }

  private mutating func take<Number: FixedWidthInteger & BitwiseCopyable>(_ count: Int, of: Number.Type) -> [Number] {
    let size = MemoryLayout<Number>.size
    precondition(offset + count * size <= bytes.count, "an embedded table ends early")
    defer { offset += count * size }
    return (0..<count).map { bytes.loadUnaligned(fromByteOffset: offset + $0 * size, as: Number.self) }
  }
}
