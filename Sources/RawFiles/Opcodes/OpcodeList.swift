import TIFFTags

/// One operation that a DNG asks its reader to do. DNG 1.7, chapter 7.
struct Opcode: Sendable {
  enum Kind: Sendable {
    case gainMap(GainMap)
    case mapPolynomial(MapPolynomial)
    /// Named, for reports.
    case other(String)
  }

  let kind: Kind
  /// Whether a reader that does not know it may go on. DNG 1.7, chapter 7, flag bit 0.
  let isOptional: Bool

  /// The kind's name in the specification.
  var name: String {
    switch kind {
    case .gainMap: "GainMap"
    case .mapPolynomial: "MapPolynomial"
    case .other(let name): name
    }
  }
}

/// Reads the bytes of an OpcodeList tag. Always most significant byte first, whatever the file's order.
enum OpcodeList {
  private static let mapPolynomialCode = 8
  private static let gainMapCode = 9
  /// Names of the codes 1...14. DNG 1.7, chapter 7.
  private static let names = [
    "WarpRectilinear", "WarpFisheye", "FixVignetteRadial", "FixBadPixelsConstant", "FixBadPixelsList", "TrimBounds",
    "MapTable", "MapPolynomial", "GainMap", "DeltaPerRow", "DeltaPerColumn", "ScalePerRow", "ScalePerColumn",
    "WarpRectilinear2",
  ]
  /// No camera writes more.
  private static let maxOpcodes = 4096

  static func parse(_ bytes: [UInt8]) throws(RawReadError) -> [Opcode] {
    var reader = OpcodeReader(bytes)
    guard let count = reader.integer(), count <= maxOpcodes else {
      throw .damaged("an opcode list has no sane length")
    }
    var result: [Opcode] = []
    for _ in 0..<count {
      guard let code = reader.integer(), reader.integer() != nil, let flags = reader.integer(),
        let length = reader.integer(), let body = reader.bytes(length)
      else { throw .damaged("an opcode list ends early") }
      let kind: Opcode.Kind
      if code == gainMapCode {
        guard let map = GainMap(body) else { throw .damaged("a gain map contradicts itself") }
        kind = .gainMap(map)
      } else if code == mapPolynomialCode {
        guard let map = MapPolynomial(body) else {
          throw .damaged("a polynomial of an opcode list contradicts itself")
        }
        kind = .mapPolynomial(map)
      } else {
        kind = .other((1...names.count).contains(code) ? names[code - 1] : "opcode \(code)")
      }
      result.append(Opcode(kind: kind, isOptional: flags & 1 == 1))
    }
    return result
  }
}

/// Takes numbers from the front of some bytes; `nil` at their end.
struct OpcodeReader {
  private let stored: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { stored = bytes }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard count >= 0, count <= stored.count - position else { return nil }
    defer { position += count }
    return Array(stored[position..<position + count])
  }

  mutating func integer() -> Int? { bytes(4).map { $0.reduce(0) { $0 << 8 | Int($1) } } }

  mutating func integers(_ count: Int) -> [Int]? {
    var result: [Int] = []
    for _ in 0..<count {
      guard let value = integer() else { return nil }
      result.append(value)
    }
    return result
  }

  mutating func double() -> Double? {
    bytes(8).map { Double(bitPattern: $0.reduce(0) { $0 << 8 | UInt64($1) }) }
  }

  mutating func float() -> Float? { integer().map { Float(bitPattern: UInt32($0)) } }
}

/// What a file asks for in its three lists, and what of it this reader does.
struct OpcodePlan: Sendable {
  /// Gain maps for the stored planes (list 2) and for the colours of the finished pixels (list 3), in order.
  private(set) var gains: [(map: GainMap, forColours: Bool)] = []
  /// Curves for the stored planes (list 2), in order; they come before the gain maps.
  private(set) var polynomials: [MapPolynomial] = []
  /// One line each.
  private(set) var notApplied: [String] = []
  /// What is left out although the file says that no reader may.
  private(set) var mandatory: [String] = []

  /// - Parameter lossy: whether LibRaw unpacks lossy JPEG, which applies the polynomials of list 2.
  init(_ raw: TIFFDirectory, lossy: Bool) throws(RawReadError) {
    for (index, tag) in DNGTag.opcodeLists.enumerated() {
      guard raw.contains(tag) else { continue }
      guard let bytes = raw.bytes(tag) else { throw .damaged("OpcodeList\(index + 1) lies outside the file") }
      for opcode in try OpcodeList.parse(bytes) {
        switch opcode.kind {
        case .gainMap(let map) where index > 0: gains.append((map, index == 2))
        case .mapPolynomial where index == 1 && lossy: break
        case .mapPolynomial(let curve) where index == 1 && gains.isEmpty: polynomials.append(curve)
        default:
          let line = "OpcodeList\(index + 1) \(opcode.name)"
          if !notApplied.contains(line) { notApplied.append(line) }
          if !opcode.isOptional { mandatory.append(line) }
        }
      }
    }
  }
}
