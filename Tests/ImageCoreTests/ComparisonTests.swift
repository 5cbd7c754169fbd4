import Foundation
import Testing

@testable import ImageCore

/// Pictures of noise and waves, larger than a tile, of odd sides.
enum ComparedPictures {
  static let size = PixelSize(width: 333, height: 287)

  static func value(_ x: Int, _ y: Int, _ channel: Int) -> Double {
    let hash = UInt32(truncatingIfNeeded: (x &* 73_856_093) ^ (y &* 19_349_663) ^ (channel &* 83_492_791))
    let noise = Double((hash &* 2_654_435_761) >> 16) / 65536
    let wave = sin(Double(x) / (9 + Double(channel))) * cos(Double(y) / 13)
    return 0.45 + 0.3 * wave + 0.1 * (noise - 0.5)
  }

  static func scene(gain: Double = 1, shiftX: Int = 0, offset: Double = 0, size: PixelSize = size) -> Image<
    RGB<UInt16>
  > {
    Image(size) { x, y in
      let v = (0..<3).map { UInt16(intensity: (value(x - shiftX, y, $0) * gain + offset) * 65535) }
      return RGB(v[0], v[1], v[2])
    }
  }

  static func narrowed(_ image: Image<RGB<UInt16>>) -> Image<RGB<UInt8>> {
    Image(image.size) { x, y in
      let p = image[x, y]
      return RGB(UInt8(p.red >> 8), UInt8(p.green >> 8), UInt8(p.blue >> 8))
    }
  }
}

@Suite("Comparison of pictures")
struct ComparisonTests {
  @Test func equalPicturesDoNotDiffer() throws {
    let scene = ComparedPictures.scene()
    let same = try Comparison(scene, scene)
    #expect(same.isIdentical && same.differingPixels == 0)
    #expect(same.maxAbs == Comparison.Largest(value: 0, share: 0))
    #expect(same.rmse?.all == 0 && same.psnr?.all == .infinity && same.psnrMu?.all == .infinity)
    #expect(same.ssim == 1 && same.msSSIM == Comparison.MultiScale(value: 1, scales: 5))
    #expect(same.colour == Comparison.Distribution(mean: 0, p999: 0, max: 0))
    #expect(same.flip == Comparison.Distribution(mean: 0, p999: 0, max: 0))
    #expect(same.shift == [0, 0, 0])
    #expect(try #require(same.alignment).distance < 0.01)
    #expect(ComparisonVerdict(same, within: ComparisonThresholds()).isWithin)
  }

  @Test func onlyWhatIsAskedForIsThere() throws {
    let found = try Comparison(ComparedPictures.scene(), ComparedPictures.scene(offset: 0.01), metrics: [.psnr])
    #expect(found.psnr != nil && found.maxAbs == nil && found.ssim == nil && found.colour == nil && found.flip == nil)
  }

  @Test func aKnownOffset() throws {
    let step = 655.0 / 65535
    let found = try Comparison(ComparedPictures.scene(), ComparedPictures.scene(offset: step))
    // Rounding moves samples by up to half a code.
    #expect(abs(try #require(found.maxAbs).value - 655) <= 1)
    #expect(abs(try #require(found.psnr).all - 40.0046) < 0.01)  // -20 log10(655 / 65535)
    #expect(try #require(found.shift).allSatisfy { abs($0 - step) < 1e-5 })
    #expect(found.differingPixels == ComparedPictures.size.area)
  }

  @Test func aGainOfOnePercent() throws {
    let a = ComparedPictures.scene()
    let found = try Comparison(a, ComparedPictures.scene(gain: 1.01), metrics: [.psnr])
    var square = 0.0
    for y in 0..<a.height {
      for x in 0..<a.width {
        for v in [a[x, y].red, a[x, y].green, a[x, y].blue] { square += Double(v) * Double(v) / 65535 / 65535 }
      }
    }
    let expected = 40 - 10 * log10(square / Double(3 * a.size.area))
    #expect(abs(try #require(found.psnr).all - expected) < 0.01)
  }

