import ImageCore

/// Merges one tile: reads all frames, finds what moved, and averages with inverse-variance weights.
///
/// - Source: Granados et al. 2010, "Optimal HDR reconstruction with linear digital cameras": weights 1 / variance with
///   the variance taken from the running estimate, never from the noisy sample itself, which would darken shadows.
struct TileMerger {
  /// Parts of saturation between which a cell fades out: sensors bend before they clip.
  static let fadeStart: Float = 0.90
  static let fadeEnd: Float = 0.98
  /// Weight of the shortest frame where all are saturated: enough to be there alone, too little to count otherwise.
  static let lastResort: Float = 1e-6

  let plan: MergePlan
  let buffers: TileBuffers

  var cell: SampleCell { plan.layout.cell }

  /// Fills light and ramps of all frames for the padded cells, the target, and the biases.
  func prepare(_ core: PixelRect, samples: [PixelRows<UInt16>]) {
    let padded = plan.layout.padded(core)
    for index in plan.frames.indices { load(index, padded, samples[index]) }
    for index in plan.active {
      for y in 0..<padded.height { buffers.factor(index).row(y).update(repeating: 1, count: padded.width) }
    }
    for group in plan.groups { BurstMerger(plan: plan, buffers: buffers, group: group).merge(padded) }
    makeTarget(padded.size)
    for index in plan.active {
      if index == plan.reference || !plan.deghosts {
        for y in 0..<padded.height { buffers.bias(index).row(y).update(repeating: 0, count: padded.width) }
      } else {
        judge(index, padded.size)
      }
    }
  }

  private func load(_ index: Int, _ padded: PixelRect, _ samples: PixelRows<UInt16>) {
    let frame = plan.frames[index]
    let light = buffers.light(index)
    let ramp = buffers.ramp(index)
    switch plan.placements[index] {
    case .cells(let x, let y):
      FrameReader(frame: frame).read(
        padded, shift: (x, y), samples: samples, into: light.base, stride: light.stride)
    case .flow(let flow):
      WarpedReader(frame: frame, flow: flow, balance: plan.balance, patch: buffers.patch, kernels: plan.kernels).read(
        padded, samples: samples, into: light, places: (buffers.cells(0), buffers.cells(1)))
    }
    let saturation = Saturation(frame)
    for y in 0..<padded.height {
      let row = ramp.row(y)
      CellKernels.maximum(light, cell, row: y, count: padded.width, into: row)
      for x in 0..<padded.width { row[x] = saturation.weight(row[x]) }
    }
  }

  /// The reference, completed from ever shorter frames where it is saturated.
  private func makeTarget(_ size: PixelSize) {
    let width = size.width * cell.width
    let spread = buffers.spareRow(0)
    for y in 0..<size.height {
      for phase in 0..<cell.height {
        let target = buffers.target.row(y * cell.height + phase)
        target.update(from: buffers.light(plan.active[0]).row(y * cell.height + phase), count: width)
        for index in plan.active.dropFirst() where index <= plan.reference {
          CellKernels.spread(buffers.ramp(index).row(y), width: cell.width, count: size.width, into: spread)
          let light = buffers.light(index).row(y * cell.height + phase)
          for x in 0..<width { target[x] += spread[x] * (light[x] - target[x]) }
        }
      }
    }
  }

  /// Variance of the difference between a frame and the target, and where they can be compared; then the test.
  private func judge(_ index: Int, _ size: PixelSize) {
    let (brightness, variances, scratch) = (buffers.cells(5), buffers.cells(6), buffers.cells(4))
    let share = 1 / Float(cell.count * 9)
    for y in 0..<size.height {
      CellKernels.sum(buffers.target, cell, row: y, count: size.width, into: brightness.row(y))
    }
    CellKernels.box(brightness, width: size.width, height: size.height, radius: 1, scratch: scratch)
    for y in 0..<size.height {
      let (light, v) = (brightness.row(y), variances.row(y))
      for x in 0..<size.width {
        light[x] = CellKernels.larger(light[x] * share, 0)
        v[x] = 0
      }
      // The target's variance: of the reference, or of the shorter frame that stands in for it.
      for part in plan.active where part <= plan.reference {
        let model = NoiseModel(plan.frames[part])
        let (fade, factor) = (buffers.ramp(part).row(y), buffers.factor(part).row(y))
        if part == plan.active[0] {
          for x in 0..<size.width { v[x] = factor[x] * model.variance(light[x]) }
        } else {
          for x in 0..<size.width { v[x] += fade[x] * (factor[x] * model.variance(light[x]) - v[x]) }
        }
      }
      let model = NoiseModel(plan.frames[index])
      let factor = buffers.factor(index).row(y)
      for x in 0..<size.width { v[x] += factor[x] * model.variance(light[x]) }
    }
    MotionTest(buffers: buffers, tolerance: plan.tolerance, width: size.width, height: size.height).judge(
      index, variances: variances, brightness: brightness, limit: Saturation(plan.frames[index]).end)
  }

