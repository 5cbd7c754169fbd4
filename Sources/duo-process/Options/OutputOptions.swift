import PhotoFiles
import Pipeline
import TIFFTags

/// The output file.
struct OutputOptions: ParsableArguments {
  @Option(short: "o", value: "OUT", help: "A file, a folder, or - for standard output.") var output: FilePath
  @Option(value: "TEMPLATE", help: "Names in a folder, of {stem} {name} {op} {ext} {seq}.") var name: String?
  @Option(value: "FORMAT", help: "Kind of file; by OUT's extension unless given.") var format: OutputSettings.Format?
  @Option(
    value: "N",
    help:
      "1...100. JPEG: 92 unless given. HEIF: 75, 4:4:4 from 90 on. JXL: 90, a just visible difference; 100 loses nothing."
  ) var quality: Int?
  @Option(
    value: "8|10|12|16|32",
    help: "Bits a sample: 32 is floating point (TIFF, JXL, EXR), EXR's 16 too; HEIF has 8, 10, 12.") var bits: Int?
  @Flag(help: "Deflate TIFF files.") var deflate: Bool
  @Flag(help: "Keep full colour resolution in JPEG (4:4:4).") var fullChroma: Bool
  @Flag(help: "Leave out EXIF, GPS and XMP.") var strip: Bool

  /// Endings of picture files that are not written here: taken for a mistake, not for a folder's name.
  private static let otherPictures = ["avif", "webp", "gif", "bmp"]

  var destination: Destination {
    if output.isStandardStream { return .standardOutput }
    return output.meansFolder || namedFormat == nil ? .folder(output) : .file(output)
  }

  private var namedFormat: OutputSettings.Format? { OutputSettings.Format(fileExtension: output.fileExtension) }

  func check() throws(UsageError) {
    if !output.meansFolder, Self.otherPictures.contains(output.fileExtension) {
      let known = OutputSettings.Format.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("\(output.string): .\(output.fileExtension) files are not written; the formats are \(known)")
    }
  }

  /// Lays what was said on the command line over a recipe.
  func apply(to recipe: inout Recipe) throws(JobFailure) {
    if let format {
      recipe.output.format = format
    } else if case .file = destination, let namedFormat {
      if let asked = recipe.output.format, asked != namedFormat {
        throw JobFailure(
          .usage,
          "\(output.string) is named as \(namedFormat.rawValue), output.format of the recipe is \(asked.rawValue)")
      }
      recipe.output.format = namedFormat
    }
    recipe.output.quality = quality ?? recipe.output.quality
    recipe.output.bits = bits ?? recipe.output.bits
    if deflate { recipe.output.compression = .deflate }
    if fullChroma { recipe.output.chroma = .s444 }
    if strip { recipe.output.strip = true }
  }
}
