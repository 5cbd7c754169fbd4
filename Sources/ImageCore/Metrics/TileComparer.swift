internal import CVector

/// Everything that is done to one tile of two pictures. Shared by all threads; scratch is theirs.
struct TileComparer: Sendable {
  typealias Floats = UnsafeMutablePointer<Float>

  let size: PixelSize
  let channels: ChannelLayout
  /// The code of full scale in which differences are counted.
  let unit: Float
  let metrics: Set<Metric>
  let map: DifferenceMap?
  let decoders: [SampleDecoder]
  private let flip = FlipKernel()

  /// Whether linear light is needed, and whether of the surroundings of a tile too.
  private let needsLight: Bool
  private let needsOpponents: Bool
  private let needsMu: Bool
  private let needsColour: Bool
  private let needsFlip: Bool
  private let needsSimilarity: Bool
  private let hasFloats: Bool
  /// Whether luma is needed, for windows or for smaller scales.
  let needsLuma: Bool
  /// Pixels around a tile that must be read.
  let halo: Int

  init(_ left: ComparedPicture, _ right: ComparedPicture, unit: Double, metrics: Set<Metric>, map: DifferenceMap?) {
    size = left.size
    channels = left.format.channels
    self.unit = Float(unit)
    (self.metrics, self.map) = (metrics, map)
    needsColour = metrics.contains(.colour) || map == .colour
    needsFlip = metrics.contains(.flip) || map == .flip
    needsMu = metrics.contains(.psnrMu)
    needsOpponents = needsColour || needsFlip
    needsLight = needsOpponents || needsMu
    needsSimilarity = !metrics.isDisjoint(with: [.ssim, .msSSIM])
    needsLuma = needsSimilarity || metrics.contains(.alignment)
    halo = needsFlip ? ComparisonGrid.halo : needsSimilarity ? SimilarityKernel.radius : 0
    hasFloats = [left, right].contains { $0.format.sample == .float32 }
    var tables: [LightTable] = []
    decoders = [left, right].map { SampleDecoder($0, unit: unit, sharing: &tables) }
  }

  /// Rows of the slab's planes that are filled for each pixel, where they are asked for.
  struct Outputs: @unchecked Sendable {
    /// CIEDE2000, FLIP and what is drawn; of the slab's rows, `width` apart.
    var colour: Floats?
    var flip: Floats?
    var map: Floats?
    /// Half the picture's size, luma less a half.
    var halves: [MutablePixelRows<Float>] = []
    /// The whole luma, for pictures that are aligned at full size.
    var wholes: [MutablePixelRows<Float>] = []
  }

  /// - Parameter row: the stored pixels of a row of a picture; those of the tile and its halo are read.
  func compare(
    _ tile: ComparisonTile, rows slab: Range<Int>, row: (Int, Int) -> UnsafeRawPointer, _ scratch: ComparisonScratch,
    _ outputs: Outputs
  ) -> TileTally {
    var tally = TileTally()
    for y in max(0, tile.y.lowerBound - halo)..<min(size.height, tile.y.upperBound + halo) {
      read(tile, y, [row(0, y), row(1, y)], scratch, outputs, &tally)
    }
    if needsSimilarity { tally.similarity = SimilarityKernel.tally(tile, of: size, scratch) }
    if needsLuma { halve(tile, scratch, outputs.halves) }
    if needsColour, let out = outputs.colour {
      colours(tile, scratch, { out + ($0 - slab.lowerBound) * size.width + tile.x.lowerBound }, &tally)
    }
    if needsFlip, let out = outputs.flip {
      repeatBorder(tile, scratch)
      let place = { (y: Int) in out + (y - slab.lowerBound) * size.width + tile.x.lowerBound }
      // Filters write whole groups of sixteen, which would reach into the next tile.
      let line = scratch.lines[scratch.lines.count - 1]
      for top in stride(from: tile.y.lowerBound, to: tile.y.upperBound, by: FlipKernel.rowsAtOnce) {
        let rows = top..<min(tile.y.upperBound, top + FlipKernel.rowsAtOnce)
        flip.run(tile, rows: rows, scratch, into: line) { y in
          place(y).update(from: line, count: tile.x.count)
          tally.flipSum += cv_sum_f32(line, tile.x.count)
          tally.flipMax = cv_largest_f32(line, tile.x.count, tally.flipMax)
        }
      }
    }
    return tally
  }

