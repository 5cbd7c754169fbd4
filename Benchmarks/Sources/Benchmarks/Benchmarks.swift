import Foundation
import ImageCore

/// Times the geometry and sensor kernels on one thread with reused, warmed buffers.
@main
struct Benchmarks {
  /// A 48 megapixel sensor.
  static let size = PixelSize(width: 8064, height: 6048)
  static let rounds = 9
  /// Least byte rates, as parts of `memcpy`'s, that this project holds itself to.
  static let rowGate = 0.9
  static let turnGate = 0.5

  static func main() {
    var results: [Measurement] = []
    var copyRates: [String: Double] = [:]
    for (name, bytes) in [("UInt16", 2), ("RGB8", 3), ("RGB16", 6)] {
      let (rate, measured) = measure(name, bytesPerPixel: bytes)
      copyRates[name] = rate
      results += measured
    }
    let sensor = SensorKernels.measure()
    copyRates[SensorKernels.picture] = sensor.rate
    results += sensor.results
    if CommandLine.arguments.contains("--json") {
      print("[\n" + results.map { "  " + $0.json }.joined(separator: ",\n") + "\n]")
    } else {
      printTable(results, copyRates)
    }
    if !results.allSatisfy(\.passes) { exit(1) }
  }

  static func measure(_ name: String, bytesPerPixel: Int) -> (rate: Double, results: [Measurement]) {
    let bytesPerRow = size.width * bytesPerPixel
    let byteCount = bytesPerRow * size.height
    let source = Image<UInt8>(PixelSize(width: bytesPerRow, height: size.height), repeating: 7)
    var target = Image<UInt8>(PixelSize(width: bytesPerRow, height: size.height), repeating: 0)
    let crop = PixelRect(x: 16, y: 12, width: size.width - 32, height: size.height - 24)
    var results: [Measurement] = []
    var rate = 0.0
    source.withRows { from in
      target.withMutableRows { to in
        func lay(_ orientation: Orientation, _ rect: PixelRect = PixelRect(size)) {
          OrientationKernel.lay(
            orientation, source: from.base + rect.y * bytesPerRow + rect.x * bytesPerPixel,
            sourceBytesPerRow: bytesPerRow, sourceSize: rect.size, destination: to.base,
            destinationBytesPerRow: orientation.applied(to: rect.size).width * bytesPerPixel,
            bytesPerPixel: bytesPerPixel)
        }
        let kernels: [(name: String, gate: Double, part: Double, run: () -> Void)] = [
          ("crop", rowGate, Double(crop.size.area) / Double(size.area), { lay(.up, crop) }),
          ("mirror", rowGate, 1, { lay(.upMirrored) }),
          ("flip", rowGate, 1, { lay(.downMirrored) }),
          ("rotate 180", rowGate, 1, { lay(.down) }),
          ("rotate 90", turnGate, 1, { lay(.right) }),
          ("rotate 270", turnGate, 1, { lay(.left) }),
          ("transpose", turnGate, 1, { lay(.leftMirrored) }),
        ]
        let copy = { _ = memcpy(to.base, from.base, byteCount) }
        let times = medianMilliseconds(rounds: rounds, [copy] + kernels.map(\.run))
        rate = 2 * Double(byteCount) / times[0] / 1e6
        results = zip(kernels, times.dropFirst()).map { kernel, time in
          Measurement(
            picture: name, kernel: kernel.name, milliseconds: time, copyRatio: kernel.part * times[0] / time,
            gate: kernel.gate)
        }
      }
    }
    return (rate, results)
  }

  static func printTable(_ results: [Measurement], _ copyRates: [String: Double]) {
    func pad(_ text: String, _ width: Int) -> String { text.padding(toLength: width, withPad: " ", startingAt: 0) }
    print("\(size), one thread, median of \(rounds); memcpy counts bytes read and written")
    var shown = ""
    for result in results {
      if result.picture != shown {
        shown = result.picture
        print(String(format: "\n%@  memcpy %.1f GB/s", result.picture, copyRates[result.picture] ?? 0))
      }
      let share = result.copyRatio > 0 ? String(format: "%4.0f %% of memcpy", 100 * result.copyRatio) : ""
      let percent = String(format: "%6.1f ms  ", result.milliseconds) + share
      let gate = result.gate.map { String(format: "(gate %.0f %%)", 100 * $0) } ?? ""
      print("  \(pad(result.kernel, 12)) \(percent)  \(gate)\(result.passes ? "" : "  BELOW")")
    }
  }
}
