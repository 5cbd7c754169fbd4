import ImageCore

/// Where the camera's colours come from.
enum ColourSource: Sendable {
  case bayer(MosaicEncoder, DirectionalDemosaic)
  case anyPattern(MosaicEncoder, WeightedMeanDemosaic)
  case trained(TrainedDemosaic)
  case linear(LinearDecoder)
}

/// Buffers of one thread, reused by all its tiles, and what they hold for the tile under way.
final class DevelopScratch {
  private enum Stage {
    case bayer(MosaicEncoder, DirectionalDemosaic, TileScratch)
    case anyPattern(MosaicEncoder, WeightedMeanDemosaic, TileScratch)
    case trained(TrainedDemosaic, TrainedScratch)
    case linear(LinearDecoder)
  }

  let rows: RowScratch
  private let stage: Stage

  init(_ source: ColourSource) {
    switch source {
    case .bayer(let encoder, let demosaic): stage = .bayer(encoder, demosaic, TileScratch())
    case .anyPattern(let encoder, let demosaic): stage = .anyPattern(encoder, demosaic, TileScratch())
    case .trained(let demosaic): stage = .trained(demosaic, TrainedScratch(demosaic))
    case .linear(let decoder): stage = .linear(decoder)
    }
    rows = RowScratch(width: max(TileGrid.paddedWidth, TrainedDemosaic.tileWidth))
  }

  /// Finds all colours of a tile, as far as that is done tile by tile.
  func prepare(_ core: PixelRect) {
    switch stage {
    case .bayer(let encoder, let demosaic, let scratch):
      let tile = EncodedMosaicTile(base: scratch.plane(0), core: core)
      encoder.encode(core, into: tile)
      demosaic.prepare(tile, scratch: scratch)
    case .anyPattern(let encoder, _, let scratch):
      encoder.encode(core, into: EncodedMosaicTile(base: scratch.plane(0), core: core))
    case .trained(let demosaic, let scratch): demosaic.prepare(core, scratch: scratch)
    case .linear: break
    }
  }

  /// The camera's colours in row `y` of the prepared tile.
  func cameraRow(_ y: Int, of core: PixelRect, into row: CameraRow) {
    switch stage {
    case .bayer(_, let demosaic, let scratch):
      demosaic.row(y, of: EncodedMosaicTile(base: scratch.plane(0), core: core), scratch: scratch, into: row)
    case .anyPattern(_, let demosaic, let scratch):
      demosaic.row(y, of: EncodedMosaicTile(base: scratch.plane(0), core: core), into: row)
    case .trained(let demosaic, let scratch): demosaic.row(y, of: core, scratch: scratch, into: row)
    case .linear(let decoder): decoder.row(x: core.x, y: core.y + y, into: row)
    }
  }
}
