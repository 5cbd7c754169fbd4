import Foundation
import ImageCore
import PhotoFiles
import TIFFTags
import TestSupport
import Testing

@testable import Pipeline

/// How many rows are moved at once is a matter of memory alone.
@Suite("Stripes")
struct StripeTests {
  private static let size = PixelSize(width: 61, height: 43)

  private let picture = Image<RGB<UInt8>>(size) { x, y in
    RGB(UInt8(truncatingIfNeeded: x * 7 + y), UInt8(truncatingIfNeeded: y * 5), UInt8(truncatingIfNeeded: x ^ y))
  }

  private func write(_ image: Image<RGB<UInt8>>, _ container: PictureContainer, to url: URL) throws {
    let descriptor = open(url.path, O_CREAT | O_RDWR, 0o600)
    defer { close(descriptor) }
    let spec = PictureSpec(size: image.size, format: PixelFormat(.rgb, .uint8), container: container)
    let writer = try PictureWriter(fileDescriptor: descriptor, spec: spec)
    try image.withRows { (rows) throws(PhotoFileError) in
      try writer.write(rows: rows.height, from: UnsafeRawPointer(rows.base), bytesPerRow: rows.stride * 3)
    }
    try writer.finish()
  }

  /// TIFF is read in any order, PNG from top to bottom.
  @Test(arguments: [PictureContainer.tiff, .png], Orientation.allCases)
  func blocksOfAnyHeightMoveTheSame(container: PictureContainer, lay: Orientation) throws {
    let folder = try TemporaryFolder()
    let source = folder.url.appendingPathComponent("in")
    try write(picture, container, to: source)
    let rect = PixelRect(x: 3, y: 2, width: 48, height: 36)
    let placement = Placement(source: rect, lay: lay, tag: .up)
    let results = try [1, 3000, 1 << 20].map { bytes in
      let target = folder.url.appendingPathComponent("out\(bytes)")
      let descriptor = open(target.path, O_CREAT | O_RDWR, 0o600)
      defer { close(descriptor) }
      let spec = PictureSpec(size: placement.size, format: PixelFormat(.rgb, .uint8), container: .tiff)
      let writer = try PictureWriter(fileDescriptor: descriptor, spec: spec)
      let mover = PictureMover(
        reader: try PictureReader(path: Array(source.path.utf8)), writer: writer, placement: placement,
        blockBytes: bytes, resources: Resources())
      try mover.run()
      try writer.finish()
      return try Data(contentsOf: target)
    }
    #expect(results[0] == results[2], "blocks of the fewest rows differ from the whole")
    #expect(results[1] == results[2], "blocks of some rows differ from the whole")
    let whole = folder.url.appendingPathComponent("whole")
    try write(picture.cropped(to: rect).oriented(lay), .tiff, to: whole)
    #expect(try Data(contentsOf: whole) == results[2], "moved rows are not the laid picture")
  }
}
