public import ImageCore
import TIFFTags

extension CaptureFacts {
  /// The facts in an EXIF block: a TIFF structure in memory, without the leading `Exif\0\0`. `nil` when it is none.
  public init?(exifBlock bytes: [UInt8]) {
    guard !bytes.isEmpty, let file = try? TIFFFile(ByteSource(bytes)), !file.directories.isEmpty else { return nil }
    self.init(file)
  }
}
