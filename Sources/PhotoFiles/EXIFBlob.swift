internal import ImageCore

/// The entries of an EXIF block: enough of TIFF to move them into another file. Values are in little-endian order.
struct EXIFBlob {
  static let jpegSignature: [UInt8] = Array("Exif\0\0".utf8)
  static let xmpSignature: [UInt8] = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

  /// Tags with a meaning here (TIFF 6.0, EXIF 2.32).
  enum Tag {
    static let orientation: UInt16 = 0x0112
    static let exifDirectory: UInt16 = 0x8769
    static let gpsDirectory: UInt16 = 0x8825
    static let makerNote: UInt16 = 0x927C
    static let interoperability: UInt16 = 0xA005
    static let componentsConfiguration: UInt16 = 0x9101
    static let pixelXDimension: UInt16 = 0xA002
    static let pixelYDimension: UInt16 = 0xA003
  }

  struct Entry {
    var tag: UInt16
    var type: UInt16
    var count: Int
    var data: [UInt8]
    /// Where the data lie in the block; maker notes count offsets from the block's start.
    var offset = 0
  }

  /// Bytes of one value of each TIFF type, by its number.
  static let typeSizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
  private static let rational: UInt16 = 5
  private static let signedRational: UInt16 = 10
  private static let entryBytes = 12

  private(set) var image: [Entry] = []
  private(set) var exif: [Entry] = []
  private(set) var gps: [Entry] = []
  /// Where the Orientation value of IFD0 lies in the bytes.
  private(set) var orientationOffset: Int?
  private let bytes: [UInt8]
  private let bigEndian: Bool

  /// Reads the block; `nil` when it is not one.
  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard bytes.count >= 8, let container = PictureContainer.sniff(bytes), container == .tiff else { return nil }
    bigEndian = bytes[0] == 0x4D
    let classicTIFF = 42
    guard number(2, at: 2) == classicTIFF else { return nil }
    let entries = directory(at: number(4, at: 4))
    image = entries
    exif = directory(at: pointer(entries, Tag.exifDirectory))
    gps = directory(at: pointer(entries, Tag.gpsDirectory))
    orientationOffset = findOrientation(number(4, at: 4))
  }

  /// What IFD0 says; `nil` when it says nothing.
  var orientation: Orientation? {
    orientationOffset.flatMap { Orientation(exif: number(2, at: $0)) }
  }

  /// The block with another orientation. When it has none, one is made that has nothing else.
  static func setting(_ orientation: Orientation, in bytes: [UInt8]) -> [UInt8] {
    guard let blob = EXIFBlob(bytes) else { return orientation == .up ? [] : minimal(orientation) }
    guard let offset = blob.orientationOffset else { return bytes }
    var result = bytes
    result[offset] = blob.bigEndian ? 0 : orientation.rawValue
    result[offset + 1] = blob.bigEndian ? orientation.rawValue : 0
    return result
  }

  /// Little-endian header, one directory of one entry, no next directory.
  private static func minimal(_ orientation: Orientation) -> [UInt8] {
    [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation.rawValue, 0, 0, 0, 0, 0, 0, 0]
  }

  /// The camera maker's own block; `nil` when there is none or when it is in another byte order than the files written
  /// here.
  var makerNote: Entry? { bigEndian ? nil : exif.first { $0.tag == Tag.makerNote } }

  /// A directory of `entries` for a file in which it will lie at `offset`: entries first, then their values.
  ///
  /// - Parameter fixed: where the data of some tags lie in that file already.
  static func serialised(
    _ entries: [Entry], at offset: Int, bigTIFF: Bool, fixed: [UInt16: Int] = [:]
  ) -> [UInt8] {
    let word = bigTIFF ? 8 : 4
    let head = (bigTIFF ? 8 : 2) + entries.count * (4 + 2 * word) + word
    var table = little(entries.count, bigTIFF ? 8 : 2)
    var values: [UInt8] = []
    for entry in entries.sorted(by: { $0.tag < $1.tag }) {
      table += little(Int(entry.tag), 2) + little(Int(entry.type), 2) + little(entry.count, word)
      if entry.data.count <= word {
        table += entry.data + [UInt8](repeating: 0, count: word - entry.data.count)
      } else if let place = fixed[entry.tag] {
        table += little(place, word)
      } else {
        table += little(offset + head + values.count, word)
        values += entry.data + [UInt8](repeating: 0, count: entry.data.count & 1)
      }
    }
    return table + [UInt8](repeating: 0, count: word) + values
  }

  static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func number(_ count: Int, at offset: Int) -> Int {
    guard offset >= 0, offset + count <= bytes.count else { return 0 }
    let field = bytes[offset..<offset + count]
    return (bigEndian ? Array(field) : field.reversed()).reduce(0) { $0 << 8 | Int($1) }
  }

  private func pointer(_ entries: [Entry], _ tag: UInt16) -> Int {
    guard let entry = entries.first(where: { $0.tag == tag }), entry.data.count == 4 else { return 0 }
    return entry.data.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private func findOrientation(_ offset: Int) -> Int? {
    for index in 0..<number(2, at: offset) {
      let entry = offset + 2 + index * Self.entryBytes
      guard entry + Self.entryBytes <= bytes.count else { return nil }
      if number(2, at: entry) == Int(Tag.orientation) { return entry + 8 }
    }
    return nil
  }

  private func directory(at offset: Int) -> [Entry] {
    guard offset >= 8 else { return [] }
    var result: [Entry] = []
    for index in 0..<number(2, at: offset) {
      let entry = offset + 2 + index * Self.entryBytes
      guard entry + Self.entryBytes <= bytes.count else { break }
      let type = number(2, at: entry + 2)
      let count = number(4, at: entry + 4)
      guard type > 0, type < Self.typeSizes.count, count > 0, count <= bytes.count else { continue }
      let length = count * Self.typeSizes[type]
      let start = length <= 4 ? entry + 8 : number(4, at: entry + 8)
      guard start + length <= bytes.count else { continue }
      let data = littleEndian(Array(bytes[start..<start + length]), type: UInt16(type))
      result.append(
        Entry(tag: UInt16(number(2, at: entry)), type: UInt16(type), count: count, data: data, offset: start))
    }
    return result
  }

  private func littleEndian(_ data: [UInt8], type: UInt16) -> [UInt8] {
    guard bigEndian else { return data }
    let unit = type == Self.rational || type == Self.signedRational ? 4 : Self.typeSizes[Int(type)]
    return stride(from: 0, to: data.count, by: unit).flatMap { data[$0..<$0 + unit].reversed() }
  }
}
