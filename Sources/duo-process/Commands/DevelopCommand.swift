import Develop
import ImageCore
import Pipeline
import RawFiles
import TIFFTags

struct ToneArgument: ExpressibleByArgument {
  let tone: DevelopOptions.Tone
  init?(argument: ArgumentWord) {
    guard let tone = DevelopOptions.Tone(rawValue: argument.text) else { return nil }
    self.tone = tone
  }
  static var allValueStrings: [String] { DevelopOptions.Tone.allCases.map(\.rawValue) }
}

struct RenderingArgument: ExpressibleByArgument {
  let rendering: DevelopOptions.Rendering
  init?(argument: ArgumentWord) {
    guard let rendering = DevelopOptions.Rendering(rawValue: argument.text) else { return nil }
    self.rendering = rendering
  }
  static var allValueStrings: [String] { DevelopOptions.Rendering.allCases.map(\.rawValue) }
}

extension PictureSize: ExpressibleByArgument {
  init?(argument: ArgumentWord) {
    guard let size = Self.allCases.first(where: { $0.rawValue.lowercased() == argument.text.lowercased() }) else {
      return nil
    }
    self = size
  }
}

/// `as-shot` or `R,G,B` multipliers.
struct WhiteBalanceArgument: ExpressibleByArgument {
  let value: DevelopOptions.WhiteBalance
  init?(argument: ArgumentWord) {
    if argument.text == "as-shot" {
      value = .asShot
      return
    }
    let gains = argument.text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? 0 }
    guard gains.count == 3, gains.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
    value = .multipliers(red: gains[0], green: gains[1], blue: gains[2])
  }
}

/// How RAW files are read and rendered.
struct RenderOptions: ParsableArguments {
  @Option(value: "R", help: "picture, or camera: linear camera RGB, black 0, white full scale, nothing else.")
  var rendering: RenderingArgument?
  @Option(value: "T", help: "standard is a pleasing curve, linear none.") var tone: ToneArgument?
  @Option(value: "as-shot|R,G,B", help: "White balance: the camera's, or multipliers.") var wb: WhiteBalanceArgument?
  @Option(value: "EV", help: "Stops to add.") var exposure: Double = 0
  @Option(value: "SPACE", help: "Colour space of the picture.") var profile: OutputColourSpace = .sRGB
  @Option(
    help: "12MP bins a quad sensor before developing and scales others down; full and 48MP keep every photosite.")
  var size: PictureSize = .full
  @OptionGroup var sensor: SensorOptions

  func check() throws(UsageError) { try sensor.check() }

  var rawOptions: RawReadOptions { sensor.rawOptions }

  var developOptions: DevelopOptions {
    var options = DevelopOptions.standard
    options.rendering = rendering?.rendering ?? .picture
    options.tone = tone?.tone ?? .standard
    options.whiteBalance = wb?.value ?? .asShot
    options.exposure = exposure
    options.outputSpace = profile
    return options
  }

  /// Camera values need more than 8 bits to be of use.
  var defaultBits: Int? { rendering?.rendering == .camera ? 16 : nil }
}

struct DevelopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "develop", abstract: "RAW files → finished pictures.",
    discussion: "Pictures come out upright, with the capture's EXIF and a colour profile.",
    examples: [
      ("duo-process develop IMG_0001.DNG -o IMG_0001.jpg", "one picture"),
      ("duo-process develop *.NEF -o out/ --format tiff --bits 16", "many, into a folder"),
      ("duo-process develop a.dng -o - --format png | magick - small.webp", "to another program"),
      ("duo-process develop a.dng -o a.tif --rendering camera --bits 16", "linear camera RGB for measuring"),
      ("duo-process develop quad48.dng -o small.jpg --size 12MP", "a clean quarter of a quad sensor's pixels"),
    ])

  @OptionGroup var input: InputOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var render: RenderOptions
  @OptionGroup var geometry: GeometryOptions
  @OptionGroup var options: RunOptions

  func validate() throws(UsageError) {
    try options.check()
    try render.check()
  }

  func run() -> Int32 {
    do throws(JobFailure) {
      let job = try DevelopJob(
        command: "develop", input: input, output: output, render: render, geometry: geometry, options: options)
      return job.run(try input.collect())
    } catch { return Self.fail(error) }
  }
}

/// What `develop` and `batch` share.
struct DevelopJob {
  let command: String
  let output: OutputOptions
  let options: RunOptions
  private(set) var chain: DevelopChain

  init(
    command: String, input: InputOptions, output: OutputOptions, render: RenderOptions, geometry: GeometryOptions,
    options: RunOptions
  ) throws(JobFailure) {
    guard let settings = try output.settings(fallback: .jpeg, bits: render.defaultBits) else {
      throw JobFailure(.usage, "--format is needed")
    }
    guard settings.format != .dng else { throw JobFailure(.usage, "develop writes pictures; transform keeps a DNG") }
    self.command = command
    self.output = output
    self.options = options
    chain = DevelopChain(
      raw: render.rawOptions, develop: render.developOptions, geometry: geometry.choice, output: settings,
      software: DuoProcess.software)
    chain.size = render.size
  }

  /// All results that exist, on one page.
  func writeContactSheet(_ path: FilePath, of inputs: [Input]) throws(JobFailure) {
    let pictures = try plan(inputs).compactMap(\.output).filter(\.exists)
    let resources = Resources(workers: Workers(count: options.threadCount), pool: MemoryPool())
    try ContactSheet().write(pictures, to: path, resources: resources)
  }

  private func plan(_ inputs: [Input]) throws(JobFailure) -> [PlannedJob] {
    try OutputPlan(
      destination: output.destination, template: output.name ?? OutputPlan.defaultTemplate, operation: "develop",
      fileExtension: chain.output.format.fileExtension
    ).jobs(for: inputs)
  }

  func run(_ inputs: [Input]) -> Int32 {
    do throws(JobFailure) {
      let jobs = try plan(inputs)
      let reporter = RunReporter(
        command: command, options: options, total: jobs.count, toStandardOutput: output.destination == .standardOutput
      )
      let batch = Batch(
        jobs: options.threadCount, maxMemory: options.memoryLimit, existing: options.existing,
        isRehearsal: options.dryRun,
        digests: options.json, chainName: "develop", expectedMemory: { [chain] in chain.expectedMemory(of: $0) })
      let status = batch.run(
        jobs,
        chain: { [chain] input, descriptor, resources in
          do throws(JobFailure) {
            return .success(try chain.run(input, into: descriptor, resources: resources))
          } catch {
            return .failure(error)
          }
        }, finished: { reporter.finished($0) })
      return status.rawValue
    } catch {
      Terminal.print(error: "duo-process \(command): \(error.message)\n")
      return error.status.rawValue
    }
  }
}
