import Glibc
import ImageCore
import PhotoFiles
import Testing

/// The cost of a 48-megapixel picture; only when DUO_REAL_DATA is set, as it needs 300 MB of disk.
@Suite(.serialized, .enabled(if: getenv("DUO_REAL_DATA") != nil)) struct SpeedTests {
  private func cpuSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test("A 290 MB TIFF is written and read in a fraction of a second")
  func tiff() throws {
    let size = PixelSize(width: 8000, height: 6000)
    let format = PixelFormat(.rgb, .uint16)
    let rowBytes = size.width * format.bytesPerPixel
    let band = [UInt8](repeating: 0x5A, count: rowBytes * 64)
    let file = ScratchFile()
    let start = cpuSeconds()
    let writer = try PictureWriter(
      fileDescriptor: file.descriptor, spec: PictureSpec(size: size, format: format, container: .tiff))
    for y in stride(from: 0, to: size.height, by: 64) {
      try writer.write(rows: min(64, size.height - y), from: band, bytesPerRow: rowBytes)
    }
    try writer.finish()
    let written = cpuSeconds()
    let reader = try PictureReader(path: file.path)
    var target = [UInt8](repeating: 0, count: rowBytes * 64)
    for y in stride(from: 0, to: size.height, by: 64) {
      try reader.read(rows: min(64, size.height - y), into: &target, bytesPerRow: rowBytes)
    }
    print("290 MB TIFF: write \(written - start) s, read \(cpuSeconds() - written) s of CPU")
    #expect(written - start < 1)
    withExtendedLifetime(file) {}
  }

  @Test("Files by other programs", .enabled(if: getenv("DUO_FOREIGN") != nil))
  func foreign() throws {
    let list = String(cString: getenv("DUO_FOREIGN")).split(separator: ":")
    for name in list {
      let (metadata, _) = PictureMetadata.read(
        fromFile: Array(name.utf8), for: PixelSize(width: 1, height: 1), orientation: .up)
      #expect(metadata.exif.count <= 65_527)
      do {
        let (reader, pixels) = try readAll(Array(name.utf8))
        var sum: UInt64 = 0
        for byte in pixels { sum = sum &* 31 &+ UInt64(byte) }
        print("FOREIGN \(name) \(reader.size) \(reader.format) random \(reader.isRandomAccess) \(sum)")
      } catch { print("FOREIGN \(name) \(error)") }
    }
  }
}
