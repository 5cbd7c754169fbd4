import FoundationEssentials
import Glibc
import ImageCore
import PhotoFiles

/// Pictures inside a page, written by our own encoders.
enum DataURI {
  /// Pictures of more pixels become JPEG: PNG of photographs is five times as large.
  private static let largestPNG = 256 * 256
  private static let quality = 88

  /// `data:image/png;base64,…`, JPEG for large pictures unless every pixel counts.
  static func encode(_ image: Image<RGB<UInt8>>, exact: Bool = false) throws(JobFailure) -> String {
    let isPNG = exact || image.size.area <= largestPNG
    guard let file = tmpfile() else {
      throw JobFailure(.cannotCreate, "no temporary file: \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    let spec = PictureSpec(
      size: image.size, format: PixelFormat(.rgb, .uint8), container: isPNG ? .png : .jpeg,
      jpeg: JPEGQuality(quality: quality, chroma: .s444))
    do {
      let writer = try PictureWriter(fileDescriptor: fileno(file), spec: spec)
      try image.withRows { (rows) throws(PhotoFileError) in
        try writer.write(rows: rows.height, from: UnsafeRawPointer(rows.base), bytesPerRow: rows.stride * 3)
      }
      try writer.finish()
    } catch { throw JobFailure(error) }
    let size = Int(lseek(fileno(file), 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: max(0, size))
    guard bytes.withUnsafeMutableBytes({ pread(fileno(file), $0.baseAddress, size, 0) }) == size else {
      throw JobFailure(.ioError, "a temporary file cannot be read: \(String(cString: strerror(errno)))")
    }
    return "data:image/\(isPNG ? "png" : "jpeg");base64,\(Data(bytes).base64EncodedString())"
  }
}
