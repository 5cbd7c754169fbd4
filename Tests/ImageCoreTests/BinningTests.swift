import ImageCore
import Testing

@Suite("Same-colour binning")
struct BinningTests {
  static let kinds = [("quad", 2), ("nona", 3), ("hexadeca", 4)]

  /// Counts without structure, around and above `white`.
  static func mosaic(_ name: String, _ size: PixelSize, white: Float = 1000, most: Int = 1010) throws -> Mosaic {
    let samples = Image<UInt16>(size) { x, y in
      UInt16((x &* 7919 &+ y &* 104_729 &+ x &* y &* 31) % most)
    }
    return Mosaic(
      samples: samples, cfa: try #require(CFAPattern(named: name)), levels: SensorLevels(black: 64, white: white))
  }

  /// The plain definition: one cluster at a time.
  static func reference(_ mosaic: Mosaic, side: Int, _ mode: BinMode) -> Image<UInt16>? {
    // The first whole cluster: where a photosite's colour differs from the one before, in either axis.
    let cfa = mosaic.cfa
    func start(_ same: (Int) -> Bool) -> Int { (0..<side).first { !same($0) } ?? 0 }
    let originX = start { x in (0..<cfa.height).allSatisfy { cfa[x - 1, $0] == cfa[x, $0] } }
    let originY = start { y in (0..<cfa.width).allSatisfy { cfa[$0, y - 1] == cfa[$0, y] } }
    let (width, height) = ((mosaic.size.width - originX) / side, (mosaic.size.height - originY) / side)
    guard width > 0, height > 0 else { return nil }
    let white = Int(mosaic.levels.white[0])
    return Image<UInt16>(PixelSize(width: width, height: height)) { x, y in
      var counts: [Int] = []
      for dy in 0..<side {
        for dx in 0..<side { counts.append(Int(mosaic.samples[originX + side * x + dx, originY + side * y + dy])) }
      }
      let n = counts.count
      let isClipped = counts.contains { $0 >= white }
      let sum = counts.reduce(0, +)
      switch mode {
      case .mean: return UInt16(isClipped ? white : (2 * sum + n) / (2 * n))
      case .sum: return UInt16(isClipped ? n * white : sum)
      }
    }
  }

  @Test(arguments: kinds, BinMode.allCases)
  func everyOriginEqualsThePlainDefinition(kind: (String, Int), mode: BinMode) throws {
    for y in 0..<2 * kind.1 {
      for x in 0..<2 * kind.1 {
        let mosaic = try Self.mosaic("\(kind.0)-rggb+\(x),\(y)", PixelSize(width: 107, height: 29))
        let binned = try ClusterBinning(mosaic, mode: mode).mosaic(resources: Resources(workers: Workers(count: 3)))
        #expect(binned.samples == Self.reference(mosaic, side: kind.1, mode), "\(mosaic.cfa)")
        // Each photosite of the result has the colour of its cluster.
        let clusters = try #require(mosaic.cfa.clusters)
        for row in 0..<2 {
          for column in 0..<2 {
            let colour = mosaic.cfa[clusters.originX + column * kind.1, clusters.originY + row * kind.1]
            #expect(binned.cfa[column, row] == colour)
          }
        }
      }
    }
  }

  @Test(arguments: [(8, 8), (9, 9), (33, 8), (64, 10), (67, 37), (130, 21)])
  func oddSizes(size: (Int, Int)) throws {
    let mosaic = try Self.mosaic("quad-grbg+1,0", PixelSize(width: size.0, height: size.1))
    let binned = try ClusterBinning(mosaic, mode: .mean).mosaic()
    #expect(binned.samples == Self.reference(mosaic, side: 2, .mean))
  }

  @Test(arguments: BinMode.allCases)
  func everyClusterNearWhiteAndNearARoundingEdge(mode: BinMode) throws {
    // All 9^4 clusters of counts 92...100 under a white of 99: every remainder, every way to clip.
    let values = 9
    let white = 99
    let clusters = values * values * values * values
    let across = 81
    let size = PixelSize(width: 2 * across, height: 2 * clusters / across)
    let samples = Image<UInt16>(size) { x, y in
      let cluster = y / 2 * across + x / 2
      let power = [1, values, values * values, values * values * values][y % 2 * 2 + x % 2]
      return UInt16(white + 1 - cluster / power % values)
    }
    let mosaic = Mosaic(
      samples: samples, cfa: CFAPattern(named: "quad-rggb")!, levels: SensorLevels(black: 0, white: Float(white)))
    let binned = try ClusterBinning(mosaic, mode: mode).mosaic()
    let expected = try #require(Self.reference(mosaic, side: 2, mode))
    for y in 0..<expected.height {
      for x in 0..<expected.width where binned.samples[x, y] != expected[x, y] {
        Issue.record("cluster (\(x), \(y)): \(binned.samples[x, y]), not \(expected[x, y])")
        return
      }
    }
  }

  @Test func largeResultsAreStreamedAndStayRight() throws {
    let (width, height, repeated) = (4200, 4101, 67)
    var mosaic = try Self.mosaic("quad-rggb+1,1", PixelSize(width: width, height: repeated))
    var samples = Image<UInt16>(PixelSize(width: width, height: height), repeating: 0)
    mosaic.samples.withRows { from in
      samples.withMutableRows { to in
        for y in 0..<height { to.row(y).update(from: from.row(y % repeated), count: width) }
      }
    }
    mosaic.samples = samples
    let binned = try ClusterBinning(mosaic, mode: .mean).mosaic(resources: Resources(workers: Workers(count: 2)))
    let corner = PixelRect(x: width - 70, y: height - 68, width: 70, height: 68)
    let part = try ClusterBinning(mosaic.cropped(to: corner), mode: .mean).mosaic()
    // Both crops cut the same clusters: the corner's first whole cluster lies a column and a row inside it.
    let rect = PixelRect(
      x: binned.size.width - part.size.width, y: binned.size.height - part.size.height, width: part.size.width,
      height: part.size.height)
    #expect(binned.samples.cropped(to: rect) == part.samples)
  }

  @Test func levelsCropAndNoiseFollow() throws {
    var mosaic = try Self.mosaic("quad-rggb+1,0", PixelSize(width: 42, height: 40), white: 4000)
    let black = BlackLevel(
      width: 4, height: 2, values: [1, 2, 3, 4, 5, 6, 7, 8].map { 60 + $0 },
      columnDeltas: (0..<42).map { Float($0) }, rowDeltas: (0..<40).map { Float(2 * $0) })
    mosaic.levels = SensorLevels(black: black, white: [4000])
    let photo = RawPhoto(
      pixels: .mosaic(mosaic), defaultCrop: PixelRect(x: 2, y: 3, width: 37, height: 33),
      noise: NoiseProfile(planes: [.init(scale: 0.04, offset: 0.0004)]), orientation: .right)
    for (mode, factor) in [(BinMode.mean, Float(1)), (.sum, 4)] {
      let binned = try photo.binned(mode)
      guard case .mosaic(let result) = binned.pixels else { throw BinningError.notMosaic }
      #expect(result.size == PixelSize(width: 20, height: 20))
      #expect(result.levels.white == [4000 * factor])
      for y in 0..<result.size.height {
        for x in 0..<result.size.width {
          let all = [(0, 0), (1, 0), (0, 1), (1, 1)].map { black.value(x: 1 + 2 * x + $0.0, y: 2 * y + $0.1) }
          let mean = all.reduce(0, +) / 4 * factor
          #expect(abs(result.levels.black.value(x: x, y: y) - mean) < 1e-3, "(\(x), \(y))")
        }
      }
      // Columns 3 ..< 39 are whole clusters inside the crop (from 1 on in twos), rows 4 ..< 36.
      #expect(binned.defaultCrop == PixelRect(x: 1, y: 2, width: 18, height: 16))
      #expect(binned.noise == NoiseProfile(planes: [.init(scale: 0.01, offset: 0.0001)]))
      #expect(binned.orientation == .right)
    }
  }

  @Test func whatCannotBeBinnedIsRefusedWithAReason() throws {
    let size = PixelSize(width: 32, height: 32)
    #expect(throws: BinningError.noClusters(.rggb)) { try ClusterBinning(try Self.mosaic("rggb", size), mode: .mean) }
    #expect(throws: BinningError.noClusters(.xTrans)) {
      try ClusterBinning(try Self.mosaic("xtrans", size), mode: .mean)
    }
    let bright = try Self.mosaic("quad-rggb", size, white: 16384)
    #expect(throws: BinningError.sumTooLarge(white: 16384, count: 4)) { try ClusterBinning(bright, mode: .sum) }
    let exact = try Self.mosaic("quad-rggb", size, white: 16383, most: 16384)
    #expect(try ClusterBinning(exact, mode: .sum).mosaic().samples == Self.reference(exact, side: 2, .sum))
    let small = PixelSize(width: 4, height: 6)
    #expect(throws: BinningError.tooSmall(small)) {
      try ClusterBinning(try Self.mosaic("quad-rggb+1,0", small), mode: .mean)
    }
  }
}
