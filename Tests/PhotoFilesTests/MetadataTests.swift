import Glibc
import ImageCore
@testable import PhotoFiles
import Testing

@Suite struct MetadataTests {
  static let size = PixelSize(width: 40, height: 30)

  private func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
    little(tag, 2) + little(type, 2) + little(count, 4) + value + [UInt8](repeating: 0, count: 4 - value.count)
  }

  /// IFD0 (Make, Orientation 6, pointers), an EXIF directory (ISO 400) and a GPS directory (latitude reference N).
  private var exif: [UInt8] {
    let exifOffset = 8 + 2 + 4 * 12 + 4
    let gpsOffset = exifOffset + 2 + 12 + 4
    var bytes: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    bytes += little(4, 2) + entry(0x010F, 2, 4, Array("Duo\0".utf8)) + entry(0x0112, 3, 1, [6, 0])
    bytes += entry(0x8769, 4, 1, little(exifOffset, 4)) + entry(0x8825, 4, 1, little(gpsOffset, 4)) + little(0, 4)
    bytes += little(1, 2) + entry(0x8827, 3, 1, little(400, 2)) + little(0, 4)
    bytes += little(1, 2) + entry(0x0001, 2, 2, Array("N\0".utf8)) + little(0, 4)
    return bytes
  }

  private let xmp = Array(
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
    <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>
    """.utf8)

  private func written(_ container: PictureContainer, _ metadata: PictureMetadata) throws -> ScratchFile {
    let format = PixelFormat(.rgb, .uint8)
    let spec = PictureSpec(size: Self.size, format: format, container: container, metadata: metadata)
    return try write(testPixels(Self.size, format), spec)
  }

  private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    bytes.indices.contains { bytes[$0...].starts(with: part) }
  }

  @Test(
    "EXIF, GPS, XMP and ICC survive two generations", arguments: PictureContainer.withMetadata,
    PictureContainer.withMetadata)
  func survives(first: PictureContainer, second: PictureContainer) throws {
    let profile = ICCProfile.bytes(for: .displayP3, linear: false)
    var metadata = PictureMetadata(exif: exif, xmp: xmp, icc: profile)
    for container in [first, second] {
      let file = try written(container, metadata)
      let (found, warning) = PictureMetadata.read(file, for: Self.size)
      #expect(warning == nil)
      #expect(try reader(of: file).iccProfile == profile)
      #expect(try reader(of: file).orientation == .up)
      #expect(contains(found.exif, Array("Duo\0".utf8)))
      #expect(contains(found.exif, entry(0x8827, 3, 1, little(400, 2))))
      #expect(contains(found.exif, entry(0x0001, 2, 2, Array("N\0".utf8))))
      #expect(contains(found.exif, entry(0x0112, 3, 1, [1, 0])))
      #expect(contains(found.exif, entry(0xA002, 4, 1, little(40, 4))))
      #expect(contains(found.xmp, Array("xmp:Rating=\"4\"".utf8)))
      metadata = found
      metadata.icc = profile
    }
  }

  @Test("A TIFF beyond 4 GB is a BigTIFF with the same metadata")
  func bigTIFF() throws {
    let format = PixelFormat(.rgb, .uint8)
    let metadata = PictureMetadata(exif: exif, xmp: xmp, icc: ICCProfile.bytes(for: .sRGB, linear: false))
    let spec = PictureSpec(size: Self.size, format: format, container: .tiff, metadata: metadata)
    let file = ScratchFile()
    let pixels = testPixels(Self.size, format)
    let encoder = try TIFFEncoder(file.descriptor, spec, classicLimit: 0)
    try encoder.write(rows: Self.size.height, from: pixels, bytesPerRow: Self.size.width * 3)
    try encoder.finish()
    let whole = file.contents
    let bigTIFF: UInt8 = 43
    #expect(whole[2] == bigTIFF)
    #expect(try readAll(file).pixels == pixels)
    // The EXIF directory is the first thing after the header of 16 bytes: one entry, ISO as a SHORT, value 400.
    let directory = little(1, 8) + little(0x8827, 2) + little(3, 2) + little(1, 8) + little(400, 8)
    #expect(whole[16...].starts(with: directory))
    #expect(contains(whole, xmp))
    if let keep = getenv("DUO_KEEP") {
      let copy = open(String(cString: keep) + "/big.tiff", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
      #expect(Glibc.write(copy, whole, whole.count) == whole.count)
      close(copy)
    }
  }

  @Test("A maker note whose offsets count from the file's start stays at its place", arguments: [false, true])
  func makerNote(bigTIFF: Bool) throws {
    let noteOffset = 8 + 2 + 12 + 4 + 2 + 12 + 4
    let note = (0..<101).map { UInt8($0) }
    var block: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    block += little(1, 2) + entry(0x8769, 4, 1, little(8 + 2 + 12 + 4, 4)) + little(0, 4)
    block += little(1, 2) + entry(0x927C, 7, note.count, little(noteOffset, 4)) + little(0, 4) + note
    let format = PixelFormat(.rgb, .uint8)
    let spec = PictureSpec(
      size: Self.size, format: format, container: .tiff, metadata: PictureMetadata(exif: block))
    let file = ScratchFile()
    let pixels = testPixels(Self.size, format)
    let encoder = try TIFFEncoder(file.descriptor, spec, classicLimit: bigTIFF ? 0 : TIFFEncoder.classicLimit)
    try encoder.write(rows: Self.size.height, from: pixels, bytesPerRow: Self.size.width * 3)
    try encoder.finish()
    let whole = file.contents
    #expect(Array(whole[noteOffset..<noteOffset + note.count]) == note)
    let word = bigTIFF ? 8 : 4
    #expect(contains(whole, little(0x927C, 2) + little(7, 2) + little(note.count, word) + little(noteOffset, word)))
    #expect(try readAll(file).pixels == pixels)
  }

  @Test("Metadata that one JPEG segment cannot hold lose their large parts, with a warning")
  func tooLarge() throws {
    let comment = [UInt8](repeating: 0x41, count: 70_000)
    let exifOffset = 8 + 2 + 2 * 12 + 4
    let valueOffset = exifOffset + 2 + 2 * 12 + 4
    var block: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    block += little(2, 2) + entry(0x010F, 2, 4, Array("Duo\0".utf8)) + entry(0x8769, 4, 1, little(exifOffset, 4))
    block += little(0, 4) + little(2, 2) + entry(0x8827, 3, 1, little(400, 2))
    block += entry(0x9286, 7, comment.count, little(valueOffset, 4)) + little(0, 4) + comment
    let large = Array(
      String(decoding: xmp, as: UTF8.self)
        .replacing("xmp:Rating=\"4\"", with: "xmp:Label=\"" + String(repeating: "B", count: 70_000) + "\"").utf8)
    let source = try written(.tiff, PictureMetadata(exif: block, xmp: large))
    let (found, warning) = PictureMetadata.read(source, for: Self.size)
    #expect(warning != nil)
    #expect(contains(found.exif, entry(0x8827, 3, 1, little(400, 2))), "small fields are kept")
    #expect(!contains(found.exif, [UInt8](repeating: 0x41, count: 100)))
    let jpeg = try written(.jpeg, found)
    #expect(PictureMetadata.read(jpeg, for: Self.size).warning == nil)
    #expect(try readAll(jpeg).reader.size == Self.size)
    // Handed over as they are, they are left out rather than torn.
    #expect(try readAll(written(.jpeg, PictureMetadata(exif: block, xmp: large))).reader.size == Self.size)
  }

  @Test("Unreadable metadata is a warning")
  func unreadable() {
    let file = ScratchFile(Array("nothing of the kind".utf8))
    let (found, warning) = PictureMetadata.read(file, for: Self.size)
    #expect(found == PictureMetadata())
    #expect(warning != nil)
  }

  @Test("Profiles are the same every time and differ between spaces")
  func profiles() {
    var seen: Set<[UInt8]> = []
    for space in OutputColourSpace.allCases {
      for (linear, grey) in [(false, false), (true, false), (false, true), (true, true)] {
        let bytes = ICCProfile.bytes(for: space, linear: linear, grey: grey)
        #expect(bytes == ICCProfile.bytes(for: space, linear: linear, grey: grey))
        #expect(bytes.count > 300)
        #expect(seen.insert(bytes).inserted)
      }
    }
  }
}
