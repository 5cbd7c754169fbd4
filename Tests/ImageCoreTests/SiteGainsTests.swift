import ImageCore
import Synthesis
import Testing

@Suite("Gains of the photosites of a cluster")
struct SiteGainsTests {
  /// An error between -1 and 1 for each site, without mean in any cluster of 2x2.
  private static let errors: [Double] = [
    0.9, -0.7, 1, -1, 0.3, -0.5, -0.2, 0.2, 0.8, 0.2, -1, 1, -0.9, -0.1, 0.4, -0.4,
  ]

  /// The mosaic as a sensor with unequal sites would have stored it; the error grows to the right when `drifts`.
  static func disturbed(_ mosaic: Mosaic, by amount: Double, period: Int, drifts: Bool = false) -> Image<UInt16> {
    let black = Double(mosaic.levels.black.mean)
    return changed(mosaic.samples) { x, y, count in
      let error = errors[y % 4 * 4 + x % 4] * amount * (drifts ? 2 * Double(x) / Double(mosaic.size.width) - 1 : 1)
      return max(0, min(65535, (black + (Double(count) - black) * (1 + error)).rounded()))
    }
  }

  static func changed(_ image: Image<UInt16>, _ change: (Int, Int, UInt16) -> Double) -> Image<UInt16> {
    var image = image
    image.withMutableRows { rows in
      for y in 0..<rows.height {
        let row = rows.row(y)
        for x in 0..<rows.width { row[x] = UInt16(change(x, y, row[x])) }
      }
    }
    return image
  }

  /// The largest deviation of a site's mean from its cluster's mean over a part of the picture, relative to the signal.
  static func maze(_ mosaic: Mosaic, _ rect: PixelRect) throws -> Double {
    let clusters = try #require(mosaic.cfa.clusters)
    let period = 2 * clusters.side
    var sums = [Double](repeating: 0, count: period * period)
    var counts = sums
    mosaic.samples.withRows { rows in
      for y in rect.rows {
        let line = (y - clusters.originY + period) % period * period
        let row = rows.row(y)
        for x in rect.columns {
          let site = line + (x - clusters.originX + period) % period
          sums[site] += Double(row[x]) - Double(mosaic.levels.black.mean)
          counts[site] += 1
        }
      }
    }
    let means = zip(sums, counts).map { $0 / $1 }
    func cluster(_ site: Int) -> Int { site / period / clusters.side * 2 + site % period / clusters.side }
    return means.indices.map { site in
      let own = means.indices.filter { cluster($0) == cluster(site) }.map { means[$0] }
      return abs(means[site] / (own.reduce(0, +) / Double(own.count)) - 1)
    }.max() ?? 0
  }

  static func capture(
    _ scene: SceneKind, _ cfa: String, iso: Int, seed: UInt64 = 1,
    size: PixelSize = PixelSize(width: 768, height: 576)
  ) throws -> Mosaic {
    var mosaic = try CFAProbeTests.capture(
      cfa, scene: scene, iso: iso, size: size, seed: seed)
    // 16 bits, so that what is left is not rounding.
    mosaic.samples = changed(mosaic.samples) { _, _, count in 16 * Double(count) }
    mosaic.levels = SensorLevels(
      black: mosaic.levels.black.mean * 16, white: mosaic.levels.white[0] * 16)
    return mosaic
  }

  @Test(arguments: ["quad-rggb", "quad-grbg+1,1"], [25, 100])
  func twoPerCentOnGreyLeaveNoMaze(cfa: String, iso: Int) throws {
    var mosaic = try Self.capture(.flat, cfa, iso: iso)
    mosaic.samples = Self.disturbed(mosaic, by: 0.02, period: 4)
    let gains = try #require(SiteGains.estimate(mosaic))
    let rect = PixelRect(x: 4, y: 4, width: 760, height: 568)
    let (before, after) = (try Self.maze(mosaic, rect), try Self.maze(gains.applied(to: mosaic), rect))
    #expect(before > 0.015 && after <= 0.001, "\(cfa) ISO \(iso): \(before) → \(after)")
  }

