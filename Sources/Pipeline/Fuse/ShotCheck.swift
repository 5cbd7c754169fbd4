import ImageCore
import TIFFTags

/// What frames must have in common to be one shot. Failures are bad data (65) and name the frame.
enum ShotCheck {
  /// One camera, and one set of filter colours.
  static func cameras(_ detail: RawPhoto, _ base: [RawPhoto], _ paths: [FilePath]) throws(JobFailure) {
    for (photo, path) in zip(base, paths) {
      if let a = photo.facts.name, let b = detail.facts.name, a != b {
        throw JobFailure(
          .badData, "\(path.string) was taken by \(a), the detail frame by \(b): fuse frames of one camera")
      }
      if photo.colours != detail.colours {
        throw JobFailure(
          .badData,
          "\(path.string) has the filter colours \(photo.colours), the detail frame \(detail.colours): fuse frames of one sensor"
        )
      }
    }
  }

  /// Base frames of one size, a detail frame of twice their sides.
  static func sizes(_ detail: RawPhoto, _ base: [RawPhoto], _ paths: [FilePath]) throws(JobFailure) {
    let first = base[0].pixels.size
    for (photo, path) in zip(base, paths) where photo.pixels.size != first {
      throw JobFailure(
        .badData,
        "\(path.string) is \(photo.pixels.size) pixels, \(paths[0].string) \(first): base frames have one size"
      )
    }
    let full = detail.pixels.size
    guard full.width > first.width, full.height > first.height else {
      throw JobFailure(
        .badData,
        "the detail frame is \(full), the base frames \(first): the detail frame must have the higher resolution")
    }
    let ratios = (Double(full.width) / Double(first.width), Double(full.height) / Double(first.height))
    let tolerance = 0.03
    guard abs(ratios.0 / 2 - 1) <= tolerance, abs(ratios.1 / 2 - 1) <= tolerance else {
      throw JobFailure(
        .badData,
        "the detail frame is \(full), the base frames \(first): its sides must be twice theirs, as of a sensor read in full and binned 2x2"
      )
    }
    if case .mosaic(let mosaic) = detail.pixels, let side = mosaic.cfa.clusters?.side, side > 2 {
      throw JobFailure(.badData, "the detail frame has clusters of \(side)x\(side): only quad (2x2) arrays are fused")
    }
  }

  /// Whether the detail frame has detail to give.
  ///
  /// Its photosites must be as noisy as the file says, or else as single ones of the base frames are: these are sums of
  /// four.
  ///
  /// - Throws: bad data (65) when it was enlarged from a frame of a quarter of its pixels.
  static func resolution(
    of detail: RawPhoto, recordedNoise: NoiseProfile?, beside base: RawPhoto
  ) throws(JobFailure) -> ResolutionProbe? {
    let photosites = 4.0
    let single = base.noise.map { noise in
      NoiseProfile(
        planes: noise.planes.map { .init(scale: $0.scale * photosites, offset: $0.offset * photosites) })
    }
    guard case .mosaic(let mosaic) = detail.pixels,
      let found = ResolutionProbe.measure(mosaic, noise: recordedNoise ?? single)
    else { return nil }
    guard !found.isEnlarged else {
      let percent = Int(((found.noiseShare ?? 0) * 100).rounded())
      throw JobFailure(
        .badData,
        "the detail frame has \(percent) % of the noise that single photosites have: it was enlarged from a smaller frame and holds no detail; merge the base frames instead"
      )
    }
    return found
  }

  /// Colours of the detail frame agree with those of the base.
  ///
  /// - Throws: bad data (65) when red or blue light differs from green by more than vignetting and flicker explain.
  static func colours(_ gains: RGBTriple) throws(JobFailure) {
    let most = 1.18
    for (name, gain) in [("red", gains.red), ("blue", gains.blue)] {
      let share = gain / gains.green
      guard share > 1 / most, share < most else {
        throw JobFailure(
          .badData,
          "the detail frame has \((share * 100).rounded() / 100) times the \(name) light of the base frames: a filter array is tagged wrongly (see --cfa), or the frames are of different cameras or levels"
        )
      }
    }
  }
}

extension CaptureFacts {
  /// The camera by make and model; `nil` when the file says neither.
  fileprivate var name: String? {
    let parts = [make, model].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }
}

extension RawPhoto {
  /// Letters of the filter colours.
  fileprivate var colours: String {
    switch pixels {
    case .mosaic(let mosaic): String(mosaic.cfa.distinctColours.map(\.letter))
    case .linear: "RGB"
    }
  }
}
