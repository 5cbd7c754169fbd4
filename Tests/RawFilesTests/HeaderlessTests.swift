import ImageCore
import RawFiles
import Testing

/// Mosaics that are nothing but samples.
@Suite struct HeaderlessTests {
  static let size = PixelSize(width: 13, height: 7)

  private func reader(_ size: PixelSize = size, bits: Int) -> RawReader {
    var options = RawReadOptions()
    options.headerless = HeaderlessLayout(size: size, bits: bits, cfa: .xTrans)
    return RawReader(options: options)
  }

  private func bytes(bits: Int) -> [UInt8] {
    (0..<Self.size.area).flatMap { index -> [UInt8] in
      let value = sample(index % 13, index / 13, max: 1 << bits - 1)
      return bits == 8 ? [UInt8(value)] : [UInt8(value & 255), UInt8(value >> 8)]
    }
  }

  @Test("Every depth", arguments: 8...16)
  func depths(bits: Int) throws {
    let files = try Files()
    let photo = try reader(bits: bits).read(try files.save(bytes(bits: bits), as: "a.raw"))
    let mosaic = try #require(photo.mosaic)
    #expect(mosaic.samples == Image<UInt16>(Self.size) { sample($0, $1, max: 1 << bits - 1) })
    #expect(mosaic.cfa == .xTrans)
    #expect(mosaic.levels == SensorLevels(black: 0, white: Float(1 << bits - 1)))
  }

  @Test("What does not fit is refused")
  func misfits() throws {
    let files = try Files()
    let path = try files.save(bytes(bits: 12), as: "a.raw")
    for refusing in [
      reader(PixelSize(width: 12, height: 7), bits: 12), reader(PixelSize(width: 13, height: 8), bits: 12),
      reader(bits: 8), reader(bits: 0), reader(bits: 17), reader(PixelSize(width: 91, height: 1), bits: 12),
      reader(PixelSize(width: .max, height: .max), bits: 12),
    ] {
      #expect(refusing.refusal(of: path)?.category == .usage)
    }
    #expect(reader(bits: 12).refusal(of: files.path("none.raw")) == .missing)
    let constant = try files.save(Array(repeating: 1, count: Self.size.area * 2), as: "b.raw")
    #expect(reader(bits: 12).refusal(of: constant) == .constantPlane(value: 257))
  }
}