  @Test func gainsThatChangeOverTheFieldAreFollowed() throws {
    var mosaic = try Self.capture(
      .flat, "quad-rggb", iso: 25, size: PixelSize(width: 1152, height: 1024))
    mosaic.samples = Self.disturbed(mosaic, by: 0.02, period: 4, drifts: true)
    let gains = try #require(SiteGains.estimate(mosaic))
    #expect(gains.zones == PixelSize(width: 2, height: 2))
    let corrected = gains.applied(to: mosaic)
    for x in [288, 432, 576, 720] {  // between the centres of the zones the map is as linear as the error
      let rect = PixelRect(x: x, y: 100, width: 144, height: 800)
      let maze = try Self.maze(corrected, rect)
      #expect(maze <= 0.001, "at column \(x): \(maze)")
    }
  }

  @Test func detailDoesNotHideThem() throws {
    let clean = try Self.capture(.deadLeaves, "quad-rggb", iso: 100)
    var mosaic = clean
    mosaic.samples = Self.disturbed(clean, by: 0.02, period: 4)
    let gains = try #require(SiteGains.estimate(mosaic))
    for y in 0..<4 {
      for x in 0..<4 {
        let found = 1 / Double(gains.factors[y * 4 + x]) - 1
        #expect(abs(found - Self.errors[y * 4 + x] * 0.02) < 0.003, "site (\(x), \(y)): \(found)")
      }
    }
  }

  @Test(arguments: SceneKind.allCases, ["quad-rggb+1,0", "nona-rggb", "hexadeca-rggb"])
  func equalSitesAreLeftAlone(scene: SceneKind, cfa: String) throws {
    // Noise hides gains of any cluster alike: one kind stands for all.
    let noisy = cfa.hasPrefix("quad") ? [(3200, UInt64(2))] : []
    for (iso, seed) in [(100, UInt64(1))] + noisy {
      let gains = SiteGains.estimate(try Self.capture(scene, cfa, iso: iso, seed: seed))
      #expect(gains == nil, "\(scene) \(cfa) ISO \(iso): \(gains?.largest ?? 0)")
    }
  }

  @Test func aWrongPatternIsNotCorrectedAway() throws {
    var mosaic = try Self.capture(.chart, "rggb", iso: 100)
    mosaic.cfa = try #require(CFAPattern(named: "quad-rggb"))
    #expect(SiteGains.estimate(mosaic) == nil)
  }

  @Test(arguments: [4, 6, 8])
  func rowsAreThePlainInterpolation(period: Int) {
    let size = PixelSize(width: 203, height: 91)
    let zones = PixelSize(width: 3, height: 2)
    let factors = (0..<zones.area * period * period).map { 1 + Float($0 * 37 % 101 - 50) / 1000 }
    let gains = SiteGains(size: size, period: period, zones: zones, factors: factors)
    func place(_ position: Int, _ length: Int, _ count: Int) -> (Int, Int, Double) {
      let zone = (Double(position) + 0.5) * Double(count) / Double(length) - 0.5
      let clamped = max(0, min(Double(count - 1), zone))
      let first = min(count - 1, Int(clamped))
      return (first, min(count - 1, first + 1), clamped - Double(first))
    }
    var whole = [Float](repeating: 0, count: size.width)
    for y in 0..<size.height {
      whole.withUnsafeMutableBufferPointer { gains.fill(row: y, columns: 0..<size.width, into: $0.baseAddress!) }
      let (top, bottom, v) = place(y, size.height, zones.height)
      for x in 0..<size.width {
        let (left, right, u) = place(x, size.width, zones.width)
        func at(_ column: Int, _ row: Int) -> Double {
          Double(factors[(row * zones.width + column) * period * period + y % period * period + x % period])
        }
        let upper = at(left, top) * (1 - u) + at(right, top) * u
        let lower = at(left, bottom) * (1 - u) + at(right, bottom) * u
        #expect(abs(Double(whole[x]) - (upper * (1 - v) + lower * v)) < 1e-5, "(\(x), \(y))")
      }
      var part = [Float](repeating: 0, count: 77)
      part.withUnsafeMutableBufferPointer { gains.fill(row: y, columns: 53..<130, into: $0.baseAddress!) }
      #expect(part == Array(whole[53..<130]), "row \(y): a part differs from the whole")
    }
  }

  @Test func threadsDoNotMatter() throws {
    var mosaic = try Self.capture(.flat, "quad-rggb", iso: 100)
    mosaic.samples = Self.disturbed(mosaic, by: 0.02, period: 4)
    let many = Resources(workers: Workers(count: 3))
    let gains = try #require(SiteGains.estimate(mosaic))
    #expect(SiteGains.estimate(mosaic, resources: many) == gains)
    #expect(gains.applied(to: mosaic, resources: many).samples == gains.applied(to: mosaic).samples)
  }
}
