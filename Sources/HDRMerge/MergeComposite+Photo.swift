public import ImageCore

extension MergeComposite {
  /// The composite as ``BracketMerger/merge(_:options:resources:)`` would give it: 16-bit counts, with levels, noise and
  /// baseline exposure to match.
  public func rounded(resources: Resources = Resources()) -> RawPhoto {
    let (black, white) = (Float(MergeRun.black), Float(MergeRun.white))
    let store = CountStore(black: black, scale: (white - black) / Float(range))
    var photo = reference
    switch samples {
    case .mosaic(let mosaic, _):
      var image = Image<UInt16>(uninitialized: mosaic.size, in: resources.pool)
      mosaic.plane.withRows { from in
        image.withMutableRows { Self.round(from, store, into: $0, resources.workers) }
      }
      photo.pixels = .mosaic(
        Mosaic(samples: image, cfa: mosaic.cfa, levels: SensorLevels(black: black, white: white)))
    case .linear(let picture, _):
      let planes = SampleCell.picture.width
      var image = Image<RGB<UInt16>>(uninitialized: picture.size, in: resources.pool)
      picture.withRows { from in
        image.withMutableRows { to in
          let light = PixelRows(
            base: UnsafeRawPointer(from.base).assumingMemoryBound(to: Float.self), width: from.width * planes,
            height: from.height, stride: from.stride * planes)
          let counts = MutablePixelRows(
            base: UnsafeMutableRawPointer(to.base).assumingMemoryBound(to: UInt16.self), width: to.width * planes,
            height: to.height, stride: to.stride * planes)
          Self.round(light, store, into: counts, resources.workers)
        }
      }
      let levels = SensorLevels(
        black: BlackLevel(uniform: black, planes: planes), white: Array(repeating: white, count: planes))
      photo.pixels = .linear(LinearPicture(samples: image, levels: levels))
    }
    photo.baselineExposure += Elementary.log2(range)
    photo.noise = NoiseProfile(
      planes: noise.planes.map { .init(scale: $0.scale / range, offset: $0.offset / (range * range)) })
    return photo
  }

  private static let rowsPerBand = 64

  private static func round(
    _ from: PixelRows<Float>, _ store: CountStore, into to: MutablePixelRows<UInt16>, _ workers: Workers
  ) {
    workers.forEachBand(of: from.height, rowsPerBand: rowsPerBand) { band in
      for y in band { store.store(from.row(y), count: from.width, into: to.row(y)) }
    }
  }
}
