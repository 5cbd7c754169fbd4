import Glibc
import ImageCore
import PhotoFiles
import Testing

@Suite struct DamageTests {
  static let size = PixelSize(width: 97, height: 83)

  private func spec(_ container: PictureContainer, _ compression: TIFFCompression) -> PictureSpec {
    PictureSpec(
      size: Self.size, format: container.smallFormat, container: container, tiffCompression: compression)
  }

  @Test(
    "A truncated file is an error at every length", arguments: PictureContainer.allCases,
    [TIFFCompression.none, .deflate])
  func truncated(container: PictureContainer, compression: TIFFCompression) throws {
    let spec = spec(container, compression)
    let whole = try write(testPixels(Self.size, spec.format), spec).contents
    for length in Array(stride(from: 0, to: whole.count - 1, by: max(1, whole.count / 150))) + [whole.count - 1] {
      let file = ScratchFile(Array(whole.prefix(length)))
      let error = #expect(throws: PhotoFileError.self, "\(length) of \(whole.count)") { try readAll(file) }
      #expect(error?.category == .badData, "\(length) of \(whole.count): \(String(describing: error))")
    }
  }

  @Test("Wrong bytes never crash", arguments: PictureContainer.allCases, [TIFFCompression.none, .deflate])
  func corrupted(container: PictureContainer, compression: TIFFCompression) throws {
    let spec = spec(container, compression)
    let whole = try write(testPixels(Self.size, spec.format), spec).contents
    let interesting = container == .tiff ? Array((whole.count - 300)..<whole.count) : Array(0..<300)
    for position in interesting {
      for value: UInt8 in [0, 0x7F, 0xFF] {
        var bytes = whole
        bytes[position] = value
        _ = try? readAll(ScratchFile(bytes))
      }
    }
  }

  @Test("A missing file, a directory and a stranger are told apart")
  func opening() {
    let missing = #expect(throws: PhotoFileError.self) { try PictureReader(path: Array("/nonexistent/\u{E9}".utf8)) }
    #expect(missing?.category == .missing)
    let directory = #expect(throws: PhotoFileError.self) { try PictureReader(path: Array("/".utf8)) }
    #expect(directory?.category == .io(EISDIR))
    let file = ScratchFile(Array("hello, world".utf8))
    let stranger = #expect(throws: PhotoFileError.self) { try reader(of: file) }
    #expect(stranger?.category == .badData)
  }

  @Test("A header that claims more than the file can hold is refused before memory is taken")
  func bomb() throws {
    let size = PixelSize(width: 30_000, height: 30_000)
    var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
    let header = Array("IHDR".utf8) + [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30, 8, 2, 0, 0, 0]
    png += header + bigEndian(crc(header)) + [0, 0, 0, 0] + Array("IDAT".utf8) + bigEndian(crc(Array("IDAT".utf8)))
    let error = #expect(throws: PhotoFileError.self) { try reader(of: ScratchFile(png)) }
    guard case .implausibleSize(.png, size, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("A full disk comes out as ENOSPC", arguments: PictureContainer.allCases)
  func diskFull(container: PictureContainer) throws {
    // /dev/full takes nothing; seeks succeed.
    let descriptor = open("/dev/full", O_RDWR)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let spec = spec(container, .none)
    let pixels = testPixels(Self.size, spec.format)
    let error = #expect(throws: PhotoFileError.self) {
      let writer = try PictureWriter(fileDescriptor: descriptor, spec: spec)
      try writer.write(rows: Self.size.height, from: pixels, bytesPerRow: Self.size.width * spec.format.bytesPerPixel)
      try writer.finish()
    }
    #expect(error?.category == .io(ENOSPC))
  }

  private func bigEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  /// CRC-32 as PNG uses it.
  private func crc(_ bytes: [UInt8]) -> UInt32 {
    var value: UInt32 = .max
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }
    return ~value
  }
}
