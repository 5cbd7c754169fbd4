import Develop
public import HDRMerge
public import ImageCore
import RawFiles
public import TIFFTags

/// The files of an exposure bracket → one DNG, or one picture when the output is a picture.
public struct MergeChain: FileChain {
  /// What reports call it.
  public let name = "merge"
  /// The files of each bracket, by the file that stands for it.
  public var brackets: [FilePath: [FilePath]]
  /// How frames become one.
  public var merge: MergeOptions
  /// How RAW files are read, and how a picture is made of the merged frames. Its output may be a DNG.
  public var develop: DevelopChain
  /// Where to draw what was left out; `nil` for nowhere.
  public var ghostMap: FilePath?
  /// How a DNG is written.
  public var output: Recipe.Output

  /// A chain of these settings; nothing is read yet.
  public init(
    brackets: [FilePath: [FilePath]], merge: MergeOptions, develop: DevelopChain, output: Recipe.Output,
    ghostMap: FilePath? = nil
  ) {
    self.brackets = brackets
    self.merge = merge
    self.output = output
    self.develop = develop
    self.ghostMap = ghostMap
  }

  /// Merges the bracket that `input` stands for; alone, it is a bracket of one, which is refused.
  public func run(_ input: FilePath, into descriptor: Int32, resources: Resources) throws(JobFailure) -> ChainResult {
    let inputs = brackets[input] ?? [input]
    var clock = StageClock()
    var captures = try read(inputs, resources)
    var photos = captures.map(\.photo)
    var readWarnings: [String] = []
    for (input, capture) in zip(inputs, captures) {
      if let warning = capture.warning { readWarnings.append("\(input.shortName) \(warning)") }
    }
    for index in photos.indices where photos[index].gainTable != nil {
      photos[index].gainTable = nil
      readWarnings.append(
        "\(inputs[index].shortName): its table of local gains is for one frame alone and was left out")
    }
    captures = []
    clock.mark("read")
    var options = merge
    options.wantsGhostMap = ghostMap != nil
    options.response = inputs.contains(where: PictureFrame.isPicture) ? .rendered : .linear
    let merged: Merged
    do { merged = try merge(photos, options, resources) } catch {
      throw JobFailure(error, names: inputs.map(\.shortName))
    }
    photos = []
    clock.mark("merge")
    if let ghostMap, let map = merged.ghostMap { try write(map, to: ghostMap) }
    let reference = inputs[merged.report.reference]
    var result = try finish(merged, reference, descriptor, resources, clock)
    result.frames = inputs.map(\.string)
    result.merge = merged.report
    let warnings = readWarnings + [result.warning].compactMap { $0 } + merged.report.warnings
    result.warning = warnings.isEmpty ? nil : warnings.joined(separator: "; ")
    return result
  }

  /// All frames of the bracket.
  public func sources(of input: FilePath) -> [FilePath] { brackets[input] ?? [input] }

  /// Memory that a bracket will need at most, bytes: its frames and the merged one, and what is held of the picture.
  public func expectedMemory(of input: FilePath) -> Int {
    let inputs = brackets[input] ?? [input]
    let bytesPerPhotosite = 2
    var sum = 0
    var largest = PixelSize(width: 0, height: 0)
    for input in inputs {
      guard let description = try? RawReader(options: develop.raw).describe(input) else { continue }
      let size = description.activeArea.size
      sum += size.area * bytesPerPhotosite
      if size.area > largest.area { largest = size }
    }
    // A float DNG is made of light, variance and a rounded copy: ten bytes a photosite.
    let results = develop.output.format == .dng && develop.output.bits == 32 ? 5 : 1
    let picture = develop.output.format == .dng ? 0 : develop.pictureMemory(of: largest)
    return sum + sum / max(1, inputs.count) * results + picture
  }

  /// Merged frames, and their light before rounding where the output holds it.
  private struct Merged {
    var photo: RawPhoto
    var floats: DNGFloatSamples?
    var report: MergeReport
    var ghostMap: Image<UInt8>?
  }

  private func merge(
    _ photos: [RawPhoto], _ options: MergeOptions, _ resources: Resources
  ) throws(MergeError) -> Merged {
    guard develop.output.format == .dng, develop.output.bits == 32 else {
      let result = try BracketMerger.merge(photos, options: options, resources: resources)
      return Merged(photo: result.photo, report: result.report, ghostMap: result.ghostMap)
    }
    guard photos.count > 1 else { throw .tooFewFrames(found: photos.count) }
    let composite = try BracketMerger.composite(photos, options: options, resources: resources)
    let light: DNGFloatSamples.Light =
      switch composite.samples {
      case .mosaic(let mosaic, _): .mosaic(mosaic.plane)
      case .linear(let picture, _): .linear(picture)
      }
    return Merged(
      photo: composite.rounded(resources: resources),
      floats: DNGFloatSamples(light, scale: Float(1 / composite.range)),
      report: composite.report, ghostMap: composite.ghostMap)
  }

  private func read(_ inputs: [FilePath], _ resources: Resources) throws(JobFailure) -> [ReadCapture] {
    var captures: [ReadCapture] = []
    for input in inputs {
      do throws(JobFailure) {
        captures.append(
          PictureFrame.isPicture(input)
            ? ReadCapture(photo: try PictureFrame.read(input, resources: resources))
            : try CaptureReader(options: develop.raw).read(input, resources: resources))
      } catch {
        // What fails is named after the bracket's first file anyway.
        throw JobFailure(error.status, input == inputs[0] ? error.message : "\(input.shortName): \(error.message)")
      }
    }
    return captures
  }

  private func finish(
    _ merged: Merged, _ reference: FilePath, _ descriptor: Int32, _ resources: Resources, _ elapsed: StageClock
  ) throws(JobFailure) -> ChainResult {
    var clock = elapsed
    if develop.output.format == .dng {
      var result = ChainResult(sourceSize: merged.photo.pixels.size)
      let hasFile = develop.raw.headerless == nil
      result.warn(
        try DNGEncoder(output, software: develop.software).encode(
          merged.photo, floats: merged.floats, metadataFrom: hasFile ? reference : nil, into: descriptor,
          resources: resources))
      clock.mark("encode")
      result.size = merged.photo.pixels.size
      result.stages = clock.stages
      return result
    }
    var photo = merged.photo
    var chain = develop
    if chain.develop.rendering == .picture && chain.develop.tone == .standard {
      photo = LocalTone.compressed(photo, resources: resources)
      // Finished pictures have had their tone curve already.
      if PictureFrame.isPicture(reference) { chain.develop.tone = .linear }
    }
    clock.mark("tone")
    return try chain.render(
      ReadCapture(photo: photo), metadataFrom: chain.raw.headerless == nil ? reference : nil, into: descriptor,
      resources: resources,
      clock: clock)
  }

  private func write(_ map: Image<UInt8>, to path: FilePath) throws(JobFailure) {
    let file = try AtomicFile(path, existing: .overwrite)
    try PictureEncoder.writeMap(map, named: path, into: file.descriptor)
    try file.commit()
  }
}

extension FilePath {
  /// The name without its folder, for messages that name a bracket's folder already.
  var shortName: String { String(decoding: name, as: UTF8.self) }
}
