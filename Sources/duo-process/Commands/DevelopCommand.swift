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

/// `4032x3024`.
struct SizeArgument: ExpressibleByArgument {
  let size: PixelSize
  init?(argument: ArgumentWord) {
    let named = [
      "12MP": PixelSize(width: 4032, height: 3024), "24MP": PixelSize(width: 5712, height: 4284),
      "48MP": PixelSize(width: 8064, height: 6048),
    ]
    if let size = named[argument.text.uppercased()] {
      self.size = size
      return
    }
    let sides = argument.text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map {
      Int($0) ?? 0
    }
    guard sides.count == 2, sides.allSatisfy({ (1...1_000_000).contains($0) }) else { return nil }
    size = PixelSize(width: sides[0], height: sides[1])
  }
}

struct CFAArgument: ExpressibleByArgument {
  let pattern: CFAPattern
  init?(argument: ArgumentWord) {
    guard let pattern = CFAPattern(named: argument.text) else { return nil }
    self.pattern = pattern
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
  @Option(value: "CFA", help: "Colour filter array, whatever the file says: rggb, quad-rggb, nona-rggb, xtrans …")
  var cfa: CFAArgument?
  @Option(value: "N", help: "Black level in counts, whatever the file says.") var black: Double?
  @Option(value: "N", help: "Saturation level in counts, whatever the file says.") var white: Double?
  @Option(value: "WxH", help: "Size of a headerless mosaic; needs --raw-cfa and --raw-bits.") var rawSize:
    SizeArgument?
  @Option(value: "CFA", help: "Colour filter array of a headerless mosaic.") var rawCfa: CFAArgument?
  @Option(
    value: "N", help: "Significant bits of a headerless mosaic's samples (8, or 9...16 in two bytes, little endian).")
  var rawBits: Int?

  func check() throws(UsageError) {
    let given = [rawSize != nil, rawCfa != nil, rawBits != nil]
    if given.contains(true) && given.contains(false) {
      throw UsageError("--raw-size, --raw-cfa and --raw-bits belong together")
    }
    if let rawBits, !(8...16).contains(rawBits) { throw UsageError("--raw-bits \(rawBits) is not in 8...16") }
    if let black, let white, white <= black { throw UsageError("--white must be above --black") }
  }

  var rawOptions: RawReadOptions {
    var options = RawReadOptions()
    options.cfa = cfa?.pattern
    options.black = black.map { Float($0) }
    options.white = white.map { Float($0) }
    if let rawSize, let rawCfa, let rawBits {
      options.headerless = HeaderlessLayout(size: rawSize.size, bits: rawBits, cfa: rawCfa.pattern)
    }
    return options
  }

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
  let chain: DevelopChain

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
  }

  /// All results that exist, on one page.
  func writeContactSheet(_ path: FilePath, of inputs: [Input]) throws(JobFailure) {
    let pictures = try plan(inputs).compactMap(\.output).filter(\.exists)
    let resources = Resources(workers: Workers(count: options.threadCount), pool: MemoryPool())
    try ContactSheet().write(pictures, to: path, resources: resources)
  }

  /// Throws when two results would have one name.
  func checkNames(of inputs: [Input]) throws(JobFailure) { _ = try plan(inputs) }

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
