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
    let size = blocks.detail.size
    let domain = light.domain
    let matched = Image<SIMD4<Float>>(size) { x, y in
      let (gain, offset) = match.at((Float(x) + 0.5) / Float(size.width), (Float(y) + 0.5) / Float(size.height))
      let value = blocks.detail[x, y]
      return SIMD4(
        (value.x - offset.x) / gain.x, (value.y - offset.y) / gain.y, (value.z - offset.z) / gain.z, value.w)
    }
    let theirs = Image<SIMD4<Float>>(size) { x, y in BlockComparison.planes(blocks.composite[x, y], domain) }
    let score = Image<Float>(size) { x, y in
      if blocks.composite[x, y].w < 0 { return .infinity }
      let d = BlockComparison.planes(matched[x, y], domain) - theirs[x, y]
      let own = theirs[x, y]
      var contrast = SIMD4<Float>.zero
      for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
        let near = theirs[max(0, min(size.width - 1, x + dx)), max(0, min(size.height - 1, y + dy))] - own
        contrast = contrast.replacing(with: near * near, where: near * near .> contrast)
      }
      let variance = noise.blocks(own.x)
      let error = Self.lightError * own.x
      let all = variance + Self.edgeError * Self.edgeError * contrast + error * error
      return max(d.x * d.x / all.x, (d.y * d.y / all.y + d.z * d.z / all.z) * 0.5)
    }
    let clipped = Image<Float>(size) { x, y in
      let mean = blocks.composite[x, y] / light.white
      let isBeyond = max(mean.x, mean.y, mean.z) > Self.beyond.mean || blocks.composite[x, y].w > Self.beyond.pixel
      return blocks.detail[x, y].w >= FusionLight.saturated && isBeyond ? 1 : 0
    }
    let isClipped = Self.blurred(Self.widest(clipped))
    usable = Image<Float>(size) { x, y in 1 - isClipped[x, y] }
    let raised = Image<Float>(size) { x, y in
      // Saturated light differs from what it was, and is not taken anyway.
      if clipped[x, y] > 0 { return 0 }
      return min(1, max(0, (score[x, y] - Self.ghostFrom) / (Self.ghostFull - Self.ghostFrom)))
    }
    let spread = Self.blurred(Self.widest(raised))
    ghost = Image<Float>(size) { x, y in spread[x, y] * (1 - isClipped[x, y]) }
    low = Image<SIMD4<Float>>(size) { x, y in
      var sum = SIMD4<Float>.zero
      for dy in -1...1 {
        for dx in -1...1 {
          let weight: Float = (dx == 0 ? 0.5 : 0.25) * (dy == 0 ? 0.5 : 0.25)
          sum += weight * matched[max(0, min(size.width - 1, x + dx)), max(0, min(size.height - 1, y + dy))]
        }
      }
      return BlockComparison.planes(sum, domain)
    }
    clippedShare = Self.share(isClipped)
    ghostShare = Self.share(ghost)
  }

  private static func share(_ image: Image<Float>) -> Double {
    var count = 0
    for y in 0..<image.height { image.withRow(y) { row in for x in row.indices where row[x] >= 0.5 { count += 1 } } }
    return Double(count) / Double(image.size.area)
  }

  /// The largest of 3 x 3 neighbours.
  private static func widest(_ image: Image<Float>) -> Image<Float> {
    Image(image.size) { x, y in
      var most: Float = 0
      for v in max(0, y - 1)...min(image.height - 1, y + 1) {
        for u in max(0, x - 1)...min(image.width - 1, x + 1) { most = max(most, image[u, v]) }
      }
      return most
    }
  }

  /// Binomial of 3 x 3.
  private static func blurred(_ image: Image<Float>) -> Image<Float> {
    Image(image.size) { x, y in
      var sum: Float = 0
      for dy in -1...1 {
        for dx in -1...1 {
          let weight: Float = (dx == 0 ? 0.5 : 0.25) * (dy == 0 ? 0.5 : 0.25)
          sum += weight * image[max(0, min(image.width - 1, x + dx)), max(0, min(image.height - 1, y + dy))]
        }
      }
      return sum
    }
  }
}