  /// Decodes one row of the tile and its halo, adds it up and leaves its planes.
  private func read(
    _ tile: ComparisonTile, _ y: Int, _ rows: [UnsafeRawPointer], _ scratch: ComparisonScratch, _ outputs: Outputs,
    _ tally: inout TileTally
  ) {
    let isOwn = tile.y.contains(y)
    let left = max(0, tile.x.lowerBound - halo)
    let count = min(size.width, tile.x.upperBound + halo) - left
    let start = tile.x.lowerBound - left
    let own = start..<start + tile.x.count
    for side in 0..<2 {
      let pixel = decoders[side].format.bytesPerPixel
      // The next row comes from memory while this one is worked on.
      cv_prefetch_line(rows[side] + (size.width + left) * pixel, count * pixel)
      decoders[side].codes(
        rows[side] + left * decoders[side].format.bytesPerPixel, count: count, into: scratch.codes[side])
    }
    if hasFloats {
      for k in 0..<channels.count {
        SampleKernel.scrub(
          scratch.codes[0][k], scratch.codes[1][k], count: count, counted: isOwn ? own : nil, &tally.nonFinite)
      }
    }
    if isOwn {
      let worst = scratch.lines[0]
      SampleKernel.add(
        scratch.codes[0], scratch.codes[1], channels: channels.count, from: start, count: own.count,
        x: tile.x.lowerBound, y: y, worst: worst, to: &tally)
      if map == .samples, let out = outputs.map {
        let to = out + (y - tile.y.lowerBound) * size.width + tile.x.lowerBound
        for x in 0..<own.count { to[x] = worst[x] / unit }
      }
    }
    let plane = (y - tile.y.lowerBound + ComparisonGrid.halo) * ComparisonGrid.stride
    let place = plane + ComparisonGrid.halo - start
    let colours = channels.count < 3 ? 1 : 3
    for side in 0..<2 {
      if needsLuma {
        let luma = scratch.luma[side] + place
        SampleKernel.luma(scratch.codes[side], channels: channels.count, unit: unit, count: count, into: luma)
        if isOwn, !outputs.wholes.isEmpty {
          (outputs.wholes[side].row(y) + tile.x.lowerBound).update(from: luma + start, count: own.count)
        }
      }
      guard needsLight else { continue }
      decoders[side].light(
        rows[side] + left * decoders[side].format.bytesPerPixel, codes: scratch.codes[side], count: count,
        into: scratch.light[side])
      if needsOpponents {
        let to = scratch.opponents[side].map { $0 + place }
        decoders[side].opponents(scratch.light[side], count: count, to[0], to[1], to[2])
      }
    }
    if isOwn && needsMu {
      SampleKernel.addMu(
        scratch.light[0], scratch.light[1], colours: colours, from: start, count: own.count, scratch.lines[1],
        scratch.lines[2], to: &tally)
    }
  }

  /// Means of 2 x 2 pixels of the luma; a last odd column or row is left out.
  private func halve(_ tile: ComparisonTile, _ scratch: ComparisonScratch, _ halves: [MutablePixelRows<Float>]) {
    guard halves.count == 2 else { return }
    for side in 0..<2 {
      for y in tile.y.lowerBound / 2..<min(halves[side].height, tile.y.upperBound / 2) {
        let place = (2 * y - tile.y.lowerBound + ComparisonGrid.halo) * ComparisonGrid.stride + ComparisonGrid.halo
        LumaPyramid.halve(
          scratch.luma[side] + place, scratch.luma[side] + place + ComparisonGrid.stride,
          into: halves[side].row(y) + tile.x.lowerBound / 2, count: tile.x.count / 2)
      }
    }
  }

  private func colours(
    _ tile: ComparisonTile, _ scratch: ComparisonScratch, _ row: (Int) -> Floats, _ tally: inout TileTally
  ) {
    let count = tile.x.count
    let lab = [Array(scratch.lines[0..<3]), Array(scratch.lines[3..<6])]
    for y in tile.y {
      let place = (y - tile.y.lowerBound + ComparisonGrid.halo) * ComparisonGrid.stride + ComparisonGrid.halo
      for side in 0..<2 {
        let planes = scratch.opponents[side]
        ColourKernel.lab(
          planes[0] + place, planes[1] + place, planes[2] + place, count: count, lab[side][0], lab[side][1],
          lab[side][2])
      }
      let out = row(y)
      ColourKernel.difference(lab[0], lab[1], count: count, into: out)
      tally.colourSum += cv_sum_f32(out, count)
      tally.colourMax = cv_largest_f32(out, count, tally.colourMax)
    }
  }

  /// Lets the picture's border pixels go on in the tile's planes.
  private func repeatBorder(_ tile: ComparisonTile, _ scratch: ComparisonScratch) {
    let (halo, stride) = (ComparisonGrid.halo, ComparisonGrid.stride)
    let (top, bottom) = (max(0, tile.y.lowerBound - halo), min(size.height, tile.y.upperBound + halo))
    let (left, right) = (max(0, tile.x.lowerBound - halo), min(size.width, tile.x.upperBound + halo))
    let (firstRow, lastRow) = (top - tile.y.lowerBound + halo, bottom - 1 - tile.y.lowerBound + halo)
    let (first, last) = (left - tile.x.lowerBound + halo, right - 1 - tile.x.lowerBound + halo)
    let wide = tile.x.count + 2 * halo
    for plane in scratch.opponents.joined() {
      for y in firstRow...lastRow {
        let row = plane + y * stride
        for x in 0..<first { row[x] = row[first] }
        for x in last + 1..<max(last + 1, wide) { row[x] = row[last] }
      }
      for y in 0..<firstRow { (plane + y * stride).update(from: plane + firstRow * stride, count: wide) }
      for y in lastRow + 1..<max(lastRow + 1, tile.y.count + 2 * halo) {
        (plane + y * stride).update(from: plane + lastRow * stride, count: wide)
      }
    }
  }
}
