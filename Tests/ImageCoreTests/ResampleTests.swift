import ImageCore
import Synchronization
import Testing

@Suite("Resampling, normalising, memory and workers")
struct ResampleTests {
  static let sizes = [
    PixelSize(width: 1, height: 1), PixelSize(width: 7, height: 50), PixelSize(width: 64, height: 48),
    PixelSize(width: 97, height: 31),
  ]

  @Test(arguments: sizes, sizes)
  func constantsStay(from: PixelSize, to: PixelSize) {
    let float = Image(from, repeating: RGB<Float>(0.1, 1.7, -3.3))
    #expect(float.resampled(to: to) == Image(to, repeating: RGB<Float>(0.1, 1.7, -3.3)))
    let word = Image(from, repeating: RGB<UInt16>(0, 65535, 4097))
    #expect(word.resampled(to: to) == Image(to, repeating: RGB<UInt16>(0, 65535, 4097)))
  }

  @Test func sameSizeIsIdentityAndThreadsDoNotMatter() {
    let image = Image<RGB<UInt8>>(PixelSize(width: 61, height: 45)) { x, y in
      RGB(UInt8(x * 4), UInt8(y * 5), UInt8((x * y) % 256))
    }
    #expect(image.resampled(to: image.size) == image)
    let target = PixelSize(width: 40, height: 77)
    let parallel = Resources(workers: Workers(count: 3), pool: MemoryPool())
    #expect(image.resampled(to: target) == image.resampled(to: target, resources: parallel))
  }

  @Test func shrinkingKeepsTheMean() {
    let image = Image<RGB<Float>>(PixelSize(width: 120, height: 90)) { x, y in
      let value = Float((x * 7919 + y * 104729) % 97) / 97
      return RGB(value, 1 - value, value * value)
    }
    func mean(_ image: Image<RGB<Float>>) -> Double {
      var sum = 0.0
      for y in 0..<image.height { for x in 0..<image.width { sum += Double(image[x, y].red) } }
      return sum / Double(image.size.area)
    }
    #expect(abs(mean(image.resampled(to: PixelSize(width: 30, height: 20))) - mean(image)) < 0.01)
  }

  @Test func normalisingMapsBlackToZeroAndWhiteToOne() {
    let black = BlackLevel(width: 2, height: 1, values: [100, 104], rowDeltas: [0, 1, 2])
    let levels = SensorLevels(black: black, white: [1126])
    let samples = Image<UInt16>(PixelSize(width: 6, height: 3)) { x, y in
      UInt16(black.value(x: x, y: y)) + UInt16(x * 256)
    }
    let linear = LinearMosaic(normalizing: Mosaic(samples: samples, cfa: .rggb, levels: levels))
    let expected = Image<Float>(samples.size) { x, _ in Float(x) / 4 }
    #expect(linear.plane == expected)  // 1126 - 102 = 1024: exact, and 1.25 is not clamped
  }

  @Test func imagesAreValues() {
    let original = Image<UInt16>(PixelSize(width: 9, height: 5), repeating: 3)
    var copy = original
    copy[4, 2] = 8
    #expect(original[4, 2] == 3 && copy[4, 2] == 8)
    var view = original.cropped(to: PixelRect(x: 1, y: 1, width: 3, height: 3))
    view[0, 0] = 9
    #expect(original[1, 1] == 3 && view[0, 0] == 9)
  }

  @Test func poolsReuseMemory() {
    let pool = MemoryPool()
    func address(_ image: Image<UInt8>) -> Int { image.withRows { Int(bitPattern: $0.base) } }
    let first = address(Image(uninitialized: PixelSize(width: 4000, height: 1000), in: pool))
    let second = address(Image(uninitialized: PixelSize(width: 4000, height: 1000), in: pool))
    #expect(first == second)
    #expect(first % 64 == 0)
  }

  @Test(arguments: [1, 2, 7], [0, 1, 5, 100])
  func workersVisitEachTileOnce(count: Int, tiles: Int) {
    let visits = Mutex([Int](repeating: 0, count: tiles))
    Workers(count: count).forEach(tiles: tiles) { index in visits.withLock { $0[index] += 1 } }
    #expect(visits.withLock { $0 } == [Int](repeating: 1, count: tiles))
  }
}
