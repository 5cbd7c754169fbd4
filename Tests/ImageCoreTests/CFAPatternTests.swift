import ImageCore
import Testing

@Suite("Colour filter arrays as data")
struct CFAPatternTests {
  static let clustered = [("quad", 2), ("nona", 3), ("hexadeca", 4)]

  @Test(arguments: clustered)
  func everyOriginHasANameThatReadsBack(prefix: String, side: Int) throws {
    let cell = try #require(CFAPattern(named: "\(prefix)-rggb"))
    var names: Set<String> = []
    for y in 0..<2 * side {
      for x in 0..<2 * side {
        let moved = cell.shifted(dx: x, dy: y)
        #expect(CFAPattern(named: "\(prefix)-rggb+\(x),\(y)") == moved)
        #expect(CFAPattern(named: moved.description) == moved, "\(moved)")
        #expect(CFAPattern(named: moved.description.uppercased()) == moved, "\(moved)")
        names.insert(moved.description)
      }
    }
    #expect(names.count == 4 * side * side)
  }

  @Test func namesArePlain() {
    let names = ["quad-rggb+2,3": "quad-BGGR+0,1", "quad-rggb+2,0": "quad-GRBG", "quad-rggb+0,0": "quad-RGGB"]
    for (given, printed) in names { #expect(CFAPattern(named: given)?.description == printed) }
    #expect(CFAPattern(named: "rggb+1,0")?.description == "GRBG")
    #expect(CFAPattern(named: "xtrans+2,1")?.description == "xtrans+2,1")
    #expect(CFAPattern(named: "gmcy")?.description == "GMCY")
  }

  @Test(arguments: [
    "", "rgg", "rggbb", "quad-", "quad-rggb+", "quad-rggb+4,0", "quad-rggb+0,-1", "quad-rggb+1", "quad-rggb+1,1,1",
    "quad-rggb+1,1+1,1", "octa-rggb", "quad-xtrans", "rggb+2,0", "quad-rgxb",
  ])
  func otherTextsAreNoNames(text: String) { #expect(CFAPattern(named: text) == nil) }

  @Test(arguments: Orientation.allCases, clustered)
  func clusterPatternsFollowCropsAndTurns(orientation: Orientation, kind: (String, Int)) throws {
    // The mosaic whose samples are its own colours: samples and pattern must agree wherever the pixels go.
    let size = PixelSize(width: 29, height: 23)
    let cell = try #require(CFAPattern(named: "\(kind.0)-rggb"))
    for y in 0..<2 * kind.1 {
      for x in 0..<2 * kind.1 {
        let pattern = cell.shifted(dx: x, dy: y)
        let colours = Image<UInt16>(size) { UInt16(pattern[$0, $1].rawValue) }
        let rect = PixelRect(x: 3, y: 5, width: 17, height: 14)
        let moved = colours.cropped(to: rect).oriented(orientation)
        let cropped = pattern.shifted(dx: rect.x, dy: rect.y).oriented(orientation, of: rect.size)
        let expected = Image<UInt16>(moved.size) { UInt16(cropped[$0, $1].rawValue) }
        #expect(moved == expected, "\(pattern) under \(orientation)")
        #expect(cropped.clusters?.side == kind.1 && cropped.clusters?.pattern == cropped, "\(cropped)")
      }
    }
  }

  @Test func clustersAreFoundWhereTheyAre() throws {
    let clusters = try #require(CFAPattern(named: "quad-rggb+2,3")?.clusters)
    #expect(clusters.side == 2 && clusters.originX == 0 && clusters.originY == 1)
    #expect(clusters.cell.description == "GRBG")
    #expect(clusters.count(in: PixelSize(width: 9, height: 9)) == PixelSize(width: 4, height: 4))
    #expect(CFAPattern.rggb.clusters?.side == 1)
    #expect(CFAPattern.xTrans.clusters == nil)
  }

  @Test func repeatedCellsAreReduced() throws {
    let bayer = CFAPattern(width: 4, height: 4, colours: (0..<16).map { CFAPattern.rggb[$0 % 4, $0 / 4] })
    #expect(bayer?.reduced == .rggb)
    for name in ["quad-rggb+1,2", "nona-bggr", "hexadeca-grbg+3,1", "xtrans", "gmcy"] {
      let pattern = try #require(CFAPattern(named: name))
      #expect(pattern.reduced == pattern)
    }
  }
}
