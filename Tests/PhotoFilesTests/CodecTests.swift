import ImageCore
import PhotoFiles
import Testing

/// HEIF and JPEG XL.
@Suite struct CodecTests {
  static let sizes: [PixelSize] = [(1, 1), (3, 2), (17, 5), (1, 70), (301, 133)].map {
    PixelSize(width: $0.0, height: $0.1)
  }

  /// Slopes with a little texture: what a photograph looks like to a codec.
  static func photograph(_ size: PixelSize, _ format: PixelFormat) -> [UInt8] {
    var bytes: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        for c in 0..<format.channels.count {
          let value = Float(30 + (x * 2 + y * (c + 1)) % 180 + (x * 7 + y * 13) % 5) / 255
          switch format.sample {
          case .uint8: bytes.append(UInt8(value * 255))
          case .uint16: withUnsafeBytes(of: UInt16(value * 65535)) { bytes += $0 }
          case .float32: withUnsafeBytes(of: value) { bytes += $0 }
          }
        }
      }
    }
    return bytes
  }

  /// Mean squared difference of samples, full scale 1, in decibels.
  private func psnr(_ a: [UInt8], _ b: [UInt8], _ sample: SampleType) -> Double {
    func values(_ bytes: [UInt8]) -> [Double] {
      bytes.withUnsafeBytes { raw in
        switch sample {
        case .uint8: raw.map { Double($0) / 255 }
        case .uint16: raw.bindMemory(to: UInt16.self).map { Double($0) / 65535 }
        case .float32: raw.bindMemory(to: Float.self).map { Double($0) }
        }
      }
    }
    let (x, y) = (values(a), values(b))
    let sum = zip(x, y).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    return -10 * (sum / Double(max(1, x.count)) + 1e-20).log10
  }

  @Test("JPEG XL of quality 100 keeps every integer, the profile's bytes and the orientation", arguments: sizes)
  func lossless(size: PixelSize) throws {
    for sample in [SampleType.uint8, .uint16] {
      for channels in ChannelLayout.allCases {
        let format = PixelFormat(channels, sample)
        let pixels = testPixels(size, format)
        var spec = PictureSpec(
          size: size, format: format, container: .jxl, jxl: JXLOptions(quality: 100), orientation: .left)
        if channels.count >= 3 { spec.metadata.icc = ICCProfile.bytes(for: .proPhoto, linear: false) }
        let (reader, found) = try readAll(write(pixels, spec))
        #expect(reader.container == .jxl && reader.size == size && reader.format == format)
        #expect(reader.orientation == .left)
        let isEqual = found == pixels
        #expect(isEqual, "\(format) \(size)")
        let keepsProfile = spec.metadata.icc.isEmpty || reader.iccProfile == spec.metadata.icc
        #expect(keepsProfile, "\(format) \(size): the profile changed")
      }
    }
  }

  @Test("Less quality is fewer bytes and stays close", arguments: [PictureContainer.jxl, .heif])
  func lossy(container: PictureContainer) throws {
    let size = PixelSize(width: 301, height: 133)
    for sample in [SampleType.uint8, .uint16] {
      let format = PixelFormat(.rgb, sample)
      let pixels = Self.photograph(size, format)
      var last = Int.max
      for (quality, least) in [(95, 32.0), (60, 24.0)] {
        let spec = PictureSpec(
          size: size, format: format, container: container, heif: HEIFOptions(quality: quality, bits: 10),
          jxl: JXLOptions(quality: quality), space: .sRGB)
        let file = try write(pixels, spec)
        let bytes = file.contents.count
        let (reader, found) = try readAll(file)
        #expect(reader.size == size && reader.format == format)
        let dB = psnr(found, pixels, sample)
        #expect(dB > least, "\(format) at quality \(quality)")
        #expect(bytes < last, "\(format) at quality \(quality)")
        last = bytes
      }
    }
  }

  @Test("HEIF of any size has that size, with and without colour and alpha", arguments: sizes)
  func everySize(size: PixelSize) throws {
    for (channels, bits) in [(ChannelLayout.grey, 8), (.rgb, 8), (.rgb, 12), (.rgba, 8)] {
      for chroma in JPEGQuality.ChromaSubsampling.allCases {
        let format = PixelFormat(channels, bits == 8 ? .uint8 : .uint16)
        var spec = PictureSpec(
          size: size, format: format, container: .heif, heif: HEIFOptions(quality: 90, chroma: chroma, bits: bits))
        if channels != .grey { spec.metadata.icc = ICCProfile.bytes(for: .displayP3, linear: false) }
        let reader = try readAll(write(Self.photograph(size, format), spec)).reader
        #expect(reader.size == size, "\(format)")
        #expect(reader.format == PixelFormat(channels == .rgba ? .rgba : .rgb, format.sample))
        let keepsProfile = spec.metadata.icc.isEmpty || reader.iccProfile == spec.metadata.icc
        #expect(keepsProfile, "\(format) \(size): the profile changed")
      }
    }
  }

  @Test("HEIF turns pixels itself: what is read is upright", arguments: Orientation.allCases)
  func turned(orientation: Orientation) throws {
    // Left half dark, right half light, the lower left corner lightest.
    let size = PixelSize(width: 64, height: 32)
    let pixels = (0..<size.area).flatMap { index -> [UInt8] in
      let (x, y) = (index % 64, index / 64)
      return [UInt8](repeating: x < 16 && y >= 16 ? 250 : x < 32 ? 40 : 150, count: 3)
    }
    let spec = PictureSpec(
      size: size, format: PixelFormat(.rgb, .uint8), container: .heif, heif: HEIFOptions(quality: 95),
      orientation: orientation)
    let (reader, found) = try readAll(write(pixels, spec))
    #expect(reader.size == orientation.applied(to: size) && reader.orientation == .up)
    for place in [(4, 4), (4, 28), (24, 10), (60, 5)] {
      let (x, y) = place
      let there = (0..<reader.size.area).first { index in
        let source = orientation.source(x: index % reader.size.width, y: index / reader.size.width, in: size)
        return source.x == x && source.y == y
      }
      let value = try #require(there.map { Int(found[$0 * 3]) })
      #expect(abs(value - Int(pixels[(y * 64 + x) * 3])) < 8, "\(orientation) at \(place)")
    }
  }

  @Test("Bytes do not depend on the number of threads", arguments: [PictureContainer.jxl, .heif])
  func threads(container: PictureContainer) throws {
    let size = PixelSize(width: 600, height: 400)
    let format = PixelFormat(.rgb, .uint8)
    let spec = PictureSpec(size: size, format: format, container: container)
    let pixels = Self.photograph(size, format)
    let files = try [1, 2, 5].map { count in
      let file = ScratchFile()
      let writer = try PictureWriter(fileDescriptor: file.descriptor, spec: spec, workers: Workers(count: count))
      try writer.write(rows: size.height, from: pixels, bytesPerRow: size.width * 3)
      try writer.finish()
      return file.contents
    }
    #expect(files[0].count > 100)
    #expect(files.allSatisfy { $0 == files[0] })
  }
}

extension Double {
  /// Good enough to compare decibels.
  fileprivate var log10: Double { Elementary.log2(self) / Elementary.log2(10) }
}
