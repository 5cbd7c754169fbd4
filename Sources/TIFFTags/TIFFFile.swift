/// The directories of a TIFF or BigTIFF file. Loops, absurd counts and offsets outside the file are refused.
public struct TIFFFile: Sendable {
  /// More directories than any camera writes; a chain longer than this is an attack or damage.
  public static let maxDirectories = 256
  /// More entries than any directory has.
  public static let maxEntries = 4096
  /// Tag SubIFDs. TIFF Tech Note 1.
  public static let subDirectoriesTag: UInt16 = 330
  /// Tag ExifIFD. EXIF 2.32.
  public static let exifTag: UInt16 = 34665

  /// Tag GPSInfo. EXIF 2.32.
  public static let gpsTag: UInt16 = 34853

  /// The bytes of the file.
  public let source: ByteSource
  /// Whether numbers are stored least significant byte first.
  public let littleEndian: Bool
  /// Whether offsets have 64 bits.
  public let isBig: Bool
  /// The main chain, in order.
  public private(set) var directories: [TIFFDirectory] = []
  /// The main chain and all SubIFDs, depth first.
  public private(set) var allDirectories: [TIFFDirectory] = []

  /// Reads all directories.
  public init(_ source: ByteSource) throws(TIFFError) {
    self.source = source
    let headLength = 8
    guard let head = source.bytes(at: 0, count: headLength) else {
      let magics: [[UInt8]] = [
        [0x49, 0x49, 42, 0], [0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 42], [0x4D, 0x4D, 0, 43],
      ]
      guard let magic = source.bytes(at: 0, count: 4), magics.contains(magic) else { throw .notTIFF }
      throw .truncated(found: source.byteCount, expected: headLength)
    }
    switch (head[0], head[1]) {
    case (0x49, 0x49): littleEndian = true
    case (0x4D, 0x4D): littleEndian = false
    default: throw .notTIFF
    }
    let order = ByteOrder(littleEndian: littleEndian)
    var next: UInt64
    switch order.unsigned(head, at: 2, size: 2) {
    case 42:
      isBig = false
      next = order.unsigned(head, at: 4, size: 4)
    case 43:
      isBig = true
      let bigHeadLength = 16
      guard let long = source.bytes(at: 0, count: bigHeadLength) else {
        throw .truncated(found: source.byteCount, expected: bigHeadLength)
      }
      guard order.unsigned(long, at: 4, size: 2) == 8 else {
        throw .damaged("the BigTIFF header is not that of 64-bit offsets")
      }
      next = order.unsigned(long, at: 8, size: 8)
    default: throw .notTIFF
    }
    var visited: Set<UInt64> = []
    while next != 0 {
      let (directory, following) = try read(at: next, &visited)
      directories.append(directory)
      allDirectories.append(directory)
      try descend(directory, &visited)
      next = following
    }
    if directories.isEmpty { throw .damaged("there is no directory") }
  }

  /// The EXIF directory of a directory, when it is there and readable.
  public func exif(of directory: TIFFDirectory) -> TIFFDirectory? { pointed(to: Self.exifTag, of: directory) }

  /// The GPS directory of a directory, when it is there and readable.
  public func gps(of directory: TIFFDirectory) -> TIFFDirectory? { pointed(to: Self.gpsTag, of: directory) }

  private func pointed(to tag: UInt16, of directory: TIFFDirectory) -> TIFFDirectory? {
    guard let offset = directory.integer(tag), offset > 0 else { return nil }
    var visited: Set<UInt64> = []
    return try? read(at: UInt64(offset), &visited).0
  }

  private mutating func descend(_ directory: TIFFDirectory, _ visited: inout Set<UInt64>) throws(TIFFError) {
    guard directory.contains(Self.subDirectoriesTag) else { return }
    guard let offsets = directory.integers(Self.subDirectoriesTag), offsets.count <= Self.maxDirectories else {
      if let end = directory.missingEnd(of: Self.subDirectoriesTag) {
        throw .truncated(found: source.byteCount, expected: end)
      }
      throw .damaged("the list of sub-directories is absurdly long or no list of places")
    }
    for offset in offsets where offset > 0 {
      let (child, _) = try read(at: UInt64(offset), &visited)
      allDirectories.append(child)
      try descend(child, &visited)
    }
  }

  private func read(at offset: UInt64, _ visited: inout Set<UInt64>) throws(TIFFError) -> (TIFFDirectory, UInt64) {
    guard visited.insert(offset).inserted else { throw .damaged("its directories form a loop") }
    guard visited.count <= Self.maxDirectories else { throw .damaged("it has too many directories") }
    let order = ByteOrder(littleEndian: littleEndian)
    let countSize = isBig ? 8 : 2
    guard let start = Int(exactly: offset), start < Int.max - Int(Int32.max) else {
      throw .damaged("a directory lies outside any file")
    }
    guard let head = source.bytes(at: start, count: countSize) else {
      throw .truncated(found: source.byteCount, expected: start + countSize)
    }
    let declared = order.unsigned(head, at: 0, size: countSize)
    guard declared <= UInt64(Self.maxEntries) else { throw .damaged("a directory declares \(declared) entries") }
    let count = Int(declared)
    let entrySize = isBig ? 20 : 12
    guard let body = source.bytes(at: start + countSize, count: count * entrySize) else {
      throw .truncated(found: source.byteCount, expected: start + countSize + count * entrySize)
    }
    var entries: [UInt16: TIFFEntry] = [:]
    for index in 0..<count {
      let at = index * entrySize
      guard let entry = entry(body, at: at, fileOffset: start + countSize + at, order), entries[entry.tag] == nil
      else { continue }
      entries[entry.tag] = entry
    }
    let linkSize = isBig ? 8 : 4
    let link = source.bytes(at: start + countSize + count * entrySize, count: linkSize)
    let next = link.map { order.unsigned($0, at: 0, size: linkSize) } ?? 0
    return (TIFFDirectory(entries: entries, source: source, littleEndian: littleEndian), next)
  }

  /// One entry; `nil` for an unknown type. A count or offset beyond all files stays, as values that nobody can read:
  /// a damaged tag must not pass for an absent one.
  private func entry(_ body: [UInt8], at: Int, fileOffset: Int, _ order: ByteOrder) -> TIFFEntry? {
    let tag = UInt16(order.unsigned(body, at: at, size: 2))
    let type = UInt16(order.unsigned(body, at: at + 2, size: 2))
    let wordSize = isBig ? 8 : 4
    guard let size = TIFFEntry.size(ofType: type) else { return nil }
    let count = min(Int(clamping: order.unsigned(body, at: at + 4, size: wordSize)), Int.max / 16)
    let valueAt = 4 + wordSize
    if count * size <= wordSize {
      return TIFFEntry(tag: tag, type: type, count: count, offset: fileOffset + valueAt)
    }
    let offset = Int(clamping: order.unsigned(body, at: at + valueAt, size: wordSize))
    return TIFFEntry(tag: tag, type: type, count: count, offset: offset)
  }
}
