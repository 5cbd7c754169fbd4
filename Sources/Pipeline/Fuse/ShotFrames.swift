import HDRMerge
import ImageCore
import RawFiles
import TIFFTags

/// The frames of a shot, read and checked: the full-resolution one as it is, the others with their clusters binned.
struct ShotFrames {
  /// The full-resolution frame, the photosites of its clusters made equal.
  let detail: RawPhoto
  /// See ``FusedShot/siteGains``.
  let siteGains: Double?
  let detailPath: FilePath
  /// One photosite a cluster.
  var base: [RawPhoto]
  let basePaths: [FilePath]
  /// Index into ``base`` of the frame whose moment the merged light shows.
  let reference: Int
  let resolution: ResolutionProbe?
  let noiseEstimated: [String]
  var warnings: [String]
  /// What the full-resolution frame's filter array was taken to be.
  let cfa: CFAFinding?
  /// Stops that the reference itself asks for.
  let referenceExposure: Double

  /// Reads the frames of a shot. Quad frames of the base are binned as soon as they are read, so that no more than one
  /// is held in full beside the detail frame.
  ///
  /// - Throws: bad data (65) when the frames do not make one shot, or what reading throws.
  init(_ shot: Shot, raw: RawReadOptions, resources: Resources) throws(JobFailure) {
    var reading = ShotReading(raw: raw, resources: resources)
    if let path = shot.detail { try reading.takeDetail(path) }
    for path in shot.base { try reading.takeBase(path, mayBeDetail: shot.detail == nil) }
    guard var detail = reading.detail, let detailPath = reading.detailPath else {
      throw JobFailure(.badData, "none of the frames is a quad mosaic: name the full-resolution frame with --detail")
    }
    var base = reading.base
    let basePaths = shot.base
    try ShotCheck.cameras(detail, base, basePaths)
    try ShotCheck.sizes(detail, base, basePaths)
    var estimated: [String] = []
    let recorded = detail.noise
    if detail.noise == nil {
      detail.noise = NoiseProfile(estimatedFrom: detail)
      estimated.append(detailPath.string)
    }
    for index in base.indices where base[index].noise == nil {
      base[index].noise = NoiseProfile(estimatedFrom: base[index])
      estimated.append(basePaths[index].string)
    }
    resolution = try ShotCheck.resolution(of: detail, recordedNoise: recorded, beside: base[0])
    warnings = reading.warnings
    if !estimated.isEmpty {
      warnings.append("no noise profile in \(estimated.joined(separator: ", ")): estimated from the pixels")
    }
    if base.contains(where: { $0.orientation != detail.orientation }) {
      warnings.append("the frames' orientation tags differ; that of the reference is taken")
    }
    reference =
      shot.reference.flatMap { wanted in basePaths.firstIndex(of: wanted) }
      ?? Self.nearest(to: detail, at: basePaths.firstIndex(of: detailPath), among: base)
    referenceExposure = base[reference].baselineExposure
    noiseEstimated = estimated
    cfa = reading.cfa
    // Last, and with no other owner left, so that the frame as it was read is given up.
    reading.detail = nil
    siteGains = detail.equaliseSites(resources: resources)
    (self.detail, self.detailPath, self.base, self.basePaths) = (detail, detailPath, base, basePaths)
  }

  /// The frame next in time to the detail frame; among equals the one next in exposure, then the first. The detail
  /// frame's own light when it is among them.
  private static func nearest(to detail: RawPhoto, at own: Int?, among base: [RawPhoto]) -> Int {
    if let own { return own }
    func distance(_ photo: RawPhoto) -> (Int, Double) {
      let seconds = BracketGrouping.second(photo.facts).flatMap { a in
        BracketGrouping.second(detail.facts).map { abs(a - $0) }
      }
      let stops = photo.facts.light.flatMap { a in detail.facts.light.map { abs(Elementary.log2(a / $0)) } }
      return (seconds ?? 0, stops ?? 0)
    }
    return base.indices.min { distance(base[$0]) < distance(base[$1]) }!
  }
}

/// Frames while they are being read.
private struct ShotReading {
  let raw: RawReadOptions
  let resources: Resources
  var detail: RawPhoto?
  var detailPath: FilePath?
  var cfa: CFAFinding?
  var base: [RawPhoto] = []
  var warnings: [String] = []
  private var best = 0.0

  /// A frame must show this much more than the best before it to be taken instead.
  private static let sharper = 1.03

  init(raw: RawReadOptions, resources: Resources) { (self.raw, self.resources) = (raw, resources) }

  mutating func takeDetail(_ path: FilePath) throws(JobFailure) {
    let capture = try read(path, raw)
    (detail, detailPath, cfa) = (capture.photo, path, capture.cfa)
  }

  /// - Parameter mayBeDetail: no detail frame was named, so that this one is it when it is sharper than those before.
  mutating func takeBase(_ path: FilePath, mayBeDetail: Bool) throws(JobFailure) {
    if path == detailPath, let detail {
      base.append(try binned(detail, path))
      return
    }
    var options = raw
    // A filter array that is said is the detail frame's; in a shot of quad frames alone it is that of all.
    if !mayBeDetail { options.cfa = nil }
    let capture = try read(path, options)
    if mayBeDetail, case .mosaic(let mosaic) = capture.photo.pixels, mosaic.cfa.clusters?.side == 2 {
      let found = ResolutionProbe.measure(mosaic, noise: capture.photo.noise)
      let energy = (found?.energy ?? 0) / (capture.photo.facts.light ?? 1)
      if detail == nil || energy > best * Self.sharper {
        (detail, detailPath, cfa, best) = (capture.photo, path, capture.cfa, energy)
      }
    }
    base.append(try binned(capture.photo, path))
  }

  private mutating func read(_ path: FilePath, _ options: RawReadOptions) throws(JobFailure) -> ReadCapture {
    do throws(JobFailure) {
      if options.white == nil, let description = try? RawReader(options: options).describe(path),
        !description.statesLevels
      {
        throw JobFailure(
          .badData, "states no black and white level: say --black and --white, which then hold for all frames")
      }
      let capture = try CaptureReader(options: options).read(path, resources: resources)
      if let warning = capture.warning { warnings.append("\(path.string) \(warning)") }
      return capture
    } catch { throw error.naming(path) }
  }

  private func binned(_ photo: RawPhoto, _ path: FilePath) throws(JobFailure) -> RawPhoto {
    guard let side = photo.clusterSide, side > 1 else { return photo }
    do { return try photo.binned(.mean, resources: resources) } catch { throw JobFailure(error).naming(path) }
  }
}

extension JobFailure {
  /// The same with a file's name in front.
  func naming(_ path: FilePath) -> JobFailure { JobFailure(status, "\(path.string): \(message)") }
}

extension CaptureFacts {
  /// Time x sensitivity / f-number², up to a factor; `nil` when the file does not say.
  var light: Double? {
    guard let exposureTime, exposureTime > 0, let iso, iso > 0 else { return nil }
    guard let fNumber, fNumber > 0 else { return exposureTime * iso }
    return exposureTime * iso / (fNumber * fNumber)
  }
}
