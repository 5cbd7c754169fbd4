/// How the composite lies on the detail frame, found on brightness at the composite's size.
struct FusionRegistration: Sendable {
  /// `nil` when nothing moves.
  let flow: TileFlow?
  let report: FusionReport.Registration
  /// Both pictures have structure and it is not the same.
  let isUnrelated: Bool

  /// Correlation of gradients below which two pictures with structure do not show one scene.
  private static let unrelated = 0.12
  /// Below this a motion is not believed: the composite stays as it lies, and masks see to the rest.
  private static let certain = 0.35
  /// Gradients must have this many times the energy of noise to be structure.
  private static let leastStructure = 4.0
  /// A small motion must fit better than its reverse by this.
  private static let leastPreference = 0.004
  /// Steps below this, pixels of the composite, are not told from none: merging bears that much.
  private static let leastStep: Float = 0.125
  /// Merging bears the error of looking at every other row.
  private static let rowStep = 2
  /// Tiles along both sides of a window that places a tile, pixels.
  private static let window = Float(4 * TileAlignment.spacing * TileAlignment.spacing / rowStep)

  /// In register by declaration.
  static let none = FusionRegistration(flow: nil, report: FusionReport.Registration(), isUnrelated: false)

  private init(flow: TileFlow?, report: FusionReport.Registration, isUnrelated: Bool) {
    (self.flow, self.report, self.isUnrelated) = (flow, report, isUnrelated)
  }

  /// - Parameters:
  ///   - detail: roots of brightness on the composite's grid.
  ///   - noise: variance of a pixel's difference when in register.
  init(detail: Image<Float>, composite: Image<Float>, noise: Float, resources: Resources) {
    // Without the pool, which would keep what is needed here alone.
    let unpooled = Resources(workers: resources.workers)
    let a = GreyPyramid(detail, resources: unpooled)
    let b = GreyPyramid(composite, resources: unpooled)
    let found = GlobalAlignment(reference: a, other: b, workers: resources.workers)
    var report = FusionReport.Registration()
    report.similarity = max(found.similarity, found.similarityAtRest)
    let noiseEnergy =
      4 * Double(noise) * (found.judgedLevel == 0 ? 1 : 0.1 / Double(1 << (2 * (found.judgedLevel - 1))))
    let hasStructure = found.structure > Self.leastStructure * noiseEnergy
    let isSmall = found.gain < 1
    let isBetter =
      isSmall
      ? found.gain > 0 && found.preference > max(Self.leastPreference, 0.5 * found.gain)
      : found.similarity > found.similarityAtRest
    let motion = isBetter ? found.motion : .identity
    report.motion = motion
    guard hasStructure, report.similarity >= Self.unrelated else {
      self.init(flow: nil, report: report, isUnrelated: hasStructure)
      return
    }
    guard report.similarity >= Self.certain else {
      report.motion = .identity
      self.init(flow: nil, report: report, isUnrelated: false)
      return
    }
    let whole = TileFlow(motion, size: detail.size, spacing: TileAlignment.spacing)
    let flow = Self.settled(
      TileAlignment(
        TileStructure(a, rowStep: Self.rowStep, workers: resources.workers), other: b, noise: noise
      ).flow(from: motion, workers: resources.workers), whole)
    var (sum, most) = (0.0, 0.0)
    for index in flow.x.indices {
      let (dx, dy) = (Double(flow.x[index] - whole.x[index]), Double(flow.y[index] - whole.y[index]))
      let step = (dx * dx + dy * dy).squareRoot()
      sum += step
      most = max(most, step)
    }
    report.meanDeviation = sum / Double(max(1, flow.x.count))
    report.largestDeviation = most
    let energy = Self.gradientEnergy(composite)
    report.error = Double((noise / max(Float.leastNormalMagnitude, energy * Self.window)).squareRoot())
    self.init(flow: flow, report: report, isUnrelated: false)
  }

  /// Steps of tiles beyond the motion of the whole: the median of 3 x 3 neighbours, less what the two pictures' unlike
  /// sampling feigns.
  private static func settled(_ flow: TileFlow, _ whole: TileFlow) -> TileFlow {
    var result = whole
    var own = flow
    for index in flow.x.indices {
      own.x[index] -= whole.x[index]
      own.y[index] -= whole.y[index]
    }
    for row in 0..<flow.rows {
      for column in 0..<flow.columns {
        var (nearX, nearY) = (NearValues(), NearValues())
        for v in max(0, row - 1)...min(flow.rows - 1, row + 1) {
          for u in max(0, column - 1)...min(flow.columns - 1, column + 1) {
            nearX.add(own.x[v * flow.columns + u])
            nearY.add(own.y[v * flow.columns + u])
          }
        }
        let (dx, dy) = (nearX.median, nearY.median)
        let square = dx * dx + dy * dy
        guard square > leastStep * leastStep else { continue }
        let kept = 1 - leastStep * leastStep / square
        result.x[row * flow.columns + column] += kept * dx
        result.y[row * flow.columns + column] += kept * dy
      }
    }
    return result
  }

  /// Mean squared slope in one direction.
  private static func gradientEnergy(_ image: Image<Float>) -> Float {
    var sum = 0.0
    image.withRows { rows in
      for y in 0..<rows.height {
        let row = rows.row(y)
        var line: Float = 0
        for x in 1..<rows.width - 1 {
          let slope = (row[x + 1] - row[x - 1]) * 0.5
          line += slope * slope
        }
        sum += Double(line)
      }
    }
    return Float(sum / Double(max(1, (image.width - 2) * image.height)))
  }
}
