import ImageCore
import Testing

@testable import Pipeline

/// The largest picture that is asked for.
@Suite struct PhotoDimensionsTests {
  private static let sizes = [
    (8064, 6048), (6048, 8064), (8000, 4500), (4032, 3024), (4400, 3000), (301, 7), (1, 1), (16384, 12288),
  ].map { PixelSize(width: $0.0, height: $0.1) }

  @Test("Frames are never exceeded and are touched by what is scaled", arguments: sizes)
  func frames(found: PixelSize) throws {
    for (long, short) in [(4032, 3024), (3000, 3000), (100, 50), (17, 1)] {
      let landscape = try #require(PhotoDimensions("\(long)x\(short)"))
      let limit = landscape.limit(of: found)
      #expect(limit == PhotoDimensions("\(short)x\(long)")?.limit(of: found), "\(found) in a turned frame")
      let size = limit ?? found
      let (longer, shorter) = (max(size.width, size.height), min(size.width, size.height))
      #expect(longer <= long && shorter <= short, "\(found) in \(landscape): \(size)")
      if limit != nil { #expect(longer == long || shorter == short, "\(found) in \(landscape): \(size)") }
    }
  }

  @Test("Names are numbers of pixels, nothing is enlarged", arguments: sizes)
  func names(found: PixelSize) throws {
    for (name, area) in [("12MP", 4032 * 3024), ("24mp", 5712 * 4284), ("48MP", 8064 * 6048)] {
      let limit = try #require(PhotoDimensions(name)).limit(of: found)
      guard Double(found.area) > 1.1 * Double(area) else {
        #expect(limit == nil, "\(found) at \(name)")
        continue
      }
      let share = Double(try #require(limit).area) / Double(area)
      #expect(abs(share - 1) < 0.001, "\(found) at \(name): \(share)")
    }
    #expect(PhotoDimensions("Full")?.limit(of: found) == nil)
  }
}
