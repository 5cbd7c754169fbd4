import Develop
import Glibc
import ImageCore
import PhotoFiles
import Pipeline
import RawFiles
import TIFFTags

extension FilePath: ExpressibleByArgument {
  init?(argument: ArgumentWord) {
    guard !argument.bytes.isEmpty else { return nil }
    self.init(bytes: argument.bytes)
  }

  static var allValueStrings: [String] { [] }
  var isStandardStream: Bool { bytes == [UInt8(ascii: "-")] }
}

extension Mirroring: ExpressibleByArgument {}
extension OutputSettings.Format: ExpressibleByArgument {}
extension OutputColourSpace: ExpressibleByArgument {}

struct RotationArgument: ExpressibleByArgument {
  let rotation: Rotation
  init?(argument: ArgumentWord) {
    guard let rotation = Rotation(argument.text) else { return nil }
    self.rotation = rotation
  }
  static var allValueStrings: [String] { ["apply", "keep", "0", "90", "180", "270"] }
}

struct AspectRatioArgument: ExpressibleByArgument {
  let ratio: AspectRatio
  init?(argument: ArgumentWord) {
    guard let ratio = AspectRatio(argument.text) else { return nil }
    self.ratio = ratio
  }
}

struct GravityArgument: ExpressibleByArgument {
  let gravity: Gravity
  init?(argument: ArgumentWord) {
    guard let gravity = Gravity(rawValue: argument.text.lowercased()) else { return nil }
    self.gravity = gravity
  }
  static var allValueStrings: [String] { Gravity.allCases.map(\.rawValue) }
}

/// `1234`, `512M`, `2G`.
struct ByteCount: ExpressibleByArgument {
  let bytes: Int
  init?(argument: ArgumentWord) {
    let text = argument.text.uppercased()
    let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
    let unit = text.last.flatMap { units[$0] }
    guard let number = Int(unit == nil ? text : String(text.dropLast())), number > 0 else { return nil }
    bytes = number * (unit ?? 1)
  }
}

/// What every command that runs over files takes.
struct RunOptions: ParsableArguments {
  @Option(value: "N", help: "Threads to use; all cores unless given.") var jobs: Int?
  @Option(value: "SIZE", help: "Memory for files under way together (512M, 4G); half of the machine's unless given.")
  var maxMemory: ByteCount?
  @Flag(help: "Replace outputs that exist.") var overwrite: Bool
  @Flag(help: "Leave outputs that exist and count them as done.") var skipExisting: Bool
  @Flag(help: "The same as --skip-existing: go on with a run that was stopped.") var resume: Bool
  @Flag(help: "Print the plan (input → output) and touch nothing.") var dryRun: Bool
  @Flag(help: "Print one JSON object a line for each input.") var json: Bool
  @Flag(short: "q", help: "Print errors only.") var quiet: Bool
  @Flag(short: "v", help: "Print a line for each output.") var verbose: Bool
  @Option(help: "How to show progress on standard error.") var progress: ProgressStyle = .auto

