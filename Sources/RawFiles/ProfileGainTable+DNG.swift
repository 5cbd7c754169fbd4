import ImageCore
import TIFFTags

extension ProfileGainTable {
  /// How DNG 1.7 stores gains.
  private enum Storage: Int {
    case uint8, uint16, float16, float32

    var byteCount: Int {
      switch self {
      case .uint8: 1
      case .uint16, .float16: 2
      case .float32: 4
      }
    }
  }

  private static let maxPoints = 1 << 16

  /// Reads the tag's bytes, which are in the file's order; `nil` when they contradict themselves.
  init?(_ bytes: [UInt8], littleEndian: Bool, isSecond: Bool) {
    var position = 0
    func unsigned(_ count: Int) -> UInt64? {
      guard count <= bytes.count - position else { return nil }
      let field = bytes[position..<position + count]
      position += count
      return (littleEndian ? Array(field.reversed()) : Array(field)).reduce(0) { $0 << 8 | UInt64($1) }
    }
    func integer() -> Int? { unsigned(4).map { Int($0) } }
    func double() -> Double? { unsigned(8).map { Double(bitPattern: $0) } }
    func float() -> Float? { unsigned(4).map { Float(bitPattern: UInt32($0)) } }
    guard let rows = integer(), let columns = integer(), let rowSpacing = double(), let columnSpacing = double(),
      let rowOrigin = double(), let columnOrigin = double(), let values = integer()
    else { return nil }
    var weights: [Float] = []
    for _ in 0..<5 {
      guard let weight = float() else { return nil }
      weights.append(weight)
    }
    var (storage, gamma, low, high) = (Storage.float32, Float(1), Float(1), Float(1))
    if isSecond {
      guard let code = integer(), let found = Storage(rawValue: code), let power = float(), let least = float(),
        let most = float()
      else { return nil }
      (storage, gamma, low, high) = (found, power, least, most)
    }
    let side = 1...Self.maxPoints
    guard side.contains(rows), side.contains(columns), side.contains(values), rows <= Self.maxValues / columns,
      rows * columns <= Self.maxValues / values
    else { return nil }
    let count = rows * columns * values
    guard bytes.count - position >= count * storage.byteCount else { return nil }
    var gains: [Float] = []
    gains.reserveCapacity(count)
    for _ in 0..<count {
      guard let stored = unsigned(storage.byteCount) else { return nil }
      switch storage {
      case .uint8: gains.append(low + (high - low) * (Float(stored) / Float(UInt8.max)))
      case .uint16: gains.append(low + (high - low) * (Float(stored) / Float(UInt16.max)))
      case .float16: gains.append(Self.half(UInt16(stored)))
      case .float32: gains.append(Float(bitPattern: UInt32(stored)))
      }
    }
    self.init(
      rows: rows, columns: columns, values: values, rowSpacing: rowSpacing, columnSpacing: columnSpacing,
      rowOrigin: rowOrigin, columnOrigin: columnOrigin, weights: weights, gamma: gamma, gains: gains)
  }

  /// IEEE 754 binary16.
  private static func half(_ bits: UInt16) -> Float {
    let (sign, exponent, fraction) = (bits >> 15, Int(bits >> 10 & 0x1F), Float(bits & 0x3FF))
    if exponent == 0x1F { return .nan }
    let scale = Float(sign: .plus, exponent: max(exponent, 1) - 25, significand: 1)
    let value = (exponent == 0 ? fraction : fraction + 1024) * scale
    return sign == 1 ? -value : value
  }

  /// The tag and its value for a little-endian file: the older tag when it can say everything.
  var tag: (number: UInt16, value: TIFFValue) {
    func little(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    var bytes = little(UInt32(rows)) + little(UInt32(columns))
    for number in [rowSpacing, columnSpacing, rowOrigin, columnOrigin] { bytes += little(number.bitPattern) }
    bytes += little(UInt32(values))
    for weight in weights { bytes += little(weight.bitPattern) }
    if gamma != 1 {
      bytes += little(UInt32(Storage.float32.rawValue)) + little(gamma.bitPattern)
      bytes += little((gains.min() ?? 1).bitPattern) + little((gains.max() ?? 1).bitPattern)
    }
    bytes.reserveCapacity(bytes.count + gains.count * 4)
    for gain in gains { bytes += little(gain.bitPattern) }
    return (gamma == 1 ? DNGTag.gainTable : DNGTag.gainTable2, .undefined(bytes))
  }
}

extension DNGValues {
  /// The file's table of local gains; `nil` when it has none.
  var gainTable: ProfileGainTable? {
    get throws(RawReadError) {
      for tag in [DNGTag.gainTable2, DNGTag.gainTable] {
        guard let directory = [layout.raw, layout.main].first(where: { $0.contains(tag) }) else { continue }
        guard let bytes = directory.bytes(tag),
          let table = ProfileGainTable(
            bytes, littleEndian: layout.file.littleEndian, isSecond: tag == DNGTag.gainTable2)
        else { throw .damaged("its table of local gains (ProfileGainTableMap) contradicts itself") }
        return table
      }
      return nil
    }
  }
}
