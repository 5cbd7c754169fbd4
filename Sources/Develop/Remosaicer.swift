public import ImageCore

/// A quad array → a Bayer array of the same size, through the filters that demosaic it, computed only where a
/// photosite changes its colour.
///
/// Six of sixteen photosites keep their colour and their count, unless the capture is so noisy that all are estimated
/// anew. Black and white levels stay.
public struct Remosaicer: Sendable {
  private let demosaic: TrainedDemosaic
  private let mosaic: Mosaic
  /// Factors of red, green and blue that the codes' light must be divided by, times full scale, counts.
  private let scales: [Float]
  /// The method, for the report.
  public let name: String
  /// The filter array of the result: red where the quad array has the first photosite of a red cluster.
  public let cfa: CFAPattern

  /// Chooses tables by the capture's noise.
  ///
  /// - Parameter quality: `best` adds nothing over `balanced` here.
  /// - Throws: when the photo is no quad mosaic.
  public init(_ photo: RawPhoto, quality: DemosaicQuality = .balanced) throws(DevelopError) {
    guard case .mosaic(let mosaic) = photo.pixels, let array = ClusteredArray(mosaic.cfa), array.side == 2 else {
      throw .notQuad(photo.pixels.cfa)
    }
    let transform = try ColourTransform(photo.calibration, sensor: mosaic.cfa.distinctColours, options: .standard)
    let pairs = zip(transform.colours, transform.multipliers)
    let multipliers = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    let bayer = TrainedPattern.bayer
    let demosaic = TrainedDemosaic(
      mosaic, noise: photo.noise, multipliers: multipliers, quality: quality == .fast ? .fast : .balanced,
      limit: nil, passesLight: true,
      wanted: { colour, site in bayer.colour(ofSite: site) == colour })
    guard let demosaic else { throw .tooSmall(mosaic.size) }
    self.demosaic = demosaic
    self.mosaic = mosaic
    name = demosaic.name
    cfa = CFAPattern.rggb.shifted(dx: array.x % 2, dy: array.y % 2)
    scales = [CFAColour.red, .green, .blue].map { Float(1 / (multipliers[$0] ?? 1)) }
  }

  /// The mosaic with its new colours, of the same size and levels.
  public func mosaic(resources: Resources = Resources()) -> Mosaic {
    var samples = Image<UInt16>(uninitialized: mosaic.size, in: resources.pool)
    let tiles = demosaic.tiles(of: PixelRect(mosaic.size))
    samples.withMutableRows { out in
      resources.workers.forEach(tiles: tiles.count, scratch: { RemosaicScratch(demosaic) }) { index, scratch in
        let core = tiles[index]
        demosaic.prepare(core, scratch: scratch.trained)
        for y in 0..<core.height {
          let camera = scratch.rows.cameraRow(count: core.width)
          demosaic.row(y, of: core, scratch: scratch.trained, into: camera)
          write(camera, core, core.y + y, out.row(core.y + y) + core.x)
        }
      }
    }
    return Mosaic(samples: samples, cfa: cfa, levels: mosaic.levels)
  }

  /// Light → counts, for each phase of the Bayer array; counts that keep their colour are copied.
  private func write(_ camera: CameraRow, _ core: PixelRect, _ y: Int, _ out: UnsafeMutablePointer<UInt16>) {
    let white = mosaic.levels.white[0]
    let level = mosaic.levels.black
    let columns = level.columnDeltas
    // After this many columns colours and black levels repeat.
    let period = mosaic.cfa.width * level.width
    mosaic.samples.withRows { rows in
      let counts = rows.row(y) + core.x
      for phase in 0..<min(period, core.width) {
        let colour = cfa[core.x + phase, y]
        if demosaic.isClean && mosaic.cfa[core.x + phase, y] == colour {
          for x in stride(from: phase, to: core.width, by: period) { out[x] = counts[x] }
          continue
        }
        let plane = camera.plane(Int(colour.rawValue))
        let own = level.value(x: core.x + phase, y: y) - (columns.isEmpty ? 0 : columns[core.x + phase])
        let scale = scales[Int(colour.rawValue)]
        for x in stride(from: phase, to: core.width, by: period) {
          let black = own + (columns.isEmpty ? 0 : columns[core.x + x])
          let count = plane[x] * scale * (white - black) + black + 0.5
          out[x] = UInt16(min(max(count, 0), Float(UInt16.max)))
        }
      }
    }
  }
}

/// Buffers of one thread.
private final class RemosaicScratch {
  let trained: TrainedScratch
  let rows = RowScratch(width: TrainedDemosaic.tileWidth)

  init(_ demosaic: TrainedDemosaic) { trained = TrainedScratch(demosaic) }
}

extension RawPhoto.Pixels {
  /// The filter array of a mosaic.
  fileprivate var cfa: CFAPattern? {
    if case .mosaic(let mosaic) = self { mosaic.cfa } else { nil }
  }
}