  var existing: ExistingOutput { overwrite ? .overwrite : skipExisting || resume ? .skip : .refuse }
  var threadCount: Int { max(1, jobs ?? Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
  var memoryLimit: Int {
    maxMemory?.bytes ?? Int(sysconf(Int32(_SC_PHYS_PAGES))) * Int(sysconf(Int32(_SC_PAGESIZE))) / 2
  }

  func check() throws(UsageError) {
    if let jobs, jobs < 1 { throw UsageError("--jobs \(jobs) is not 1 or more") }
    if overwrite && (skipExisting || resume) {
      throw UsageError("--overwrite and --skip-existing exclude each other")
    }
  }
}

/// How inputs are named.
struct InputOptions: ParsableArguments {
  @Arguments(value: "FILE", help: "RAW files or folders; - is standard input.") var inputs: [FilePath]
  @Flag(short: "r", help: "Look into folders below the given ones too.") var recursive: Bool
  @Option(value: "LIST", help: "Read more inputs from a file, one a line; - is standard input.") var filesFrom:
    FilePath?
  @Option(value: "LIST", help: "The same with NUL between names (find -print0).") var files0From: FilePath?

  func collect() throws(JobFailure) -> [Input] {
    var paths = inputs
    if let filesFrom { paths += InputScanner.paths(inList: try read(filesFrom), separator: UInt8(ascii: "\n")) }
    if let files0From { paths += InputScanner.paths(inList: try read(files0From), separator: 0) }
    guard !paths.isEmpty else { throw JobFailure(.usage, "no input files given") }
    return try InputScanner(isRecursive: recursive).inputs(of: paths)
  }

  private func read(_ list: FilePath) throws(JobFailure) -> [UInt8] {
    let descriptor = list.isStandardStream ? dup(STDIN_FILENO) : list.withCString { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else {
      throw JobFailure(.noInput, "\(list.string) cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }
}

/// The output file.
struct OutputOptions: ParsableArguments {
  @Option(short: "o", value: "OUT", help: "A file, a folder, or - for standard output.") var output: FilePath
  @Option(value: "TEMPLATE", help: "Names in a folder, of {stem} {name} {op} {ext} {seq}.") var name: String?
  @Option(value: "FORMAT", help: "Kind of file; by OUT's extension unless given.") var format: OutputSettings.Format?
  @Option(value: "N", help: "JPEG quality, 1...100.") var quality: Int = OutputSettings.defaultQuality
  @Option(value: "8|16|32", help: "Bits a sample (32 is floating point, TIFF).") var bits: Int?
  @Flag(help: "Deflate TIFF files.") var deflate: Bool
  @Flag(help: "Keep full colour resolution in JPEG (4:4:4).") var fullChroma: Bool
  @Flag(help: "Leave out EXIF, GPS and XMP.") var strip: Bool

  var destination: Destination {
    if output.isStandardStream { return .standardOutput }
    return output.meansFolder || OutputSettings.Format(fileExtension: output.fileExtension) == nil
      ? .folder(output) : .file(output)
  }

  func settings(fallback: OutputSettings.Format?, bits defaultBits: Int? = nil) throws(JobFailure) -> OutputSettings?
  {
    guard let chosen = format ?? OutputSettings.Format(fileExtension: output.fileExtension) ?? fallback else {
      return nil
    }
    return try OutputSettings(
      format: chosen, quality: quality, bits: bits ?? (chosen == .jpeg ? nil : defaultBits),
      compression: deflate ? .deflate : .none, chroma: fullChroma ? .s444 : .s420, strip: strip)
  }
}

/// `none`, `ljpeg`.
struct DNGCompressionArgument: ExpressibleByArgument {
  let compression: DNGWriteOptions.Compression
  init?(argument: ArgumentWord) {
    switch argument.text {
    case "none": compression = .none
    case "ljpeg": compression = .losslessJPEG
    default: return nil
    }
  }
  static var allValueStrings: [String] { ["none", "ljpeg"] }
}

/// How a DNG is packed.
struct DNGOptions: ParsableArguments {
  @Option(
    value: "none|ljpeg",
    help: "How a DNG is packed, without loss: ljpeg (lossless JPEG tiles, about half the size) unless given.")
  var compression: DNGCompressionArgument?

  var chosen: DNGWriteOptions.Compression { compression?.compression ?? .losslessJPEG }

  /// Refuses the option where no DNG is written.
  func check(_ settings: OutputSettings?) throws(JobFailure) {
    guard compression != nil, let settings, settings.format != .dng else { return }
    throw JobFailure(.usage, "--compression is for DNG; \(settings.format.rawValue) has options of its own")
  }
}

/// How pixels are laid.
struct GeometryOptions: ParsableArguments {
  @Option(
    value: "R", help: "apply lays pixels upright, keep keeps pixels and tag, an angle turns stored pixels clockwise.")
  var rotation: RotationArgument?
  @Option(help: "Mirror the upright picture left to right.") var mirroring: Mirroring = .auto
  @Option(value: "W:H", help: "Crop to exactly this ratio, as large as possible, as the picture is seen upright.")
  var aspectRatio: AspectRatioArgument?
  @Option(value: "G", help: "Which part a crop keeps.") var gravity: GravityArgument?

  var choice: GeometryChoice {
    GeometryChoice(
      rotation: rotation?.rotation ?? .apply, mirroring: mirroring, aspectRatio: aspectRatio?.ratio,
      gravity: gravity?.gravity ?? .center)
  }
}
