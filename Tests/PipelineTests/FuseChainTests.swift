import Develop
import Foundation
import ImageCore
import PhotoFiles
import Pipeline
import RawFiles
import Synthesis
import TIFFTags
import TestSupport
import Testing

@Suite("Fusing a synthetic shot whose truth is known")
struct FuseChainTests {
  private static let size = PixelSize(width: 768, height: 576)

  /// The picture that a chain makes, and what it says of it.
  private func picture(
    _ chain: some FileChain, _ input: FilePath, in folder: TemporaryFolder
  ) throws -> (image: Image<RGB<UInt16>>, result: ChainResult) {
    let url = folder.url.appendingPathComponent("\(UUID().uuidString).tif")
    let file = try AtomicFile(FilePath(url.path), existing: .refuse)
    let result = try chain.run(input, into: file.descriptor, resources: Resources(workers: Workers(count: 2)))
    try file.commit()
    let reader = try PictureReader(path: Array(url.path.utf8))
    var image = Image<RGB<UInt16>>(reader.size, repeating: RGB(0, 0, 0))
    try image.withMutableRows { rows in
      for y in 0..<rows.height { try reader.read(rows: 1, into: rows.row(y), bytesPerRow: rows.width * 6) }
    }
    return (image, result)
  }

  /// dB of sRGB values against linear truth, where that is not clipped, without the border.
  private func decibels(_ image: Image<RGB<UInt16>>, _ truth: Image<RGB<Float>>) -> Double {
    let image = image.size == truth.size ? image : image.resampled(to: truth.size)
    func code(_ light: Float) -> Double {
      let v = Double(max(0, light))
      return v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055
    }
    var (sum, count) = (0.0, 0)
    let border = 20
    for y in border..<truth.height - border {
      for x in border..<truth.width - border {
        let (a, b) = (image[x, y], truth[x, y])
        guard max(b.red, b.green, b.blue) < 0.9 else { continue }
        for (count16, light) in [(a.red, b.red), (a.green, b.green), (a.blue, b.blue)] {
          let d = Double(count16) / 65535 - code(light)
          sum += d * d
          count += 1
        }
      }
    }
    return -10 * log10(sum / Double(max(1, count)))
  }

  @Test("Better than either source; held by hand and with a mover too", arguments: [false, true])
  func better(isHeld: Bool) throws {
    var recipe = ShotRecipe(size: Self.size)
    recipe.frames = 4
    if isHeld { (recipe.largestShift, recipe.largestTurn, recipe.hasMover) = (4, 0.2, true) }
    let shot = ShotSynthesizer(recipe)
    let folder = try TemporaryFolder()
    let paths = try ShotSupport.frames(shot, in: folder)
    let fusing = try ShotSupport.chain([paths[0]: Shot(detail: paths[0], base: Array(paths[1...]))])
    let (image, result) = try picture(fusing, paths[0], in: folder)
    let report = try #require(result.fuse)
    #expect(report.decision == .fused && result.size == report.fusion.size, "\(report)")
    #expect(image.width * 24 == Self.size.width * 17 && image.height * 24 == Self.size.height * 17)
    let truth = shot.truth(size: image.size)
    let fused = decibels(image, truth)
    let detail = decibels(try picture(fusing.develop, paths[0], in: folder).image, truth)
    let merging = MergeChain(
      brackets: [paths[1]: Array(paths[1...])], merge: fusing.merge, develop: fusing.develop, output: fusing.output)
    // The base frames of a held shot lie elsewhere than the detail frame.
    let base = isHeld ? 0 : decibels(try picture(merging, paths[1], in: folder).image, truth)
    #expect(fused > max(detail, base) + 0.5, "fused \(fused) dB, 48MP \(detail), 12MP \(base)")
  }

  @Test("Too little light: the 12MP picture, and a reason")
  func dark() throws {
    var recipe = ShotRecipe(size: Self.size)
    (recipe.frames, recipe.electrons, recipe.readNoise) = (2, 25, 3)
    let shot = ShotSynthesizer(recipe)
    let folder = try TemporaryFolder()
    let paths = try ShotSupport.frames(shot, in: folder)
    let fusing = try ShotSupport.chain([paths[0]: Shot(detail: paths[0], base: Array(paths[1...]))])
    let (image, result) = try picture(fusing, paths[0], in: folder)
    let report = try #require(result.fuse)
    #expect(report.decision == .tooDark && report.reason.contains("too little light"), "\(report)")
    #expect(image.size == PixelSize(width: Self.size.width / 2, height: Self.size.height / 2))
    #expect(result.warning?.contains("too little light") == true)
  }

  @Test("A frame enlarged from 12MP is found out in spite of fresh noise; soft and dark ones are not suspected")
  func enlarged() throws {
    var recipe = ShotRecipe(size: Self.size)
    recipe.frames = 3
    for (kind, blur, electrons) in [(SceneKind.chart, 1.6, 1000.0), (.deadLeaves, 0.6, 100)] {
      (recipe.kind, recipe.blurSigma, recipe.electrons) = (kind, blur, electrons)
      for (enlargement, decision) in [
        (ShotRecipe.Enlargement.none, FusionReport.Decision.fused), (.noisy, .noDetail),
      ] {
        recipe.enlargement = enlargement
        let (photo, report) = try ShotSupport.fusedDNG(recipe)
        let sharpness = report?.fusion.sharpness ?? .nan
        #expect(report?.decision == decision, "\(kind), blur \(blur), \(electrons) e-: sharpness \(sharpness)")
        let half = PixelSize(width: Self.size.width / 2, height: Self.size.height / 2)
        #expect((photo.pixels.size == half) == (decision == .noDetail))
      }
    }
  }

  @Test("Quad frames alone: the sharpest gives its detail, all give their light")
  func quads() throws {
    var recipe = ShotRecipe(size: Self.size)
    (recipe.frames, recipe.companions) = (2, .quad)
    let folder = try TemporaryFolder()
    let soft = ShotSynthesizer(recipe)
    var paths = try ShotSupport.frames(soft, in: folder)
    recipe.blurSigma = 1.2
    let blurred = FilePath(folder.url.appendingPathComponent("soft.dng").path)
    let file = try AtomicFile(blurred, existing: .refuse)
    try DNGWriter.write(ShotSynthesizer(recipe).detail(), to: file.descriptor, software: "test")
    try file.commit()
    paths = [blurred] + paths
    let (_, result) = try picture(
      try ShotSupport.chain([blurred: Shot(detail: nil, base: paths)]), blurred, in: folder)
    let report = try #require(result.fuse)
    #expect(report.detail != blurred.string && report.decision == .fused, "\(report)")
    #expect(report.reference == report.detail && report.base.count == paths.count)
  }
}
