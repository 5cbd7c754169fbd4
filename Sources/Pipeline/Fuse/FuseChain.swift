public import CaptureModel
import Develop
public import HDRMerge
public import ImageCore
import RawFiles
public import TIFFTags

/// The frames of a shot → one picture or linear DNG of half the full-resolution frame's pixels: light of the binned
/// frames, detail of the full one.
public struct FuseChain: PlacingChain {
  /// What reports call it.
  public let name = "fuse"
  /// The frames of each shot, by the file that stands for it.
  public var shots: [FilePath: Shot]
  /// How the base frames become one.
  public var merge: MergeOptions
  /// How the two become one.
  public var fusion: FusionOptions
  /// How RAW files are read, and how a picture is made of the result. Its output may be a DNG.
  public var develop: DevelopChain
  /// How a DNG is written.
  public var output: Recipe.Output
  /// Where to draw how much of the detail frame is in each place; `nil` for nowhere.
  public var sourceMap: FilePath?
  /// Where to draw what moved; `nil` for nowhere.
  public var ghostMap: FilePath?

  /// A chain of these settings; nothing is read yet.
  public init(
    shots: [FilePath: Shot], merge: MergeOptions, fusion: FusionOptions = FusionOptions(), develop: DevelopChain,
    output: Recipe.Output, sourceMap: FilePath? = nil, ghostMap: FilePath? = nil
  ) {
    (self.shots, self.merge, self.fusion, self.develop, self.output) = (shots, merge, fusion, develop, output)
    if merge.alignment == .none { self.fusion.alignment = .none }
    (self.sourceMap, self.ghostMap) = (sourceMap, ghostMap)
  }

  /// What is known of the capture; `nil` when nothing is.
  public var capture: CaptureDecision? {
    get { develop.capture }
    set { develop.capture = newValue }
  }

  /// Fuses the shot that `input` stands for.
  ///
  /// - Throws: bad data (65) when the frames do not make one shot, else as reading, developing and writing do.
  public func run(_ input: FilePath, into descriptor: Int32, resources: Resources) throws(JobFailure) -> ChainResult {
    guard let shot = shots[input] else {
      throw JobFailure(.usage, "stands for no shot: a full-resolution frame and base frames are needed")
    }
    var clock = StageClock()
    let fused = try fuse(shot, resources, &clock)
    var result = try FuseFinish(
      develop: develop, output: output, source: develop.raw.headerless == nil ? fused.reference : nil,
      spreadsLight: fused.headroom > FuseFinish.leastHeadroom
    ).finish(fused.photo, size: fused.report.fusion.detailSize, into: descriptor, resources: resources, clock: clock)
    result.frames = shot.files.map(\.string)
    result.cfa = fused.cfa
    result.siteGains = fused.siteGains
    result.merge = fused.merge
    result.fuse = fused.report
    for warning in fused.warnings { result.warn(warning) }
    if fused.report.decision != .fused { result.warn(fused.report.reason) }
    if let sourceMap { try write(fused.sourceMap, to: sourceMap) }
    if let ghostMap { try write(fused.ghostMap, to: ghostMap) }
    return result
  }

  /// Everything up to the fused photo; the frames are given up at its end.
  private func fuse(
    _ shot: Shot, _ resources: Resources, _ clock: inout StageClock
  ) throws(JobFailure) -> FusedShot {
    var frames = try ShotFrames(shot, raw: develop.raw, resources: resources)
    clock.mark("read")
    let base = try FuseBase.merged(&frames, merge, resources: resources)
    clock.mark("merge")
    var fuser = ShotFuser(
      frames: frames, base: base, options: fusion, quality: develop.develop.demosaic, resources: resources)
    return try fuser.run(&clock)
  }

  private func write(_ map: Image<UInt8>, to path: FilePath) throws(JobFailure) {
    let file = try AtomicFile(path, existing: .overwrite)
    try PictureEncoder.writeMap(map, named: path, into: file.descriptor)
    try file.commit()
  }

  /// All frames of a shot.
  public func sources(of input: FilePath) -> [FilePath] { shots[input]?.files ?? [input] }

  /// Memory that a shot will need at most, bytes: its frames, or the merged light in full colour and
  /// the result twice.
  public func expectedMemory(of input: FilePath) -> Int {
    guard let shot = shots[input] else { return 0 }
    let full = (try? RawReader(options: develop.raw).describe(shot.representative))?.activeArea.size.area ?? 0
    let bytesPerCount = 2
    // While frames are read: the mosaic, its equalised copy, and all base frames of a quarter of the photosites.
    let reading = full * 2 * bytesPerCount + full / 4 * bytesPerCount * shot.base.count
    // Afterwards, where base frames were: merged light as Float, two pictures of its brightness; result and domain planes
    // of half the pixels.
    let (light, brightness, result) = (3, 2, 6)
    return max(reading, full * (2 * bytesPerCount + light + brightness + result))
  }
}
