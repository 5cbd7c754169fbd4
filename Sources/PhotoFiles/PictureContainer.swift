/// The file formats pictures are written in and read from.
public enum PictureContainer: String, Sendable, Hashable, Codable, CaseIterable {
  case jpeg, tiff, png, exr

  /// The format a file name's extension stands for.
  ///
  /// - Parameter fileExtension: without the dot, in any case.
  public init?(fileExtension: String) {
    switch fileExtension.lowercased() {
    case "jpg", "jpeg", "jpe": self = .jpeg
    case "tif", "tiff": self = .tiff
    case "png": self = .png
    case "exr": self = .exr
    default: return nil
    }
  }

  /// The format of a file that starts with these bytes; eight are enough.
  public static func sniff(_ firstBytes: [UInt8]) -> PictureContainer? {
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    if firstBytes.starts(with: png) { return .png }
    if firstBytes.starts(with: [0x76, 0x2F, 0x31, 0x01]) { return .exr }
    if firstBytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    let tiff: [[UInt8]] = [[0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42], [0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 43]]
    return tiff.contains { firstBytes.starts(with: $0) } ? .tiff : nil
  }
}
