import CCrypto
import Glibc
import TIFFTags

/// SHA-256 of a file, so that a report pins the bytes it speaks of.
enum FileDigest {
  private static let chunk = 1 << 20

  /// Of bytes in memory.
  static func sha256(of bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
    return hexadecimal(digest)
  }

  /// Of a named file; `nil` when it cannot be read.
  static func sha256(of path: FilePath) -> String? {
    let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return sha256(of: descriptor)
  }

  private static func hexadecimal(_ digest: [UInt8]) -> String {
    digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Lower-case hexadecimal; `nil` when the file cannot be read.
  static func sha256(of descriptor: Int32) -> String? {
    guard let context = EVP_MD_CTX_new() else { return nil }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else { return nil }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 64)
    defer { buffer.deallocate() }
    var offset = 0
    while true {
      let count = pread(descriptor, buffer.baseAddress, chunk, offset)
      if count < 0 { return nil }
      if count == 0 { break }
      EVP_DigestUpdate(context, buffer.baseAddress, count)
      offset += count
    }
    return finish(context)
  }

  private static func finish(_ context: OpaquePointer) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    EVP_DigestFinal_ex(context, &digest, nil)
    return hexadecimal(digest)
  }
}
