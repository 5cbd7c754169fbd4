import Glibc
import Pipeline
import TIFFTags

/// How inputs are named.
struct InputOptions: ParsableArguments {
  @Arguments(value: "FILE", help: "Files or folders; - is standard input.") var inputs: [FilePath]
  @Flag(short: "r", help: "Look into folders below the given ones too.") var recursive: Bool
  @Option(value: "LIST", help: "Read more inputs from a file, one a line; - is standard input.") var filesFrom:
    FilePath?
  @Option(value: "LIST", help: "The same with NUL between names (find -print0).") var files0From: FilePath?

  /// Files that were named, and those of named folders that `selection` takes; what it leaves alone is counted on
  /// standard error.
  func collect(_ selection: InputSelection, quiet: Bool) throws(JobFailure) -> [Input] {
    var paths = inputs
    if let filesFrom { paths += InputScanner.paths(inList: try read(filesFrom), separator: UInt8(ascii: "\n")) }
    if let files0From { paths += InputScanner.paths(inList: try read(files0From), separator: 0) }
    guard !paths.isEmpty else { throw JobFailure(.usage, "no input files given") }
    let readers = [filesFrom, files0From].count { $0?.isStandardStream == true }
    guard readers + paths.count(where: \.isStandardStream) <= 1 else {
      throw JobFailure(.usage, "standard input can be read once: give - once")
    }
    let (chosen, leftAlone) = selection.split(
      try InputScanner(isRecursive: recursive, spoolFolder: .spoolFolder).inputs(of: paths))
    if leftAlone > 0 && !quiet {
      Terminal.print(
        error: "\(leftAlone) file\(leftAlone == 1 ? " is" : "s are") no \(selection.noun) and left alone\n")
    }
    return chosen
  }

  private func read(_ list: FilePath) throws(JobFailure) -> [UInt8] {
    let descriptor = list.isStandardStream ? dup(STDIN_FILENO) : list.withCString { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw failure(list) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { StreamIO.read(descriptor, into: $0) }
      guard count >= 0 else { throw failure(list) }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  private func failure(_ list: FilePath) -> JobFailure {
    JobFailure(.noInput, "\(list.string) cannot be read: \(String(cString: strerror(errno)))")
  }
}
