public import ImageCore

/// Brings light with headroom above white into the range of a picture, keeping the brightness of what needs no change.
///
/// Works on the photo before it is demosaiced: a map of gains, one a cell of the filter array or coarser, from
/// ``ExposureFusion`` of darker and lighter renderings; all colours of a cell get the same gain, so that hues stay.
public enum LocalTone {
  /// Stops from one rendering to the next darker one.
  private static let step = 2.0
  /// Stops by which the lightest rendering exceeds the base: opens shadows.
  private static let lift = 1.5
  /// Light beyond the share of pixels brighter than this is left to clip.
  private static let brightest = 0.001
  /// Gains are found on a grid of at most this many points.
  private static let largestMap = 4_000_000
  /// Added to light before gains are taken, so that noise in the dark asks for none: parts of white.
  private static let darkness: Float = 1e-4

  /// The photo with its range compressed: white is the brightest light, its baseline exposure is spent.
  public static func compressed(_ photo: RawPhoto, resources: Resources = Resources()) -> RawPhoto {
    let frame = SourceFrame(photo)
    let exposure = Float(Elementary.exp2(photo.baselineExposure))
    let balance = SolvedBracket.balance(photo)
    let ceilings = commonWhite(frame.cell, balance, exposure)
    let light = ToneLight(frame: frame, balance: balance, ceilings: ceilings, largestMap: largestMap)
    let map = light.image(exposure: exposure, resources: resources)
    let headroom = max(0, Elementary.log2(Double(max(1, light.quantile(of: map, above: brightest)))))
    var stops = [lift, 0]
    let darker = Int((headroom / step).rounded(.up))
    for index in 0..<darker { stops.append(-headroom * Double(index + 1) / Double(darker)) }
    let fused = ExposureFusion(stops: stops, resources: resources).fused(map)
    let gains = self.gains(fused, map, resources: resources)
    return GainStage(frame: frame, gains: gains, block: light.block, exposure: exposure, ceilings: ceilings).applied(
      to: photo, resources: resources)
  }

  /// Light of each sample of a cell at which neutral light saturates the most sensitive colour: what lies above was
  /// measured by some colours only and would turn magenta once its gain is below 1.
  private static func commonWhite(_ cell: SampleCell, _ balance: [Float], _ full: Float) -> [Float] {
    let factors = cell.colours.map { balance[$0 == .red ? 0 : $0 == .blue ? 2 : 1] }
    let least = factors.min() ?? 1
    return factors.map { full * least / $0 }
  }

  private static func gains(_ fused: Image<Float>, _ light: Image<Float>, resources: Resources) -> Image<Float> {
    var result = fused
    light.withRows { from in
      result.withMutableRows { to in
        for y in 0..<from.height {
          let (source, out) = (from.row(y), to.row(y))
          for x in 0..<from.width {
            let root = CellKernels.smaller(CellKernels.larger(out[x], 0), 1)
            out[x] = (root * root + darkness) / (CellKernels.larger(source[x], 0) + darkness)
          }
        }
      }
    }
    return result
  }
}
