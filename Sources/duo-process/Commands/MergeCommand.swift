import Develop
import HDRMerge
import ImageCore
import Pipeline
import TIFFTags

extension MergeOptions.Alignment: ExpressibleByArgument {}
extension MergeOptions.Deghosting: ExpressibleByArgument {}

/// How a bracket is merged.
struct MergeArguments: ParsableArguments {
  @Option(help: "Bring frames into register by shift, turn and local motion; global leaves out local motion.")
  var align: MergeOptions.Alignment?
  @Option(help: "Leave out frames where they disagree with the reference; auto unless given.")
  var deghost: MergeOptions.Deghosting?
  @Flag(
    help:
      "Write 32-bit floating point: light before rounding in a DNG; in a TIFF or EXR linear light of the scene, 1 at white and more beyond."
  ) var float: Bool

  /// Lays what was said on the command line over a recipe.
  func apply(to recipe: inout Recipe) {
    recipe.merge.align = align ?? recipe.merge.align
    recipe.merge.deghost = deghost ?? recipe.merge.deghost
    if float {
      recipe.output.bits = recipe.output.bits ?? 32
      recipe.develop.encoding = recipe.develop.encoding ?? .scene
    }
  }
}

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "merge", abstract: "Exposure brackets → one DNG or picture each, aligned and without ghosts.",
    discussion:
      "With a file as OUT all inputs are one bracket; with a folder, brackets are found by what the files record. Frames are RAW files, or 8- and 16-bit pictures. A DNG keeps the reference's meaning and has headroom above its white; a picture is developed with local tone.",
    examples: [
      ("duo-process merge a.dng b.dng c.dng -o hdr.dng", "three exposures, any order → a 16-bit DNG"),
      ("duo-process merge a.dng b.dng c.dng -o hdr.jpg", "→ a finished picture"),
      ("duo-process merge a.dng b.dng c.dng -o hdr.tif --float", "→ linear light of the scene, white at 1, 32 bits"),
      ("duo-process merge shoot/ -o out/ --format dng", "all brackets of a folder"),
      ("duo-process merge *.dng -o hdr.dng --reference 2 --ghost-map ghosts.png", "show the second frame's moment"),
      ("duo-process merge *.dng -o hdr.dng --json", "with exposure ratios, shifts and shares of ghosts"),
    ])

  @OptionGroup var develop: DevelopOptionGroup
  @OptionGroup var merge: MergeArguments
  @OptionGroup var finish: DetailOptions
  @OptionGroup var dng: DNGOptions
  @Option(value: "N", help: "The frame whose moment the result shows, counted from 1; chosen unless given.")
  var reference: Int?
  @Option(value: "FILE", help: "Draw where frames were left out: white there, black elsewhere.") var ghostMap:
    FilePath?

  func validate() throws(UsageError) {
    try develop.check()
    try finish.check()
    if let reference, reference < 1 { throw UsageError("--reference counts from 1") }
  }

  func run() -> Int32 {
    do throws(JobFailure) {
      var (recipe, chain) = try develop.settings(fallback: .dng, merge: merge, finish: finish)
      try dng.apply(to: &recipe)
      let brackets = try collect(chain)
      if (reference != nil || ghostMap != nil) && brackets.count > 1 {
        throw JobFailure(.usage, "--reference and --ghost-map are for one bracket, \(brackets.count) were found")
      }
      if let ghostMap, ghostMap.exists && develop.options.existing == .refuse {
        throw JobFailure(.cannotCreate, "\(ghostMap.string) exists; use --overwrite")
      }
      var merging = recipe.mergeOptions
      merging.reference = reference.map { $0 - 1 }
      let run = try ChainRun(
        command: "merge", brackets.compactMap(\.first), output: develop.output, options: develop.options,
        recipe: recipe, fileExtension: chain.output.format.fileExtension)
      return run.run(
        MergeChain(
          brackets: brackets.byFirst, merge: merging, develop: chain, output: recipe.output, ghostMap: ghostMap))
    } catch { return Self.fail(error) }
  }

  /// The brackets to merge: all inputs as one when the output is a file, else those that the files' facts show.
  private func collect(_ chain: DevelopChain) throws(JobFailure) -> [[Input]] {
    let quiet = develop.options.common.quiet
    let inputs = try develop.input.collect(.raw, quiet: quiet)
    guard case .folder = develop.output.destination else { return [inputs] }
    let split = BracketScanner(raw: chain.raw).split(inputs)
    guard !split.brackets.isEmpty else {
      throw JobFailure(
        .badData,
        "no brackets found among \(inputs.count) files by time, camera and exposure; name one bracket's files and a file as OUT"
      )
    }
    let rest = split.single.count
    if rest > 0 && !quiet {
      Terminal.print(error: "\(rest) file\(rest == 1 ? " belongs" : "s belong") to no bracket and are left alone\n")
    }
    return split.brackets
  }
}

extension [[Input]] {
  /// The paths of each bracket by the first of them.
  var byFirst: [FilePath: [FilePath]] {
    Dictionary(compactMap { bracket in bracket.first.map { ($0.path, bracket.map(\.path)) } }) { first, _ in first }
  }
}
