import Develop
import ImageCore
import Pipeline

struct RemosaicCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "remosaic", abstract: "Quad captures → Bayer DNGs of the same size, for developers that know Bayer only.",
    discussion:
      "Photosites that change their colour get what the quad demosaicer finds there; the others keep their counts.",
    examples: [
      ("duo-process remosaic quad48.dng -o bayer48.dng", "48MP quad → 48MP Bayer"),
      ("duo-process remosaic quad48.dng -o bayer48.dng --demosaic fast", "by linear filters"),
      ("duo-process remosaic shoot/ -o bayer/", "a folder"),
    ])

  @Option(value: "Q", help: "How carefully new colours are found; balanced unless given.") var demosaic:
    DemosaicQuality?
  @OptionGroup var mosaic: MosaicOptions

  func validate() throws(UsageError) { try mosaic.check() }

  func run() -> Int32 {
    do throws(JobFailure) {
      let recipe = try mosaic.resolve(for: "remosaic", own: "develop.demosaic") {
        $0.develop.demosaic = demosaic ?? $0.develop.demosaic
      }
      return try mosaic.run(.remosaic, try recipe.resolvedForRemosaicing())
    } catch { return Self.fail(error) }
  }
}
