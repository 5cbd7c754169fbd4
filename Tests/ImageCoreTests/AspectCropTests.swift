import ImageCore
import Testing

@Suite("Aspect crop")
struct AspectCropTests {
  static let ratios = ["1:1", "3:2", "2:3", "4:3", "16:9", "5:4", "7:3"].map { AspectRatio($0)! }

  @Test func parses() {
    #expect(AspectRatio("32:18") == AspectRatio(width: 16, height: 9))
    #expect(AspectRatio("3x2")?.description == "3:2")
    for text in ["", "16", "0:1", "1:0", "-1:1", "1:1:1", "a:b", "1:", "99999:1"] {
      #expect(AspectRatio(text) == nil)
    }
    #expect(Gravity(named: "NorthWest") == .northWest)
    #expect(Gravity(named: "centre") == .center)
    #expect(Gravity(named: "up") == nil)
  }

  @Test(arguments: ratios, Gravity.allCases)
  func largestExactAndInside(ratio: AspectRatio, gravity: Gravity) {
    for height in 1...33 {
      for width in 1...33 {
        let size = PixelSize(width: width, height: height)
        // By trial: the widest rectangle of the exact ratio.
        let widest = (1...width).last {
          $0 * ratio.height % ratio.width == 0 && $0 * ratio.height / ratio.width <= height
        }
        let rect = AspectCrop.rect(in: size, ratio: ratio, gravity: gravity)
        guard let rect, let widest else {
          #expect(rect == nil && widest == nil)
          continue
        }
        let free = (width - rect.width, height - rect.height)
        let isPlaced =
          switch gravity {
          case .northWest: (rect.x, rect.y) == (0, 0)
          case .north: (rect.x, rect.y) == (free.0 / 2, 0)
          case .northEast: (rect.x, rect.y) == (free.0, 0)
          case .west: (rect.x, rect.y) == (0, free.1 / 2)
          case .center: (rect.x, rect.y) == (free.0 / 2, free.1 / 2)
          case .east: (rect.x, rect.y) == (free.0, free.1 / 2)
          case .southWest: (rect.x, rect.y) == (0, free.1)
          case .south: (rect.x, rect.y) == (free.0 / 2, free.1)
          case .southEast: (rect.x, rect.y) == (free.0, free.1)
          }
        #expect(rect.width == widest && rect.width * ratio.height == rect.height * ratio.width && isPlaced)
      }
    }
  }

  @Test(arguments: ratios, Orientation.allCases)
  func mosaicsKeepTheirPhase(ratio: AspectRatio, orientation: Orientation) {
    for period in [2, 4, 6] {
      for stored in [PixelSize(width: 403, height: 301), PixelSize(width: 200, height: 332)] {
        let unit = PixelSize(width: period, height: period)
        for gravity in Gravity.allCases {
          let rect = AspectCrop.storedRect(
            in: stored, orientation: orientation, ratio: ratio, gravity: gravity, period: unit)!
          let shown = orientation.applied(to: rect.size)
          #expect(shown.width * ratio.height == shown.height * ratio.width)
          #expect([rect.x, rect.y, rect.width, rect.height].allSatisfy { $0 % period == 0 })
          #expect(PixelRect(stored).contains(rect))
        }
      }
    }
  }
}
