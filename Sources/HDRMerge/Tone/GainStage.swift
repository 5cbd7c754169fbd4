import ImageCore

/// Multiplies a photo's light by a map of gains and stores it with white at the base exposure's white.
struct GainStage {
  let frame: SourceFrame
  let gains: Image<Float>
  /// Cells on a side of a point of the map.
  let block: Int
  let exposure: Float
  /// Light of each sample of a cell above which it is cut.
  let ceilings: [Float]

  private static let rowsPerBand = 16

  func applied(to photo: RawPhoto, resources: Resources) -> RawPhoto {
    let cell = frame.cell
    var result = photo
    result.baselineExposure = 0
    // Noise depends on the gain and so on the place.
    result.noise = nil
    let (black, white) = (Float(MergeRun.black), Float(MergeRun.white))
    switch photo.pixels {
    case .mosaic(let mosaic):
      var image = Image<UInt16>(uninitialized: mosaic.size, in: resources.pool)
      image.withMutableRows { run($0, resources.workers) }
      result.pixels = .mosaic(
        Mosaic(samples: image, cfa: mosaic.cfa, levels: SensorLevels(black: black, white: white)))
    case .linear(let picture):
      var image = Image<RGB<UInt16>>(uninitialized: picture.size, in: resources.pool)
      image.withMutableRows { rows in
        let base = UnsafeMutableRawPointer(rows.base).assumingMemoryBound(to: UInt16.self)
        run(
          MutablePixelRows(
            base: base, width: rows.width * cell.width, height: rows.height, stride: rows.stride * cell.width),
          resources.workers)
      }
      let levels = SensorLevels(
        black: BlackLevel(uniform: black, planes: cell.width), white: Array(repeating: white, count: cell.width))
      result.pixels = .linear(LinearPicture(samples: image, levels: levels))
    }
    return result
  }

  private func run(_ rows: MutablePixelRows<UInt16>, _ workers: Workers) {
    let cell = frame.cell
    let store = CountStore(black: Float(MergeRun.black), scale: Float(MergeRun.white - MergeRun.black))
    let cells = frame.grid.width
    frame.withSamples { samples in
      gains.withRows { map in
        workers.forEachBand(of: rows.height, rowsPerBand: Self.rowsPerBand) { band in
          withUnsafeTemporaryAllocation(of: Float.self, capacity: rows.width + cell.width + 2 * cells) { buffer in
            let light = buffer.baseAddress!
            let cellGains = light + rows.width + cell.width
            for y in band {
              fill(cellGains, map, cellRow: y / cell.height, count: cells)
              frame.light(samples, x: 0, y: y, count: rows.width, factor: exposure, into: light)
              let phase = y % cell.height * cell.width
              for column in 0..<cell.width {
                let ceiling = ceilings[phase + column]
                for x in 0..<(rows.width - column + cell.width - 1) / cell.width {
                  let at = x * cell.width + column
                  light[at] = CellKernels.smaller(light[at], ceiling) * cellGains[x]
                }
              }
              store.store(light, count: rows.width, into: rows.row(y))
            }
          }
        }
      }
    }
  }

  /// Gains of one row of cells, straight lines between the map's points.
  private func fill(_ out: UnsafeMutablePointer<Float>, _ map: PixelRows<Float>, cellRow: Int, count: Int) {
    let unit = 1 / Float(block)
    let half = Float(block - 1) / 2
    let v = max(0, min(Float(map.height - 1), (Float(cellRow) - half) * unit))
    let top = min(map.height - 1, Int(v))
    let (a, b) = (map.row(top), map.row(min(map.height - 1, top + 1)))
    let down = v - Float(top)
    for x in 0..<count {
      let u = max(0, min(Float(map.width - 1), (Float(x) - half) * unit))
      let left = min(map.width - 1, Int(u))
      let right = min(map.width - 1, left + 1)
      let across = u - Float(left)
      let upper = a[left] + across * (a[right] - a[left])
      let lower = b[left] + across * (b[right] - b[left])
      out[x] = upper + down * (lower - upper)
    }
  }
}