  /// The merged samples of one row of the core, and their variances.
  ///
  /// - Parameter y: row of samples from the top of the core.
  func row(_ y: Int, core: PixelRect, light: UnsafeMutablePointer<Float>, variance: UnsafeMutablePointer<Float>) {
    let halo = plan.layout.halo
    let cellRow = y / cell.height + halo
    let count = core.width * cell.width
    let start = halo * cell.width
    let source = halo * cell.height + y
    for x in 0..<count { (light[x], variance[x]) = (0, 0) }
    for index in plan.active {
      let weights = buffers.weightRow(index)
      CellKernels.spread(
        buffers.bias(index).row(cellRow) + halo, width: cell.width, count: core.width, into: buffers.biasRow(index))
      CellKernels.spread(
        buffers.factor(index).row(cellRow) + halo, width: cell.width, count: core.width,
        into: buffers.factorRow(index))
      let samples = buffers.light(index).row(source) + start
      let saturation = Saturation(plan.frames[index])
      let least = index == plan.active[0] ? Self.lastResort : 0
      if cell.isPicture {
        // Whole pixels fade: their colours were mixed after the sensor, so one that is clipped taints the others.
        CellKernels.spread(
          buffers.ramp(index).row(cellRow) + halo, width: cell.width, count: core.width, into: weights)
        for x in 0..<count { weights[x] = CellKernels.larger(weights[x], least) }
      } else {
        for x in 0..<count { weights[x] = CellKernels.larger(saturation.weight(samples[x]), least) }
      }
      // First pass: electrons are summed, which is right but for read noise; what moved is left out.
      let model = NoiseModel(plan.frames[index])
      let (bias, factor) = (buffers.biasRow(index), buffers.factorRow(index))
      let unit = model.variance(model.typical)
      for x in 0..<count {
        let weight = weights[x] / (factor[x] * unit + bias[x])
        light[x] += weight * samples[x]
        variance[x] += weight
      }
    }
    secondPass(light, variance, count: count, source: source, start: start)
  }

  private func secondPass(
    _ light: UnsafeMutablePointer<Float>, _ variance: UnsafeMutablePointer<Float>, count: Int, source: Int, start: Int
  ) {
    let estimate = buffers.spareRow(1)
    if plan.active.count == 1 {
      smoothed(source: source, start: start, count: count, into: estimate)
      for x in 0..<count { (light[x], variance[x]) = (0, 0) }
    } else {
      for x in 0..<count {
        estimate[x] = CellKernels.larger(light[x] / variance[x], 0)
        (light[x], variance[x]) = (0, 0)
      }
    }
    for index in plan.active {
      let model = NoiseModel(plan.frames[index])
      let samples = buffers.light(index).row(source) + start
      let (weights, bias, factor) = (buffers.weightRow(index), buffers.biasRow(index), buffers.factorRow(index))
      for x in 0..<count {
        let weight = weights[x] / (factor[x] * model.variance(estimate[x]) + bias[x])
        light[x] += weight * samples[x]
        variance[x] += weight
      }
    }
    for x in 0..<count {
      let inverse = 1 / variance[x]
      light[x] *= inverse
      variance[x] = inverse
    }
  }
}

extension TileMerger {
  /// The only exposure's light, each sample averaged with the same sample of the 8 cells around as far as noise explains
  /// that they differ: there is no other estimate, and noise must not tell its own variance.
  private func smoothed(source: Int, start: Int, count: Int, into estimate: UnsafeMutablePointer<Float>) {
    let share: Float = 1 / 9
    let deviations: Float = 2
    let index = plan.active[0]
    let (light, factor) = (buffers.light(index), buffers.factorRow(index))
    let model = NoiseModel(plan.frames[index])
    for x in 0..<count { estimate[x] = 0 }
    for step in -1...1 {
      let row = light.row(source + step * cell.height) + start
      let (left, right) = (row - cell.width, row + cell.width)
      for x in 0..<count { estimate[x] += left[x] + row[x] + right[x] }
    }
    let row = light.row(source) + start
    for x in 0..<count {
      let reach = deviations * (factor[x] * model.variance(CellKernels.larger(row[x], 0))).squareRoot()
      let near = CellKernels.smaller(CellKernels.larger(estimate[x] * share, row[x] - reach), row[x] + reach)
      estimate[x] = CellKernels.larger(near, 0)
    }
  }
}

/// How much a sample of a frame's light counts as it nears saturation.
struct Saturation {
  /// Light at which a sample counts no more, in units of the reference.
  let end: Float
  private let slope: Float

  init(_ frame: SourceFrame) {
    let full = frame.saturation / Float(frame.exposure)
    end = TileMerger.fadeEnd * full
    slope = 1 / ((TileMerger.fadeEnd - TileMerger.fadeStart) * full)
  }

  @inline(__always)
  func weight(_ light: Float) -> Float {
    CellKernels.smaller(CellKernels.larger((end - light) * slope, 0), 1)
  }
}

/// Noise of a frame's light in units of the reference: variance = `scale * x + offset`.
struct NoiseModel {
  let scale: Float
  let offset: Float
  /// Light at which photon noise rules; sets the weights of the first pass.
  let typical: Float = 0.18

  init(_ frame: SourceFrame) {
    // x_ref = x / e: the variance of x is S x + O, that of x / e is S x_ref / e + O / e².
    scale = Float(frame.noise.scale / frame.exposure)
    offset = Float(frame.noise.offset / (frame.exposure * frame.exposure))
  }

  @inline(__always)
  func variance(_ light: Float) -> Float { scale * light + offset }
}
