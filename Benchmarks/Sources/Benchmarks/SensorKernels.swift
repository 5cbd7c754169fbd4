import Foundation
import ImageCore

/// Binning, the pattern probe and the site gains on a quad mosaic of the benchmark's size.
enum SensorKernels {
  static let picture = "quad UInt16"
  /// Least byte rate of binning, as a part of `memcpy`'s.
  static let binGate = 0.9

  /// - Returns: `memcpy`'s byte rate in GB/s, and the measurements.
  static func measure() -> (rate: Double, results: [Measurement]) {
    let size = Benchmarks.size
    var samples = Image<UInt16>(size, repeating: 0)
    samples.withMutableRows { rows in
      for y in 0..<rows.height {
        let row = rows.row(y)
        for x in 0..<rows.width {
          row[x] = UInt16(600 + (x &* 7919 &+ y &* 104_729) % 64 + (x / 2 + y / 2) % 2 * 300)
        }
      }
    }
    let levels = SensorLevels(black: 528, white: 4095)
    func mosaic(_ name: String) -> Mosaic {
      Mosaic(samples: samples, cfa: CFAPattern(named: name)!, levels: levels)
    }
    func binning(_ name: String, _ mode: BinMode) -> (ClusterBinning, Image<UInt16>) {
      let binning = try! ClusterBinning(mosaic(name), mode: mode)
      return (binning, Image<UInt16>(binning.size, repeating: 0))
    }
    var (mean, meanResult) = binning("quad-rggb", .mean)
    var (sum, sumResult) = binning("quad-rggb+1,1", .sum)
    var (nona, nonaResult) = binning("nona-rggb", .mean)
    var (hexadeca, hexadecaResult) = binning("hexadeca-rggb", .mean)
    let quad = mosaic("quad-rggb")
    var factors = [Float](repeating: 1, count: size.width)
    let gains = SiteGains(
      size: size, period: 4, zones: PixelSize(width: 8, height: 6),
      factors: (0..<8 * 6 * 16).map { 1 + Float($0 % 17 - 8) / 1000 })
    var target = Image<UInt16>(size, repeating: 0)
    let bytes = 2 * size.area
    let bodies: [() -> Void] = [
      {
        samples.withRows { from in
          target.withMutableRows { to in _ = memcpy(to.base, from.base, from.stride * from.height * 2) }
        }
      },
      { mean.bin(into: &meanResult) },
      { sum.bin(into: &sumResult) },
      { nona.bin(into: &nonaResult) },
      { hexadeca.bin(into: &hexadecaResult) },
      { _ = CFAProbe().measure(quad) },
      { _ = SiteGains.estimate(quad) },
      {
        for y in 0..<size.height {
          factors.withUnsafeMutableBufferPointer {
            gains.fill(row: y, columns: 0..<size.width, into: $0.baseAddress!)
          }
        }
      },
    ]
    let times = medianMilliseconds(rounds: Benchmarks.rounds, bodies)
    /// Bytes read and written, over those that `memcpy` reads and writes.
    func part(_ cluster: Int) -> Double { (1 + 1 / Double(cluster)) / 2 }
    let names: [(name: String, part: Double, gate: Double?)] = [
      ("bin mean", part(4), binGate), ("bin sum +1,1", part(4), binGate), ("bin nona", part(9), nil),
      ("bin hexadeca", part(16), nil), ("probe", 0, nil), ("estimate", 0, nil), ("gain rows", 0, nil),
    ]
    let results = zip(names, times.dropFirst()).map { line, time in
      Measurement(
        picture: picture, kernel: line.name, milliseconds: time, copyRatio: line.part * times[0] / time,
        gate: line.gate)
    }
    return (2 * Double(bytes) / times[0] / 1e6, results)
  }
}
