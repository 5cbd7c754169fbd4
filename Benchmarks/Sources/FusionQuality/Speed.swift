import Foundation
import ImageCore

extension FusionQuality {
  /// CPU seconds of fusing a whole 48MP frame, without demosaicing.
  func speed() throws {
    let detail = PixelSize(width: 8064, height: 6048)
    var random = EvenNoise(seed: 3)
    let composite = Image<RGB<Float>>(PixelSize(width: detail.width / 2, height: detail.height / 2)) { x, y in
      let v = Float((x / 40 + y / 40) % 7) * 0.1 + 0.1 + 0.002 * random.next()
      return RGB(0.5 * v, v, 0.65 * v)
    }
    // Pixels of the detail frame between both pictures.
    let (still, moved) = (0, 3)
    func frame(_ shift: Int) -> FusionDetail {
      FusionDetail(size: detail) { rows, band in
        band.withMutableRows { to in
          composite.withRows { from in
            for y in rows {
              let (row, out) = (from.row(max(0, y - shift) / 2), to.row(y - rows.lowerBound))
              for x in 0..<to.width { out[x] = row[max(0, x - shift) / 2] }
            }
          }
        }
      }
    }
    let noise = FusionNoiseSource.independent(
      detail: NoiseProfile(planes: [.init(scale: 0.001, offset: 0.000004)]),
      composite: NoiseProfile(planes: [.init(scale: 0.00004, offset: 0.0000001)]))
    var options = FusionOptions()
    options.neutral = RGBTriple(0.5, 1, 0.65)
    for workers in [1, 2] {
      let pool = MemoryPool()
      let resources = Resources(workers: Workers(count: workers), pool: pool)
      for (name, alignment) in [("in register", FusionOptions.Alignment.none), ("aligned", .auto)] {
        options.alignment = alignment
        let start = Self.cpuSeconds
        let result = try Fusion.fuse(
          FusionComposite(pixels: composite), frame(alignment == .none ? still : moved), noise: noise,
          options: options, resources: resources)
        let seconds = Self.cpuSeconds - start
        print(
          String(
            format:
              "48MP + 12MP -> %dx%d, %@, %d threads: %.2f CPU s, detail share %.2f, peak memory with the composite %.0f MB",
            result.pixels.width,
            result.pixels.height, name, workers, seconds, result.report.detailShare, Self.peakMemory)
            + Required.verdict(seconds, atMost: Required.seconds))
      }
    }
  }

  /// Most memory that the process had at once, MB.
  private static var peakMemory: Double {
    var usage = rusage()
    getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_maxrss) / 1000
  }

  private static var cpuSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
