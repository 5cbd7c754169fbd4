/// The file formats pictures are written in and read from.
public enum PictureContainer: String, Sendable, Hashable, Codable, CaseIterable {
  case jpeg, tiff, png, exr, heif, jxl

  /// The format a file name's extension stands for.
  ///
  /// - Parameter fileExtension: without the dot, in any case.
  public init?(fileExtension: String) {
    switch fileExtension.lowercased() {
    case "jpg", "jpeg", "jpe": self = .jpeg
    case "tif", "tiff": self = .tiff
    case "png": self = .png
    case "exr": self = .exr
    case "heic", "heif": self = .heif
    case "jxl": self = .jxl
    default: return nil
    }
  }

  /// Kinds of HEIF file (ISO/IEC 23008-12) and AVIF.
  private static let heifBrands = ["heic", "heix", "hevc", "heim", "heis", "mif1", "msf1", "avif", "avis"]

  /// The format of a file that starts with these bytes; twelve are enough.
  public static func sniff(_ firstBytes: [UInt8]) -> PictureContainer? {
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    if firstBytes.starts(with: png) { return .png }
    if firstBytes.starts(with: [0x76, 0x2F, 0x31, 0x01]) { return .exr }
    if firstBytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    let signature: [UInt8] = [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20]  // ISO/IEC 18181-2: the box "JXL "
    if firstBytes.starts(with: [0xFF, 0x0A]) || firstBytes.starts(with: signature) { return .jxl }
    let isBoxes = firstBytes.dropFirst(4).starts(with: Array("ftyp".utf8))
    if isBoxes, heifBrands.contains(where: { firstBytes.dropFirst(8).starts(with: Array($0.utf8)) }) { return .heif }
    let tiff: [[UInt8]] = [[0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42], [0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 43]]
    return tiff.contains { firstBytes.starts(with: $0) } ? .tiff : nil
  }
}
