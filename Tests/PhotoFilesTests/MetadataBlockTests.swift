import ImageCore
@testable import PhotoFiles
import Testing

/// Blocks that HEIF and JPEG XL keep in boxes of their own.
@Suite struct MetadataBlockTests {
  static let size = PixelSize(width: 40, height: 30)
  static let boxed: [PictureContainer] = [.heif, .jxl]

  /// IFD0 with Make and an orientation of 6.
  private let exif: [UInt8] =
    [0x49, 0x49, 42, 0, 8, 0, 0, 0, 2, 0]
    + [0x0F, 0x01, 2, 0, 4, 0, 0, 0] + Array("Duo\0".utf8)
    + [0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]
    + [0, 0, 0, 0]

  private let xmp = Array(
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
    <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>
    """.utf8)

  private func picture(_ container: PictureContainer, orientation: Orientation = .up) throws -> [UInt8] {
    let format = PixelFormat(.rgb, .uint8)
    let spec = PictureSpec(
      size: Self.size, format: format, container: container, metadata: PictureMetadata(exif: exif, xmp: xmp),
      orientation: orientation)
    return try write(testPixels(Self.size, format), spec).contents
  }

  private func index(of part: [UInt8], in bytes: [UInt8]) throws -> Int {
    try #require(bytes.indices.first { bytes[$0...].starts(with: part) })
  }

  private func blocks(_ bytes: [UInt8]) throws -> MetadataBlocks {
    let file = ScratchFile(bytes)
    defer { withExtendedLifetime(file) {} }
    return try #require(MetadataBlocks(path: file.path))
  }

  @Test("Blocks lie in the file as they were handed over", arguments: boxed)
  func verbatim(container: PictureContainer) throws {
    let found = try blocks(picture(container))
    #expect(found.exif == EXIFBlob.setting(.up, in: exif))
    #expect(found.xmp == xmp)
    #expect(found.warning == nil)
  }

  @Test("HEIF says its orientation once: as a property of the picture", arguments: [Orientation.left, .down])
  func orientedOnce(orientation: Orientation) throws {
    let bytes = try picture(.heif, orientation: orientation)
    #expect(EXIFBlob(try blocks(bytes).exif)?.orientation == .up)
    #expect(try reader(of: ScratchFile(bytes)).orientation == .up)
    // What comes of a file whose EXIF speaks of a rotation that its properties did already.
    var lying = bytes
    let entry = try index(of: [0x12, 0x01, 3, 0, 1, 0, 0, 0, 1, 0], in: bytes)
    lying[entry + 8] = 6
    let (found, warning) = PictureMetadata.read(ScratchFile(lying), for: Self.size)
    #expect(EXIFBlob(found.exif)?.orientation == .up)
    #expect(warning == nil)
  }

  @Test("A damaged block is left out with a warning; the other and the picture stay", arguments: boxed)
  func damaged(container: PictureContainer) throws {
    let whole = try picture(container)
    let parts: [(name: String, part: [UInt8])] = [
      ("EXIF", Array(exif.prefix(8))), ("XMP", Array("<x:xmpmeta".utf8)),
    ]
    for (name, part) in parts {
      var bytes = whole
      let place = try index(of: part, in: whole)
      bytes.replaceSubrange(place..<place + part.count, with: [UInt8](repeating: 0x3C, count: part.count))
      let (found, warning) = PictureMetadata.read(ScratchFile(bytes), for: Self.size)
      #expect(warning != nil, "\(name)")
      #expect(found.exif.isEmpty == (name == "EXIF"), "\(name)")
      #expect(found.xmp.isEmpty == (name == "XMP"), "\(name)")
      #expect(try readAll(ScratchFile(bytes)).reader.size == Self.size, "\(name)")
    }
  }

  @Test("Packed boxes of JPEG XL are unpacked")
  func packed() throws {
    let whole = try picture(.jxl)
    let start = try index(of: Array("xml ".utf8) + xmp, in: whole) - 4
    // Brotli (RFC 7932, clause 9.2): a window of 16 bits, one meta-block of bytes as they are, an empty last one.
    let head = UInt32(xmp.count - 1) << 4 | 1 << 20
    let stream = (0..<3).map { UInt8(truncatingIfNeeded: head >> (8 * $0)) } + xmp + [3]
    let contents = Array("brobxml ".utf8) + stream
    let length = (0..<4).map { UInt8(truncatingIfNeeded: (contents.count + 4) >> (24 - 8 * $0)) }
    var bytes = whole
    bytes.replaceSubrange(start..<start + 8 + xmp.count, with: length + contents)
    let found = try blocks(bytes)
    #expect(found.xmp == xmp && found.warning == nil)
    #expect(found.exif == EXIFBlob.setting(.up, in: exif))
    // A stream that breaks off.
    bytes[start + 12] ^= 0xFF
    let (rest, warning) = PictureMetadata.read(ScratchFile(bytes), for: Self.size)
    #expect(rest.xmp.isEmpty && !rest.exif.isEmpty && warning != nil)
    #expect(try readAll(ScratchFile(bytes)).reader.size == Self.size)
  }

  @Test("An item that is not where HEIF says is left out with a warning, and the picture stays")
  func misplaced() throws {
    let whole = try picture(.heif)
    let lengthBytes = 4
    for start in [try index(of: exif.prefix(8) + [2, 0], in: whole) - lengthBytes, try index(of: xmp, in: whole)] {
      let location = (0..<4).map { UInt8(truncatingIfNeeded: start >> (24 - 8 * $0)) }
      var bytes = whole
      bytes[try index(of: location, in: whole)] = 0x7F
      let (found, warning) = PictureMetadata.read(ScratchFile(bytes), for: Self.size)
      #expect(warning != nil && found.exif.isEmpty, "at \(start)")
      let (_, pixels) = try readAll(ScratchFile(bytes))
      #expect(pixels == (try readAll(ScratchFile(whole)).pixels), "at \(start)")
    }
  }

  @Test("Where the four bytes in front of a TIFF structure point, and where not")
  func offsets() {
    let signature = EXIFBlob.jpegSignature
    #expect(MetadataBlocks.structure(inItem: [0, 0, 0, 0] + exif) == exif)
    #expect(MetadataBlocks.structure(inItem: [0, 0, 0, 6] + signature + exif) == exif)
    #expect(MetadataBlocks.structure(inItem: [0, 0, 0, 0] + signature + exif) == exif)
    #expect(MetadataBlocks.structure(inItem: [0, 0, 0, 3, 9, 9, 9] + exif) == exif)
    for lie: [UInt8] in [[], [0], [0, 0, 0, 0], [0, 0, 0, 1] + exif, [0xFF, 0xFF, 0xFF, 0xFF] + exif, exif] {
      #expect(MetadataBlocks.structure(inItem: lie) == nil, "\(lie.prefix(8))")
    }
  }

  @Test("Wrong bytes and lost ends never crash the readers of blocks", arguments: boxed)
  func hostile(container: PictureContainer) throws {
    let whole = try picture(container)
    let headBytes = min(900, whole.count)
    for position in 0..<headBytes {
      var bytes = whole
      bytes[position] ^= 0xFF
      let (found, _) = PictureMetadata.read(ScratchFile(bytes), for: Self.size)
      #expect(found.exif.count <= PictureMetadata.exifLimit)
    }
    for length in stride(from: 12, to: whole.count, by: 37) {
      let (found, _) = PictureMetadata.read(ScratchFile(Array(whole.prefix(length))), for: Self.size)
      #expect(found.exif.count <= PictureMetadata.exifLimit)
    }
  }
}
