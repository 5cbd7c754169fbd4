import FoundationEssentials
import ImageCore
import PhotoFiles
import Pipeline
import RawFiles
import Synthesis
import TIFFTags

extension ShotRecipe.Companions: ExpressibleByArgument {}

struct SynthShotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "synth shot",
    abstract: "A synthetic 24MP-style shot: one full-resolution quad frame, several binned ones, the truth.",
    discussion:
      "Writes shot-detail.dng, shot-base-1.dng …, shot.shot.json (the list of frames that batch reads) and shot.truth.tif: noise-free linear sRGB light at 17/24 of the full-resolution sides, 32-bit. Noise is independent from frame to frame.",
    examples: [
      ("duo-process synth shot -o shot/", "a small shot: 1152x768 and eight times 576x384"),
      ("duo-process synth shot -o shot/ --size 8064x6048 --electrons 1000", "48MP and 12MP frames of a phone"),
      ("duo-process synth shot -o shot/ --shift 4 --turn 0.2 --mover", "held by hand, and something moves"),
      ("duo-process synth shot -o shot/ --bracket 2", "exposures 0, -2 and +2 EV in turn"),
      ("duo-process synth shot -o shot/ --companions quad --frames 3", "all frames at full resolution"),
      ("duo-process fuse --detail shot/shot-detail.dng --base shot/shot-base-*.dng -o fused.jpg", "what it is for"),
    ])

  @Option(short: "o", value: "DIR", help: "The folder to write into; made when it is not there.") var output: FilePath
  @Option(help: "What to render.") var scene: SceneKind = .chart
  @Option(value: "WxH", help: "Full-resolution size, sides multiples of 24: 1152x768 unless given; 48MP too.")
  var size: SizeArgument?
  @Option(value: "N", help: "Frames besides the full-resolution one.") var frames: Int = 8
  @Option(help: "What these are: binned 12MP-style Bayer frames, or quad frames at full resolution too.")
  var companions: ShotRecipe.Companions = .binned
  @Option(value: "N", help: "Photoelectrons of a full-resolution photosite at saturation.") var electrons: Double =
    1000
  @Option(value: "N", help: "Read noise of a full-resolution photosite, electrons.") var readNoise: Double = 2
  @Option(value: "PX", help: "Gaussian blur of the optics, full-resolution photosites.") var blur: Double = 0.6
  @Option(value: "PX", help: "Displace the other frames by up to this much, full-resolution photosites.")
  var shift: Double = 0
  @Option(value: "DEG", help: "Turn the other frames by up to this much.") var turn: Double = 0
  @Flag(help: "Something moves from frame to frame.") var mover: Bool
  @Option(value: "EV", help: "Expose the other frames by 0, minus and plus this much in turn.") var bracket: Double =
    0
  @Flag(help: "A full-resolution frame that lies: a binned one, interpolated.") var enlarged: Bool
  @Flag(help: "With --enlarged: noise of single photosites is added to it.") var freshNoise: Bool
  @Option(value: "N", help: "Seed of scene, noise and motion.") var seed: Int = 1
  @Flag(help: "Do not write the truth.") var noTruth: Bool
  @Flag(help: "Replace outputs that exist.") var overwrite: Bool
  @OptionGroup var common: CommonOptions

  private static let defaultSize = PixelSize(width: 1152, height: 768)
  /// Sides in these steps keep quad cells whole and make 17/24 of them whole numbers.
  private static let sideStep = 24
  private static let fusedStep = 17
  private static let mostFrames = 99

  func validate() throws(UsageError) {
    try common.check()
    let sides = size?.size ?? Self.defaultSize
    guard sides.width % Self.sideStep == 0, sides.height % Self.sideStep == 0 else {
      throw UsageError("--size \(sides): sides must be multiples of \(Self.sideStep)")
    }
    guard (1...Self.mostFrames).contains(frames) else {
      throw UsageError("--frames must be in 1...\(Self.mostFrames)")
    }
    for (name, value) in [("electrons", electrons), ("blur", blur)] where !(value > 0 && value.isFinite) {
      throw UsageError("--\(name) must be above 0")
    }
    for (name, value) in [("read-noise", readNoise), ("shift", shift), ("turn", turn), ("bracket", bracket)]
    where !(value >= 0 && value.isFinite) {
      throw UsageError("--\(name) must not be negative")
    }
    guard enlarged || !freshNoise else { throw UsageError("--fresh-noise needs --enlarged") }
    guard seed >= 0 else { throw UsageError("--seed must not be negative") }
  }

  func run() -> Int32 {
    let resources = Resources(workers: Workers(count: common.threadCount), pool: MemoryPool())
    do throws(JobFailure) {
      let isQuad = companions == .quad
      let names = (1...frames).map { isQuad ? "shot-\($0).dng" : "shot-base-\($0).dng" }
      let manifest = output.appending(Array("shot.shot.json".utf8))
      let truth = output.appending(Array("shot.truth.tif".utf8))
      let paths = ([detailName] + names).map { output.appending(Array($0.utf8)) }
      for path in paths + [manifest] + (noTruth ? [] : [truth]) where path.exists && !overwrite {
        throw JobFailure(.cannotCreate, "\(path.string) exists; use --overwrite")
      }
      let shot = ShotSynthesizer(recipe, resources: resources)
      try write(shot.detail(), to: paths[0])
      for index in 0..<frames { try write(shot.companion(index), to: paths[index + 1]) }
      if !noTruth {
        let full = recipe.size
        let fused = PixelSize(
          width: full.width / Self.sideStep * Self.fusedStep, height: full.height / Self.sideStep * Self.fusedStep)
        try write(to: truth) { descriptor throws(JobFailure) in
          try PictureEncoder.writeTruth(shot.truth(size: fused), into: descriptor)
        }
      }
      try write(to: manifest) { descriptor throws(JobFailure) in
        try ShotManifest(detail: detailName, base: names).write(to: descriptor)
      }
      return ExitStatus.success.rawValue
    } catch { return Self.fail(error) }
  }

  private var detailName: String { "shot-detail.dng" }

  private func write(_ photo: RawPhoto, to path: FilePath) throws(JobFailure) {
    try write(to: path) { descriptor throws(JobFailure) in
      do { try DNGWriter.write(photo, to: descriptor, software: DuoProcess.software) } catch {
        throw JobFailure(.ioError, "\(path.string): \(error)")
      }
    }
  }

  private func write(to path: FilePath, _ body: (Int32) throws(JobFailure) -> Void) throws(JobFailure) {
    let file = try AtomicFile(makingFolderFor: path, existing: overwrite ? .overwrite : .refuse)
    try body(file.descriptor)
    try file.commit()
    if common.verbose { Terminal.print(error: "\(path.string) written\n") }
  }

  private var recipe: ShotRecipe {
    var recipe = ShotRecipe(size: size?.size ?? Self.defaultSize)
    recipe.kind = scene
    recipe.frames = frames
    recipe.companions = companions
    recipe.electrons = electrons
    recipe.readNoise = readNoise
    recipe.blurSigma = blur
    recipe.largestShift = shift
    recipe.largestTurn = turn
    recipe.hasMover = mover
    recipe.bracketStops = bracket
    recipe.enlargement = enlarged ? freshNoise ? .noisy : .smooth : .none
    recipe.seed = UInt64(seed)
    return recipe
  }
}
