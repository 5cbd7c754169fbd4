/// Where an encoder that calls back puts its bytes: one after the other into an open file.
final class FileSink {
  private let descriptor: Int32
  private var offset = 0
  /// Why bytes could not be written; `nil` when they were.
  private(set) var failure: PhotoFileError?

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// - Returns: 0, or -1 after a failure.
  func put(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    do throws(PhotoFileError) {
      try writeAll(Array(UnsafeBufferPointer(start: bytes, count: count)), to: descriptor, at: offset)
      offset += count
      return 0
    } catch {
      failure = error
      return -1
    }
  }

  /// The sink as an encoder hands it back.
  var opaque: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static func of(_ opaque: UnsafeMutableRawPointer?) -> FileSink {
    Unmanaged<FileSink>.fromOpaque(opaque!).takeUnretainedValue()
  }
}
