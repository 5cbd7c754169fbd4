public import TIFFTags

/// What a file's content is, whatever its name says.
public enum FileKind: Sendable, Hashable, CustomStringConvertible {
  /// Adobe digital negative.
  case dng
  /// A camera's own format, named: `Canon CRW`.
  case raw(String)
  case jpeg
  case png
  case tiff
  case heif
  case jxl
  case exr
  case radianceHDR
  case xmp
  case text
  case empty
  case unknown

  /// The name for people.
  public var description: String {
    switch self {
    case .dng: "DNG"
    case .raw(let name): name
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .tiff: "TIFF"
    case .heif: "HEIF or AVIF"
    case .jxl: "JPEG XL"
    case .exr: "OpenEXR"
    case .radianceHDR: "Radiance HDR"
    case .xmp: "XMP metadata"
    case .text: "text"
    case .empty: "an empty file"
    case .unknown: "of an unknown kind"
    }
  }
}

/// Finds out what a file is from its first bytes and, for TIFF, its tags.
public enum FileSniffer {
  /// How many bytes the magic numbers and the test for text look at.
  private static let headLength = 64

  /// The kind of the file at a path.
  public static func kind(ofFileAt path: FilePath) throws(RawReadError) -> FileKind {
    do { return kind(of: try ByteSource(file: path)) } catch { throw RawReadError(error) }
  }

  /// The kind of a file's bytes.
  public static func kind(of source: ByteSource) -> FileKind {
    guard source.byteCount > 0, let head = source.bytes(at: 0, count: min(headLength, source.byteCount)) else {
      return .empty
    }
    if let vendor = vendorFormat(head) { return .raw(vendor) }
    if let picture = pictureFormat(head) { return picture }
    let isTIFF = [[0x49, 0x49, 42, 0], [0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 42], [0x4D, 0x4D, 0, 43]]
      .contains(Array(head.prefix(4)))
    if isTIFF { return tiffKind(source) }
    let isText = head.allSatisfy { $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0D].contains($0) }
    guard isText else { return .unknown }
    let text = String(decoding: head, as: UTF8.self)
    return text.hasPrefix("<?xpacket") || text.hasPrefix("<x:xmpmeta") ? .xmp : .text
  }

  private static func vendorFormat(_ head: [UInt8]) -> String? {
    func has(_ text: String, at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: text.utf8) }
    if has("HEAPCCDR", at: 6) { return "Canon CRW" }
    if has("ftypcrx ", at: 4) { return "Canon CR3" }
    if has("CR\u{2}", at: 8) { return "Canon CR2" }
    if has("FUJIFILMCCD-RAW") { return "Fujifilm RAF" }
    if has("\0MRM") { return "Minolta MRW" }
    if has("FOVb") { return "Sigma X3F" }
    if has("IIU\0") { return "Panasonic RW2" }
    if has("IIRO") || has("IIRS") || has("MMOR") { return "Olympus ORF" }
    if has("IIII") || has("MMMM") { return "Phase One IIQ" }
    return nil
  }

  private static func pictureFormat(_ head: [UInt8]) -> FileKind? {
    func has(_ text: String, at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: text.utf8) }
    if head.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return .png }
    if head.starts(with: [0xFF, 0x0A]) || has("JXL ", at: 4) { return .jxl }
    if head.starts(with: [0x76, 0x2F, 0x31, 0x01]) { return .exr }
    if has("#?RADIANCE") || has("#?RGBE") { return .radianceHDR }
    let brands = ["heic", "heix", "hevc", "heim", "heis", "mif1", "msf1", "avif", "avis"]
    if has("ftyp", at: 4), brands.contains(where: { has($0, at: 8) }) { return .heif }
    return nil
  }

  private static func tiffKind(_ source: ByteSource) -> FileKind {
    guard let file = try? TIFFFile(source), let main = file.directories.first else { return .tiff }
    if main.contains(DNGTag.version) { return .dng }
    let vendorCompressions = [32767, 34713, 65000, 65535]  // Sony, Nikon, Kodak, Pentax
    let holdsMosaic = file.allDirectories.contains { directory in
      directory.integer(DNGTag.photometric) == DNGTag.photometricCFA
        || vendorCompressions.contains(directory.integer(DNGTag.compression) ?? 0)
    }
    let make = main.text(DNGTag.make) ?? ""
    let formats = ["NIKON": "Nikon NEF", "SONY": "Sony ARW", "PENTAX": "Pentax PEF", "KODAK": "Kodak TIFF-based RAW"]
    guard holdsMosaic else { return .tiff }
    let known = formats.first { make.uppercased().contains($0.key) }?.value
    return .raw(known ?? (make.isEmpty ? "TIFF-based RAW" : "\(make) TIFF-based RAW"))
  }
}
