import ImageCore
import PhotoFiles
import Testing

@Suite struct RoundTripTests {
  static let sizes = [(1, 1), (3, 2), (17, 5), (1, 70), (641, 133)].map { PixelSize(width: $0.0, height: $0.1) }

  @Test("TIFF keeps every sample", arguments: sizes, [TIFFCompression.none, .deflate])
  func tiff(size: PixelSize, compression: TIFFCompression) throws {
    for sample in SampleType.allCases {
      for channels in ChannelLayout.allCases {
        let format = PixelFormat(channels, sample)
        let pixels = testPixels(size, format)
        let spec = PictureSpec(
          size: size, format: format, container: .tiff, tiffCompression: compression, orientation: .left)
        let (reader, found) = try readAll(write(pixels, spec))
        #expect(reader.container == .tiff && reader.size == size && reader.format == format)
        #expect(reader.orientation == .left)
        #expect(reader.isRandomAccess == (compression == .none))
        #expect(found == pixels, "\(format) \(size)")
      }
    }
  }

  @Test("PNG keeps every sample", arguments: sizes)
  func png(size: PixelSize) throws {
    for sample in [SampleType.uint8, .uint16] {
      for channels in ChannelLayout.allCases {
        let format = PixelFormat(channels, sample)
        let pixels = testPixels(size, format)
        let spec = PictureSpec(size: size, format: format, container: .png, orientation: .rightMirrored)
        let (reader, found) = try readAll(write(pixels, spec))
        #expect(reader.container == .png && reader.size == size && reader.format == format)
        #expect(reader.orientation == .rightMirrored)
        #expect(found == pixels, "\(format) \(size)")
      }
    }
  }

  @Test("JPEG stays close", arguments: sizes, JPEGQuality.ChromaSubsampling.allCases)
  func jpeg(size: PixelSize, chroma: JPEGQuality.ChromaSubsampling) throws {
    for channels in [ChannelLayout.grey, .rgb] {
      let format = PixelFormat(channels, .uint8)
      let pixels = (0..<size.area).flatMap { index in
        [UInt8](repeating: UInt8((index % size.width) * 200 / size.width + 20), count: channels.count)
      }
      let spec = PictureSpec(
        size: size, format: format, container: .jpeg, jpeg: JPEGQuality(quality: 95, chroma: chroma),
        orientation: .down)
      let (reader, found) = try readAll(write(pixels, spec))
      #expect(reader.container == .jpeg && reader.size == size && reader.format == format)
      #expect(reader.orientation == .down)
      let worst = zip(pixels, found).map { abs(Int($0) - Int($1)) }.max() ?? 0
      #expect(worst <= 3, "\(format) \(size)")
    }
  }

  @Test("The same picture gives the same bytes, whatever the pieces", arguments: PictureContainer.allCases)
  func deterministic(container: PictureContainer) throws {
    let size = PixelSize(width: 321, height: 201)
    let format = container.smallFormat
    var spec = PictureSpec(size: size, format: format, container: container, tiffCompression: .deflate)
    spec.metadata.icc = ICCProfile.bytes(for: .displayP3, linear: false)
    let pixels = testPixels(size, format)
    let first = try write(pixels, spec, piece: 1).contents
    #expect(try write(pixels, spec, piece: 64).contents == first)
    #expect(try write(pixels, spec, piece: 1000).contents == first)
  }

  @Test("Any part of an uncompressed TIFF can be read by itself")
  func parts() throws {
    let size = PixelSize(width: 101, height: 203)
    let format = PixelFormat(.rgb, .uint16)
    let pixels = testPixels(size, format)
    let file = try reader(
      of: write(pixels, PictureSpec(size: size, format: format, container: .tiff)))
    for rect in [
      PixelRect(size), PixelRect(x: 3, y: 60, width: 90, height: 70), PixelRect(x: 100, y: 202, width: 1, height: 1),
    ] {
      let rowBytes = rect.width * 6
      var part = [UInt8](repeating: 0, count: rowBytes * rect.height)
      try part.withUnsafeMutableBytes { try file.read(rect, into: $0.baseAddress!, bytesPerRow: rowBytes) }
      let expected = rect.rows.flatMap { y in pixels[(y * 101 + rect.x) * 6..<(y * 101 + rect.x + rect.width) * 6] }
      #expect(part == expected)
    }
  }

  @Test("What a container cannot hold is refused")
  func refused() {
    let size = PixelSize(width: 4, height: 4)
    let wrong: [(PixelFormat, PictureContainer)] = [
      (PixelFormat(.rgb, .uint16), .jpeg), (PixelFormat(.rgba, .uint8), .jpeg), (PixelFormat(.rgb, .float32), .png),
    ]
    for (format, container) in wrong {
      let file = ScratchFile()
      #expect(throws: PhotoFileError.self) {
        try PictureWriter(
          fileDescriptor: file.descriptor, spec: PictureSpec(size: size, format: format, container: container))
      }
    }
  }
}
