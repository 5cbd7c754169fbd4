/// What parts of the result may not take from both sources, by blocks of 4 x 4 composite pixels.
struct FusionMasks: Sendable {
  /// How much of the difference counts: 0 where the detail frame is saturated and the composite holds more light,
  /// else 1.
  let usable: Image<Float>
  /// How far the detail frame stands alone, 0...1: things moved, or the composite does not show the place.
  let ghost: Image<Float>
  /// Y, C1, C2 of the detail frame's light, matched and blurred: what stands for the composite there.
  let low: Image<SIMD4<Float>>
  /// Blocks that are not fully usable, and such that are ghosts by half or more, 0...1.
  let clippedShare: Double
  let ghostShare: Double

  /// Squared differences, in variances, from which a block counts as moved, and at which it does so fully.
  private static let ghostFrom: Float = 12
  private static let ghostFull: Float = 30
  /// Differences that are not motion: of a misplaced edge, relative to the contrast with neighbours, and relative to
  /// the root of light.
  private static let edgeError: Float = 0.2
  private static let lightError: Float = 0.006

  /// Composite light, in parts of the detail frame's white, that the frame cannot hold: mean of a block, and of one
  /// pixel, which may overshoot beside an edge.
  private static let beyond: (mean: Float, pixel: Float) = (1.03, 1.3)

  /// Mean composite light of a block that is saturated as a whole.
  private static let white: Float = 0.97

  /// Whether a part of the blocks takes from both sources as they are.
  func isPlain(columns: Range<Int>, rows: Range<Int>) -> Bool {
    for y in rows {
      let isPlain = usable.withRow(y) { usable in
        ghost.withRow(y) { ghost in columns.allSatisfy { usable[$0] == 1 && ghost[$0] == 0 } }
      }
      if !isPlain { return false }
    }
    return true
  }

  init(
    _ blocks: BlockComparison, _ match: PhotometricMatch, _ light: FusionLight, _ noise: NoiseSpectra,
    _ resources: Resources
  ) {
    let matched = Self.matched(blocks.detail, match, resources)
    let (raised, clipped) = Self.judged(blocks, matched, light, noise, resources)
    let isClipped = Self.spread(clipped, resources)
    let spread = Self.spread(raised, resources)
    usable = Self.mapped(isClipped, resources) { value in 1 - value }
    ghost = Self.product(spread, usable)
    let domain = light.domain
    low = Self.mapped(Neighbourhood.blurred(matched, resources), resources) { value in
      BlockComparison.planes(value, domain)
    }
    clippedShare = Self.share(isClipped)
    ghostShare = Self.share(ghost)
  }

  /// The detail frame's light without what the match says it has beyond the composite's.
  private static func matched(
    _ detail: Image<SIMD4<Float>>, _ match: PhotometricMatch, _ resources: Resources
  ) -> Image<SIMD4<Float>> {
    let size = detail.size
    var result = Image<SIMD4<Float>>(uninitialized: size, in: resources.pool)
    detail.withRows { from in
      result.withMutableRows { to in
        resources.workers.forEach(tiles: size.height) { y in
          let line = match.line((Float(y) + 0.5) / Float(size.height))
          let (row, out) = (from.row(y), to.row(y))
          for x in 0..<size.width {
            let (gain, offset) = line.at((Float(x) + 0.5) / Float(size.width))
            let value = row[x]
            out[x] = SIMD4(
              (value.x - offset.x) / gain.x, (value.y - offset.y) / gain.y, (value.z - offset.z) / gain.z, 0)
          }
        }
      }
    }
    return result
  }