  @Test func theWorstSampleIsFoundInItsPlace() throws {
    let a = ComparedPictures.scene()
    var b = a
    for (x, y) in [(320, 140), (5, 200), (332, 286)] { b[x, y].green = a[x, y].green ^ 0x4000 }
    let found = try Comparison(a, b, metrics: [.maxAbs])
    #expect(
      found.maxAbs == Comparison.Largest(value: 16384, share: 16384 / 65535, x: 320, y: 140, channel: "green"))
    #expect(found.differingPixels == 3)
  }

  @Test func bitDepthsAreComparedByFullScale() throws {
    let narrow = ComparedPictures.narrowed(ComparedPictures.scene())
    let wide = Image<RGB<UInt16>>(narrow.size) { x, y in
      let p = narrow[x, y]
      return RGB(UInt16(p.red) * 257, UInt16(p.green) * 257, UInt16(p.blue) * 257)
    }
    let left = ComparedPicture(size: narrow.size, format: PixelFormat(.rgb, .uint8))
    let right = ComparedPicture(size: narrow.size, format: PixelFormat(.rgb, .uint16))
    let found = try PictureComparison(left, right)
    let result = found.run(left: TestRows(narrow), right: TestRows(wide))
    #expect(result.isIdentical && result.fullScale == 65535)
    #expect(try #require(result.colour).max < 1e-4)
  }

  @Test(arguments: [Metric.ssim, .msSSIM, .colour, .flip, .rmse, .psnrMu])
  func bothDirectionsAgree(metric: Metric) throws {
    let (a, b) = (ComparedPictures.scene(), ComparedPictures.scene(gain: 0.9, shiftX: 1))
    let (one, other) = (try Comparison(a, b, metrics: [metric]), try Comparison(b, a, metrics: [metric]))
    func values(_ c: Comparison) -> [Double] {
      [c.ssim, c.msSSIM?.value, c.colour?.mean, c.colour?.max, c.flip?.mean, c.flip?.max, c.rmse?.all, c.psnrMu?.all]
        .compactMap { $0 }
    }
    #expect(zip(values(one), values(other)).allSatisfy { abs($0 - $1) <= 1e-5 * abs($0) }, "\(one) \(other)")
    #expect(!values(one).isEmpty)
  }

  @Test(arguments: [2, 3, 7])
  func threadsDoNotMatter(count: Int) throws {
    let (a, b) = (ComparedPictures.scene(), ComparedPictures.scene(gain: 0.97, shiftX: 2))
    let serial = try Comparison(a, b)
    #expect(serial == (try Comparison(a, b, resources: Resources(workers: Workers(count: count)))))
  }

  @Test(arguments: [-3, 1, 4])
  func aShiftIsFound(pixels: Int) throws {
    let found = try Comparison(
      ComparedPictures.scene(), ComparedPictures.scene(shiftX: pixels), metrics: [.alignment])
    let alignment = try #require(found.alignment)
    #expect(abs(alignment.x - Double(pixels)) < 0.1 && abs(alignment.y) < 0.1, "\(alignment)")
  }

  @Test func whatIsNoNumberIsCounted() throws {
    let size = PixelSize(width: 70, height: 40)
    let a = Image<RGB<Float>>(size) { x, y in
      RGB(x == 3 ? .nan : 0.5, y == 7 ? .infinity : 0.25, x == 60 && y == 7 ? -.infinity : 0.75)
    }
    var b = a
    b[60, 7].blue = .infinity
    b[10, 30].red = .nan
    let same = try Comparison(a, a, encoding: .linearSRGB)
    #expect(same.nonFinite.left == 40 + 70 + 1 && same.nonFinite.mismatched == 0 && same.isIdentical)
    let found = try Comparison(a, b, encoding: .linearSRGB)
    #expect(found.nonFinite.mismatched == 2 && found.nonFinite.right == 40 + 70 + 2)
    #expect(found.maxAbs?.value == 0 && !found.isIdentical)
    #expect(!ComparisonVerdict(found, within: .invisible).isWithin)
    #expect(found.flip.map { $0.mean.isFinite } == true && found.colour.map { $0.mean.isFinite } == true)
  }

  @Test(arguments: [(1, 1), (3, 8), (11, 11), (12, 30), (257, 129), (256, 128), (700, 10)])
  func anySizeWorks(width: Int, height: Int) throws {
    let size = PixelSize(width: width, height: height)
    let (a, b) = (ComparedPictures.scene(size: size), ComparedPictures.scene(gain: 0.95, size: size))
    let found = try Comparison(a, b)
    #expect((found.ssim == nil) == (min(width, height) < 11))
    #expect(try #require(found.flip).max > 0 && found.colour!.max < 10, "\(found)")
    #expect(try Comparison(a, a).isIdentical)
  }

  /// Its filters are the same from row to row as from left to right, whatever tile a pixel lies in.
  @Test(arguments: [(37, 301), (261, 131)])
  func flipDoesNotMindTransposing(width: Int, height: Int) throws {
    let size = PixelSize(width: width, height: height)
    let pictures = [ComparedPictures.scene(size: size), ComparedPictures.scene(gain: 0.9, shiftX: 2, size: size)]
    let turned = pictures.map { picture in
      Image<RGB<UInt16>>(PixelSize(width: height, height: width)) { x, y in picture[y, x] }
    }
    let one = try #require(try Comparison(pictures[0], pictures[1], metrics: [.flip]).flip)
    let other = try #require(try Comparison(turned[0], turned[1], metrics: [.flip]).flip)
    #expect(
      abs(one.mean - other.mean) < 1e-5 * one.mean && abs(one.max - other.max) < 1e-5 * one.max, "\(one) \(other)")
  }

  @Test func whatDoesNotFitIsRefused() {
    let (a, b) = (ComparedPictures.scene(), ComparedPictures.scene(size: PixelSize(width: 20, height: 20)))
    #expect(throws: ComparisonError.sizes(a.size, b.size)) { try Comparison(a, b) }
    let grey = ComparedPicture(size: a.size, format: PixelFormat(.grey, .uint8))
    let rgb = ComparedPicture(size: a.size, format: PixelFormat(.rgb, .uint8))
    #expect(throws: ComparisonError.channels(.grey, .rgb)) { try PictureComparison(grey, rgb) }
  }

  @Test func infinityIsTextInReports() throws {
    let scene = ComparedPictures.scene(size: PixelSize(width: 40, height: 40))
    let text = String(decoding: try JSONEncoder().encode(try Comparison(scene, scene)), as: UTF8.self)
    #expect(text.contains("\"psnr\":{\"all\":\"inf\"") || text.contains("\"all\":\"inf\""), "\(text)")
    #expect(text.contains("\"identical\":true"))
  }
}

/// An image's rows for a comparison.
final class TestRows<Pixel: BitwiseCopyable & Sendable>: ComparedRows {
  private let image: Image<Pixel>
  private var next = 0

  init(_ image: Image<Pixel>) { self.image = image }

  func read(rows count: Int, into target: UnsafeMutableRawPointer, bytesPerRow: Int) {
    image.withRows { rows in
      for y in 0..<count {
        (target + y * bytesPerRow).copyMemory(
          from: rows.row(next + y), byteCount: rows.width * MemoryLayout<Pixel>.stride)
      }
    }
    next += count
  }
}
