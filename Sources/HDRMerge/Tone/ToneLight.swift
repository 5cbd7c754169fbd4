import ImageCore

/// Brightness of a photo on a coarse grid.
struct ToneLight {
  let frame: SourceFrame
  let balance: [Float]
  /// Light of each sample of a cell above which it is cut.
  let ceilings: [Float]
  /// Cells on a side of a grid point.
  let block: Int

  init(frame: SourceFrame, balance: [Float], ceilings: [Float], largestMap: Int) {
    self.frame = frame
    self.balance = balance
    self.ceilings = ceilings
    var block = 1
    while frame.grid.area / (block * block) > largestMap { block += 1 }
    self.block = block
  }

  /// Half the mean, half the largest of red, green and blue, white-balanced: strong colours must not clip either.
  func image(exposure: Float, resources: Resources) -> Image<Float> {
    let cell = frame.cell
    let cells = PixelSize(width: frame.size.width / cell.width, height: frame.size.height / cell.height)
    let size = PixelSize(width: max(1, cells.width / block), height: max(1, cells.height / block))
    var result = Image<Float>(uninitialized: size, in: resources.pool)
    let across = min(size.width * block, cells.width)
    let shares = colourShares
    frame.withSamples { samples in
      result.withMutableRows { out in
        resources.workers.forEachBand(of: size.height, rowsPerBand: 16) { band in
          withUnsafeTemporaryAllocation(of: Float.self, capacity: across * cell.width + 3 * size.width) { buffer in
            let light = buffer.baseAddress!
            let sums = light + across * cell.width
            for y in band {
              for x in 0..<3 * size.width { sums[x] = 0 }
              for row in 0..<min(block, cells.height - y * block) * cell.height {
                let source = y * block * cell.height + row
                frame.light(samples, x: 0, y: source, count: across * cell.width, factor: exposure, into: light)
                add(light, phase: row % cell.height, shares, count: across, to: sums)
              }
              let target = out.row(y)
              for x in 0..<size.width {
                let (r, g, b) = (sums[3 * x], sums[3 * x + 1], sums[3 * x + 2])
                let mean = (r + g + b) * (1.0 / 3)
                target[x] = 0.5 * (mean + max(r, max(g, b)))
              }
            }
          }
        }
      }
    }
    return result
  }

  /// What each sample of a cell adds to its colour's mean over a block.
  private var colourShares: [(colour: Int, weight: Float)] {
    let colours = frame.cell.colours.map { colour -> Int in
      switch colour {
      case .red: 0
      case .blue: 2
      default: 1
      }
    }
    // Colours that a pattern lacks (monochrome) are never added to and count as black; then green counts for all.
    return colours.map { colour in
      let alike = colours.count { $0 == colour }
      return (colour, balance[colour] / Float(alike * block * block))
    }
  }

  private func add(
    _ light: UnsafePointer<Float>, phase: Int, _ shares: [(colour: Int, weight: Float)], count: Int,
    to sums: UnsafeMutablePointer<Float>
  ) {
    let width = frame.cell.width
    for column in 0..<width {
      let (colour, weight) = shares[phase * width + column]
      let ceiling = ceilings[phase * width + column]
      for x in 0..<count {
        sums[3 * (x / block) + colour] += CellKernels.smaller(light[x * width + column], ceiling) * weight
      }
    }
  }

  /// The value that a share of the pixels exceeds.
  func quantile(of image: Image<Float>, above share: Double) -> Float {
    var values: [Float] = []
    let step = max(1, image.size.area / 200_000)
    image.withRows { rows in
      var index = 0
      while index < rows.width * rows.height {
        values.append(rows.row(index / rows.width)[index % rows.width])
        index += step
      }
    }
    values.sort()
    return values[max(0, min(values.count - 1, Int(Double(values.count) * (1 - share))))]
  }
}
