import ImageCore
import PhotoFiles
import Testing

@Suite struct EXRTests {
  static let sizes = [(1, 1), (3, 2), (17, 16), (1, 70), (641, 133)].map { PixelSize(width: $0.0, height: $0.1) }

  /// Values that half floats hold too: eleven bits, far above and below 1.
  private func pixels(_ size: PixelSize, _ channels: Int) -> [Float] {
    (0..<size.area * channels).map { index in
      let mantissa = Float(1024 + index * 37 % 1024) / 1024
      return mantissa * Float(sign: .plus, exponent: index * 7 % 24 - 12, significand: 1)
    }
  }

  private func bytes(_ values: [Float]) -> [UInt8] { values.withUnsafeBytes { Array($0) } }

  private func floats(_ bytes: [UInt8]) -> [Float] { bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) } }

  @Test("Every sample is kept, as half where half holds it", arguments: sizes, EXROptions.Precision.allCases)
  func exact(size: PixelSize, precision: EXROptions.Precision) throws {
    for channels in ChannelLayout.allCases {
      let format = PixelFormat(channels, .float32)
      var values = pixels(size, channels.count)
      if precision == .float { values = values.map { $0 + $0 / 3 } }
      let spec = PictureSpec(
        size: size, format: format, container: .exr,
        exr: EXROptions(precision: precision, primaries: RGBPrimaries(.displayP3)))
      let (reader, found) = try readAll(write(bytes(values), spec))
      #expect(reader.container == .exr && reader.size == size && reader.format == format)
      let first = zip(floats(found), values).enumerated().first { $0.element.0 != $0.element.1 }
      #expect(first == nil, "\(format) \(size): sample \(first?.offset ?? 0)")
      #expect(reader.primaries?.space == .displayP3)
      if channels == .rgb { #expect(reader.iccProfile == ICCProfile.bytes(for: .displayP3, linear: true)) }
    }
  }

  @Test("Half floats round to nearest and stop at their largest value")
  func half() throws {
    let size = PixelSize(width: 4, height: 1)
    let values: [Float] = [1 + 1 / 4096, 1 + 3 / 4096, 1e9, -1e9]
    let spec = PictureSpec(size: size, format: PixelFormat(.grey, .float32), container: .exr)
    let found = floats(try readAll(write(bytes(values), spec)).pixels)
    #expect(found == [1, 1 + 4 / 4096, 65504, -65504])
  }

  @Test("Primaries of no known space come back, with a profile")
  func primaries() throws {
    let d60 = Chromaticity(x: 0.32168, y: 0.33767)
    let aces = RGBPrimaries(
      red: Chromaticity(x: 0.7347, y: 0.2653), green: Chromaticity(x: 0, y: 1),
      blue: Chromaticity(x: 0.0001, y: -0.077),
      white: d60)
    let size = PixelSize(width: 2, height: 2)
    let spec = PictureSpec(
      size: size, format: PixelFormat(.rgb, .float32), container: .exr, exr: EXROptions(primaries: aces))
    let (reader, _) = try readAll(write(bytes(pixels(size, 3)), spec))
    #expect(abs((reader.primaries?.blue.y ?? 0) - -0.077) < 1e-6)
    #expect(reader.primaries?.space == nil)
    #expect(!reader.iccProfile.isEmpty)
  }

  @Test("Turned pixels cannot be marked as such")
  func orientation() {
    let size = PixelSize(width: 2, height: 2)
    let spec = PictureSpec(size: size, format: PixelFormat(.rgb, .float32), container: .exr, orientation: .left)
    let error = #expect(throws: PhotoFileError.self) { try write(bytes(pixels(size, 3)), spec) }
    #expect(error?.category == .usage)
  }
}
