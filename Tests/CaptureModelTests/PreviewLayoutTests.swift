import CaptureModel
import ImageCore
import Testing

@Suite("Preview layout")
struct PreviewLayoutTests {
  static let sizes = [(1, 1), (3, 8), (4, 3), (533, 401), (1920, 1080), (2064, 2752), (9, 16)].map {
    PixelSize(width: $0.0, height: $0.1)
  }

  @Test("Laws of the three gravities", arguments: sizes, sizes)
  func laws(picture: PixelSize, place: PixelSize) {
    let whole = PixelRect(place)
    for placement in PreviewPlacement.allCases {
      let fit = PreviewLayout(picture: picture, in: place, gravity: .aspect, placement: placement)
      #expect(whole.contains(fit.preview) && fit.visible == PixelRect(picture))
      #expect(fit.preview.width == place.width || fit.preview.height == place.height)
      let free = fit.free.map(\.size.area).reduce(0, +)
      #expect(fit.preview.size.area + free == place.area, "\(fit)")
      for rect in fit.free {
        #expect(!rect.isEmpty && whole.contains(rect) && rect.intersection(fit.preview).isEmpty, "\(fit)")
      }
      if placement != .center { #expect(fit.free.count <= 1, "controls get one area: \(fit)") }
    }
    let fill = PreviewLayout(picture: picture, in: place, gravity: .aspectFill)
    #expect(fill.preview == whole && PixelRect(picture).contains(fill.visible) && fill.free.isEmpty)
    #expect(fill.visible.width == picture.width || fill.visible.height == picture.height)
    let stretched = PreviewLayout(picture: picture, in: place, gravity: .resize)
    #expect(stretched.preview == whole && stretched.visible == PixelRect(picture) && stretched.free.isEmpty)
  }

  @Test func exactRectangles() {
    let picture = PixelSize(width: 4, height: 3)
    let place = PixelSize(width: 2000, height: 1200)
    let centred = PreviewLayout(picture: picture, in: place, gravity: .aspect)
    #expect(centred.preview == PixelRect(x: 200, y: 0, width: 1600, height: 1200))
    #expect(centred.free.map(\.width) == [200, 200])
    let offset = PreviewLayout(picture: picture, in: place, gravity: .aspect, placement: .leading)
    #expect(offset.preview == PixelRect(x: 0, y: 0, width: 1600, height: 1200))
    #expect(offset.free == [PixelRect(x: 1600, y: 0, width: 400, height: 1200)])
    let fill = PreviewLayout(picture: PixelSize(width: 4000, height: 3000), in: place, gravity: .aspectFill)
    #expect(fill.visible == PixelRect(x: 0, y: 300, width: 4000, height: 2400))
  }
}
