/// Makes the result, unit by unit.
struct FusionMerger: Sendable {
  let plan: FusionPlan
  /// Of the detail frame; `nil` when the composite is only enlarged.
  let planes: ColourPlanes<Int16>?
  let sampler: CompositeSampler
  let match: PhotometricMatch
  let masks: FusionMasks?

  /// The share of the difference that was taken, one pixel a tile, and its mean.
  struct Source {
    var map: Image<UInt8>
    var share: Double
  }

  func run(_ composite: Image<RGB<Float>>, _ resources: Resources) -> (Image<RGB<UInt16>>, Source) {
    let size = plan.geometry.size
    let unit = DifferenceTiles.unit
    let (columns, rows) = ((size.width + unit - 1) / unit, (size.height + unit - 1) / unit)
    var result = Image<RGB<UInt16>>(uninitialized: size, in: resources.pool)
    let hop = DifferenceTiles.hop
    var map = Image<UInt8>(
      PixelSize(width: (size.width + hop - 1) / hop, height: (size.height + hop - 1) / hop), repeating: 0)
    let shares = TileSlots(repeating: 0.0, count: columns * rows)
    let strength = DifferenceTiles.strength(plan.detailNoise) * Float(plan.options.smoothness)
    let shrinkage = (0..<3).map { TileShrinkage(plan.spectra, plane: $0, strength: strength) }
    composite.withRows { from in
      result.withMutableRows { to in
        map.withMutableRows { taken in
          resources.workers.forEach(tiles: columns * rows, scratch: { UnitScratch(isFused: masks != nil) }) {
            index, scratch in
            let core = PixelRect(
              x: index % columns * unit, y: index / columns * unit, width: unit, height: unit
            ).intersection(PixelRect(size))
            let job = FusionUnit(merger: self, core: core, scratch: scratch)
            job.sampleComposite(from)
            if masks != nil {
              job.addDifference(shrinkage)
              shares[index] = job.storeTaken(taken)
            }
            job.store(to)
          }
        }
      }
    }
    let area = Double(map.size.area)
    return (result, Source(map: map, share: shares.values.reduce(0, +) / area))
  }
}

/// Buffers of one thread.
final class UnitScratch {
  let span = DifferenceTiles.span
  /// Roots of the composite, then Y, C1, C2; `span` x `span` each.
  var base: [UnsafeMutablePointer<Float>]
  var difference: [UnsafeMutablePointer<Float>]
  var sum: [UnsafeMutablePointer<Float>]
  /// Rows of roots and of what match and masks say.
  var lines: [UnsafeMutablePointer<Float>]
  var taken: [Float]
  var tiles: TileScratch?
  var patch = CompositeSampler.Patch()

  static let lineCount = 15

  init(isFused: Bool) {
    let area = span * span
    func planes(_ count: Int, _ size: Int) -> [UnsafeMutablePointer<Float>] {
      (0..<count).map { _ in
        let plane = UnsafeMutablePointer<Float>.allocate(capacity: size)
        plane.initialize(repeating: 0, count: size)
        return plane
      }
    }
    base = planes(3, area)
    difference = isFused ? planes(3, area) : []
    sum = isFused ? planes(3, area) : []
    lines = planes(Self.lineCount, span)
    taken = [Float](repeating: 0, count: DifferenceTiles.across * DifferenceTiles.across)
    tiles = isFused ? TileScratch() : nil
  }

  deinit { for plane in base + difference + sum + lines { plane.deallocate() } }
}