  /// How surely each block moved, and whether it is saturated in the detail frame alone; 0...1.
  private static func judged(
    _ blocks: BlockComparison, _ matched: Image<SIMD4<Float>>, _ light: FusionLight, _ noise: NoiseSpectra,
    _ resources: Resources
  ) -> (raised: Image<Float>, clipped: Image<Float>) {
    let (size, domain) = (matched.size, light.domain)
    let theirs = mapped(blocks.composite, resources) { value in BlockComparison.planes(value, domain) }
    var raised = Image<Float>(uninitialized: size, in: resources.pool)
    var clipped = Image<Float>(uninitialized: size, in: resources.pool)
    let inverseWhite = SIMD4<Float>(1 / light.white.x, 1 / light.white.y, 1 / light.white.z, 0)
    matched.withRows { own in
      blocks.detail.withRows { detail in
        blocks.composite.withRows { composite in
          theirs.withRows { planes in
            raised.withMutableRows { raised in
              clipped.withMutableRows { clipped in
                resources.workers.forEach(tiles: size.height) { y in
                  let (here, up, down) = (
                    planes.row(y), planes.row(max(0, y - 1)), planes.row(min(size.height - 1, y + 1))
                  )
                  for x in 0..<size.width {
                    let value = composite.row(y)[x]
                    let mean = value * inverseWhite
                    let isBeyond = max(mean.x, mean.y, mean.z) > beyond.mean || value.w > beyond.pixel
                    let isClipped = detail.row(y)[x].w >= FusionLight.saturated && isBeyond
                    clipped.row(y)[x] = isClipped ? 1 : 0
                    let (left, right) = (here[max(0, x - 1)], here[min(size.width - 1, x + 1)])
                    let score =
                      value.w < 0
                      ? Float.infinity
                      : Self.score(
                        BlockComparison.planes(own.row(y)[x], domain), here[x], (left, right, up[x], down[x]), noise)
                    // Saturated light differs from what it was, and is not taken anyway.
                    let isWhite =
                      detail.row(y)[x].w >= FusionLight.saturated && min(value.x, value.y, value.z) >= white
                    raised.row(y)[x] =
                      isClipped || isWhite ? 0 : min(1, max(0, (score - ghostFrom) / (ghostFull - ghostFrom)))
                  }
                }
              }
            }
          }
        }
      }
    }
    return (raised, clipped)
  }

  /// The squared difference of a block, in variances.
  @inline(__always)
  private static func score(
    _ detail: SIMD4<Float>, _ own: SIMD4<Float>,
    _ near: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>), _ noise: NoiseSpectra
  ) -> Float {
    @inline(__always) func square(_ other: SIMD4<Float>) -> SIMD4<Float> { (other - own) * (other - own) }
    var contrast = square(near.0)
    let (east, north, south) = (square(near.1), square(near.2), square(near.3))
    contrast = contrast.replacing(with: east, where: east .> contrast)
    contrast = contrast.replacing(with: north, where: north .> contrast)
    contrast = contrast.replacing(with: south, where: south .> contrast)
    let d = square(detail)
    let error = lightError * own.x
    let all = noise.blocks(own.x) + edgeError * edgeError * contrast + error * error
    return max(d.x / all.x, (d.y / all.y + d.z / all.z) * 0.5)
  }

  /// Widened by a block, then feathered.
  private static func spread(_ image: Image<Float>, _ resources: Resources) -> Image<Float> {
    Neighbourhood.blurred(Neighbourhood.largest(image, resources), resources)
  }

  private static func share(_ image: Image<Float>) -> Double {
    var count = 0
    for y in 0..<image.height { image.withRow(y) { row in for x in row.indices where row[x] >= 0.5 { count += 1 } } }
    return Double(count) / Double(image.size.area)
  }

  private static func product(_ a: Image<Float>, _ b: Image<Float>) -> Image<Float> {
    var result = a
    b.withRows { from in
      result.withMutableRows { to in
        for y in 0..<to.height {
          let (row, out) = (from.row(y), to.row(y))
          for x in 0..<to.width { out[x] *= row[x] }
        }
      }
    }
    return result
  }

  @inline(__always)
  private static func mapped<From: BitwiseCopyable & Sendable, To: BitwiseCopyable & Sendable>(
    _ image: Image<From>, _ resources: Resources, _ value: @Sendable (From) -> To
  ) -> Image<To> {
    var result = Image<To>(uninitialized: image.size, in: resources.pool)
    image.withRows { from in
      result.withMutableRows { to in
        resources.workers.forEach(tiles: from.height) { y in
          let (row, out) = (from.row(y), to.row(y))
          for x in 0..<from.width { out[x] = value(row[x]) }
        }
      }
    }
    return result
  }
}
