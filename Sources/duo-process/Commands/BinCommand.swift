import ImageCore
import Pipeline

extension BinMode: ExpressibleByArgument {}

struct BinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "bin", abstract: "Quad, nona or hexadeca captures → Bayer DNGs of one pixel a cluster (12MP from 48MP).",
    discussion:
      "Exact integers. A cluster with a clipped photosite is clipped; levels, noise and crops are rescaled.",
    examples: [
      ("duo-process bin quad48.dng -o bayer12.dng", "means of 2x2 photosites of one colour"),
      ("duo-process bin quad48.dng -o bayer12.dng --bin-mode sum", "sums: nothing is rounded, levels grow fourfold"),
      ("duo-process bin phone.dng -o b.dng --cfa quad-rggb+2,3", "when the file's tags are wrong"),
      ("duo-process bin shoot/ -o binned/", "a folder"),
      ("duo-process bin - -o - < quad48.dng | duo-process develop - -o b.jpg", "in a pipeline"),
    ])

  @Option(help: "What becomes of a cluster's counts: their mean, rounded half up (unless given), or their sum.")
  var binMode: BinMode?
  @OptionGroup var mosaic: MosaicOptions

  func validate() throws(UsageError) { try mosaic.check() }

  func run() -> Int32 {
    do throws(JobFailure) {
      let recipe = try mosaic.resolve(for: "bin", own: "bin.") { $0.bin.mode = binMode ?? $0.bin.mode }
      return try mosaic.run(.bin, try recipe.resolvedForBinning())
    } catch { return Self.fail(error) }
  }
}
