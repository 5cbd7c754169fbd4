import ImageCore
import PhotoFiles
import Pipeline
import RawFiles
import Synthesis
import TIFFTags

extension SceneKind: ExpressibleByArgument {}

struct OrientationArgument: ExpressibleByArgument {
  let orientation: Orientation
  init?(argument: ArgumentWord) {
    guard let number = Int(argument.text), let orientation = Orientation(exif: number) else { return nil }
    self.orientation = orientation
  }
  static var allValueStrings: [String] { Orientation.allCases.map { "\($0.rawValue)" } }
}

/// `DX,DY` in pixels.
struct MotionArgument: ExpressibleByArgument {
  let dx: Double
  let dy: Double
  init?(argument: ArgumentWord) {
    let parts = argument.text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard parts.count == 2, let dx = parts[0], let dy = parts[1], dx.isFinite, dy.isFinite else { return nil }
    (self.dx, self.dy) = (dx, dy)
  }
}

struct SynthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "synth",
    abstract: "Synthetic captures: procedural scenes through a sensor model, with the truth beside them.",
    discussion:
      "Writes OUT and, beside it, OUT's stem with .truth.tif: noise-free linear sRGB light, 32-bit, upright.",
    examples: [
      ("duo-process synth -o chart.dng", "a 768x512 Bayer capture of a test chart"),
      ("duo-process synth -o quad.dng --cfa quad-rggb --size 48MP --iso 400", "a 48MP quad capture"),
      ("duo-process synth -o lie.dng --cfa quad-rggb --declared-cfa rggb", "with a wrong tag"),
      ("duo-process synth -o plus2.dng --ev 2 --motion 3.5,-2", "one frame of a bracket"),
    ])

  @Option(short: "o", value: "OUT", help: "The DNG to write; - is standard output, without the truth.") var output:
    FilePath
  @Option(help: "What to render.") var scene: SceneKind = .chart
  @Option(value: "WxH", help: "Size of the upright picture: 768x512 unless given; 12MP, 24MP, 48MP too.")
  var size: SizeArgument?
  @Option(value: "CFA", help: "Colour filter array: rggb unless given; quad-rggb, nona-rggb, xtrans, gmcy …")
  var cfa: CFAPattern?
  @Option(value: "CFA", help: "The colour filter array that the file claims.") var declaredCfa: CFAPattern?
  @Option(value: "N", help: "Seed of scene and noise.") var seed: Int = 1
  @Option(value: "N", help: "ISO speed, which sets the noise.") var iso: Int = 100
  @Option(value: "EV", help: "Exposure in stops.") var ev: Double = 0
  @Option(value: "PX", help: "Gaussian blur of the optics, pixels.") var blur: Double = 0.5
  @Option(value: "N", help: "Black level, counts.") var black: Int = 528
  @Option(value: "N", help: "Saturation, counts.") var white: Int = 4095
  @Option(value: "1…8", help: "How the camera was held: the EXIF orientation of the file.") var orientation:
    OrientationArgument?
  @Option(value: "DX,DY", help: "Motion of the scene, pixels.") var motion: MotionArgument?
  @Flag(help: "No noise.") var noNoise: Bool
  @Flag(help: "Do not write the truth.") var noTruth: Bool
  @Flag(help: "Replace outputs that exist.") var overwrite: Bool
  @OptionGroup var common: CommonOptions

  func validate() throws(UsageError) {
    try common.check()
    guard (0...65535).contains(black), (1...65535).contains(white), white > black else {
      throw UsageError("levels must be 0 ≤ black < white ≤ 65535")
    }
    guard iso > 0 else { throw UsageError("--iso must be above 0") }
    guard seed >= 0 else { throw UsageError("--seed must not be negative") }
  }

  func run() -> Int32 {
    let resources = Resources(workers: Workers(count: common.threadCount), pool: MemoryPool())
    let existing: ExistingOutput = overwrite ? .overwrite : .refuse
    do throws(JobFailure) {
      // Names are checked before the work, which may take long.
      let truthPath = writesTruth ? output.folder.appending(output.stem + Array(".truth.tif".utf8)) : nil
      for path in [output, truthPath].compactMap({ $0 }) where path.exists && !overwrite && !path.isStandardStream {
        throw JobFailure(.cannotCreate, "\(path.string) exists; use --overwrite")
      }
      let file: any OutputFile =
        output.isStandardStream
        ? try StandardOutputFile(spoolingIn: .spoolFolder) : try AtomicFile(output, existing: existing)
      let capture = Synthesizer.capture(
        Scene(sceneRecipe, resources: resources), sensor: sensorRecipe, resources: resources)
      do { try DNGWriter.write(capture.photo, to: file.descriptor, software: DuoProcess.software) } catch {
        throw JobFailure(.ioError, "\(error)")
      }
      if let truthPath {
        let truth = try AtomicFile(truthPath, existing: existing)
        try PictureEncoder.writeTruth(capture.truth, into: truth.descriptor)
        try truth.commit()
      }
      try file.commit()
      if common.verbose { Terminal.print(error: "\(output.string) written\n") }
      return ExitStatus.success.rawValue
    } catch { return Self.fail(error) }
  }

  private var writesTruth: Bool { !noTruth && !output.isStandardStream }

  private var sceneRecipe: SceneRecipe {
    SceneRecipe(kind: scene, size: size?.size ?? PixelSize(width: 768, height: 512), seed: UInt64(seed))
  }

  private var sensorRecipe: SensorRecipe {
    var recipe = SensorRecipe()
    recipe.cfa = cfa ?? .rggb
    recipe.declaredCFA = declaredCfa
    recipe.black = black
    recipe.white = white
    recipe.iso = iso
    recipe.exposureEV = ev
    recipe.blurSigma = blur
    recipe.hasNoise = !noNoise
    recipe.orientation = orientation?.orientation ?? .up
    recipe.motionX = motion?.dx ?? 0
    recipe.motionY = motion?.dy ?? 0
    recipe.seed = UInt64(seed)
    return recipe
  }
}
