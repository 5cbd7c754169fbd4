import Develop
import Foundation
import ImageCore
import Pipeline
import RawFiles
import Synthesis
import TIFFTags
import TestSupport

/// Synthetic shots as files, and the chain that fuses them.
enum ShotSupport {
  /// Frames of a shot in a folder, the detail frame first.
  static func frames(_ shot: ShotSynthesizer, in folder: TemporaryFolder) throws -> [FilePath] {
    try (0...shot.recipe.frames).map { index in
      let url = folder.url.appendingPathComponent("\(index).dng")
      let file = try AtomicFile(FilePath(url.path), existing: .refuse)
      let photo = index == 0 ? shot.detail() : shot.companion(index - 1)
      try DNGWriter.write(photo, to: file.descriptor, software: "test")
      try file.commit()
      return FilePath(url.path)
    }
  }

  static func chain(_ shots: [FilePath: Shot] = [:], _ format: OutputSettings.Format = .tiff) throws -> FuseChain {
    var recipe = Recipe()
    recipe.develop.tone = .linear
    if format == .tiff { recipe.output.bits = 16 }
    recipe = try recipe.resolvedForDeveloping(format)
    let develop = DevelopChain(
      raw: recipe.readOptions, develop: recipe.developOptions, geometry: recipe.geometry,
      output: try recipe.outputSettings(format), software: "test")
    return FuseChain(shots: shots, merge: recipe.mergeOptions, develop: develop, output: recipe.output)
  }

  /// The DNG that a shot becomes, read again, and what is said of it.
  static func fusedDNG(_ recipe: ShotRecipe) throws -> (photo: RawPhoto, report: FuseReport?) {
    let folder = try TemporaryFolder()
    let paths = try frames(ShotSynthesizer(recipe), in: folder)
    let fusing = try chain([paths[0]: Shot(detail: paths[0], base: Array(paths[1...]))], .dng)
    let path = FilePath(folder.url.appendingPathComponent("fused.dng").path)
    let file = try AtomicFile(path, existing: .refuse)
    let result = try fusing.run(paths[0], into: file.descriptor, resources: Resources(workers: Workers(count: 2)))
    try file.commit()
    return (try RawReader().read(path), result.fuse)
  }
}
