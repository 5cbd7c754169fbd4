extension DetailReduction {
  /// Clusters of detail pixels to brightness on the composite's grid and to means of blocks.
  func bin(_ rows: DetailRows, _ range: Range<Int>, into reduced: inout ReducedDetail) {
    let first = range.lowerBound
    let width = reduced.grey.width
    let side = FusionLight.blockSide
    reduced.grey.withMutableRows { grey in
      reduced.blocks.withMutableRows { blocks in
        resources.workers.forEach(tiles: range.count, scratch: { [Float](repeating: 0, count: 3 * width) }) {
          index, scratch in
          let row = first + index
          let out = blocks.row(row)
          for x in 0..<blocks.width { out[x] = .zero }
          let last = min(grey.height, (row + 1) * side)
          scratch.withUnsafeMutableBufferPointer { buffer in
            let red = buffer.baseAddress!
            let planar = (red, red + width, red + 2 * width)
            for y in row * side..<last {
              binRow(rows, y, width, planar)
              let to = grey.row(y)
              let light = light
              for x in 0..<width { to[x] = light.grey(SIMD4(planar.0[x], planar.1[x], planar.2[x], 0)) }
              addBlocks(planar, width, out)
            }
          }
          for x in 0..<blocks.width {
            let across = min(width, (x + 1) * side) - x * side
            let share = 1 / Float(across * (last - row * side))
            let block = out[x]
            out[x] = SIMD4(block.x * share, block.y * share, block.z * share, block.w)
          }
        }
      }
    }
  }

  private typealias Planar = (
    UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>
  )

  /// White-balanced light of clusters.
  private func binRow(_ rows: DetailRows, _ y: Int, _ count: Int, _ out: Planar) {
    let cluster = FusionGeometry.cluster
    let upper = rows.floats(geometry.originY + cluster * y)
    let lower = rows.floats(geometry.originY + cluster * y + 1)
    let last = geometry.detail.width - 1
    let origin = geometry.originX
    let share = scale * 0.25
    @inline(__always) func set(_ x: Int, _ left: Int, _ right: Int) {
      let (a, b) = (3 &* left, 3 &* right)
      out.0[x] = share.x * ((upper[a] + upper[b]) + (lower[a] + lower[b]))
      out.1[x] = share.y * ((upper[a &+ 1] + upper[b &+ 1]) + (lower[a &+ 1] + lower[b &+ 1]))
      out.2[x] = share.z * ((upper[a &+ 2] + upper[b &+ 2]) + (lower[a &+ 2] + lower[b &+ 2]))
    }
    // Columns whose cluster lies inside.
    let first = min(count, max(0, (cluster - 1 - origin) / cluster))
    let end = max(first, min(count, (last - origin + 1) / cluster))
    for x in first..<end { set(x, origin &+ cluster &* x, origin &+ cluster &* x &+ 1) }
    for x in [0..<first, end..<count].joined() {
      let left = max(0, min(last, origin + cluster * x))
      set(x, left, max(0, min(last, left + 1)))
    }
  }

  private func addBlocks(_ from: Planar, _ count: Int, _ blocks: UnsafeMutablePointer<SIMD4<Float>>) {
    let side = FusionLight.blockSide
    let unit = SIMD4<Float>(1 / scale.x, 1 / scale.y, 1 / scale.z, 0)
    for start in stride(from: 0, to: count, by: side) {
      let slot = start / side
      var block = blocks[slot]
      for x in start..<min(count, start + side) {
        let (red, green, blue) = (from.0[x], from.1[x], from.2[x])
        block.x += red
        block.y += green
        block.z += blue
        block.w = max(block.w, max(red * unit.x, max(green * unit.y, blue * unit.z)))
      }
      blocks[slot] = block
    }
  }
}
