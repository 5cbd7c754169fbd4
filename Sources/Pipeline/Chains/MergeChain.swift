public import Develop
public import HDRMerge
public import ImageCore
public import RawFiles
public import TIFFTags

/// The files of one exposure bracket → one DNG, or one picture when the output is a picture.
public struct MergeChain: Sendable {
  public var raw: RawReadOptions
  public var merge: MergeOptions
  public var develop: DevelopOptions
  public var geometry: GeometryChoice
  public var output: OutputSettings
  /// The name written into the Software tag.
  public var software: String
  /// Where to draw what was left out; `nil` for nowhere.
  public var ghostMap: FilePath?

  public init(
    raw: RawReadOptions, merge: MergeOptions, develop: DevelopOptions, geometry: GeometryChoice,
    output: OutputSettings, software: String, ghostMap: FilePath? = nil
  ) {
    self.raw = raw
    self.merge = merge
    self.develop = develop
    self.geometry = geometry
    self.output = output
    self.software = software
    self.ghostMap = ghostMap
  }

  /// Runs the chain into an open file.
  public func run(_ inputs: [FilePath], into descriptor: Int32, resources: Resources) throws(JobFailure)
    -> ChainResult
  {
    var clock = StageClock()
    var photos = try read(inputs, resources)
    clock.mark("read")
    var options = merge
    options.wantsGhostMap = ghostMap != nil
    options.response = inputs.contains(where: PictureFrame.isPicture) ? .rendered : .linear
    let merged: MergeResult
    do { merged = try BracketMerger.merge(photos, options: options, resources: resources) } catch {
      throw JobFailure(error, names: inputs.map(\.shortName))
    }
    photos = []
    clock.mark("merge")
    if let ghostMap, let map = merged.ghostMap { try write(map, to: ghostMap) }
    let reference = inputs[merged.report.reference]
    var result = try finish(merged, reference, PictureFrame.isPicture(reference), descriptor, resources, &clock)
    result.frames = inputs.map(\.string)
    result.merge = merged.report
    result.warning = ([result.warning].compactMap { $0 } + merged.report.warnings).joined(separator: "; ")
    if result.warning?.isEmpty == true { result.warning = nil }
    return result
  }

  /// Memory that a bracket will need at most, bytes: its frames and the merged one, and the finished picture.
  public func expectedMemory(of inputs: [FilePath]) -> Int {
    let bytesPerPhotosite = 2
    var sum = 0
    for input in inputs {
      guard let description = try? RawReader(options: raw).describe(input) else { continue }
      sum += description.activeArea.size.area * bytesPerPhotosite
    }
    return sum + sum / max(1, inputs.count) * (output.format == .dng ? 1 : 3)
  }

  private func read(_ inputs: [FilePath], _ resources: Resources) throws(JobFailure) -> [RawPhoto] {
    var photos: [RawPhoto] = []
    for input in inputs {
      do throws(JobFailure) {
        if PictureFrame.isPicture(input) {
          photos.append(try PictureFrame.read(input, resources: resources))
        } else {
          do { photos.append(try RawReader(options: raw).read(input, resources: resources)) } catch {
            throw JobFailure(error)
          }
        }
      } catch {
        throw JobFailure(error.status, inputs.count > 1 ? "\(input.shortName): \(error.message)" : error.message)
      }
    }
    return photos
  }

  private func finish(
    _ merged: MergeResult, _ reference: FilePath, _ arePictures: Bool, _ descriptor: Int32, _ resources: Resources,
    _ clock: inout StageClock
  ) throws(JobFailure) -> ChainResult {
    if output.format == .dng {
      var result = ChainResult(sourceSize: merged.photo.pixels.size)
      do { try DNGWriter.write(merged.photo, to: descriptor, software: software) } catch {
        throw JobFailure(.ioError, error.description)
      }
      clock.mark("encode")
      result.size = merged.photo.pixels.size
      result.stages = clock.stages
      return result
    }
    var photo = merged.photo
    var develop = develop
    if develop.rendering == .picture && develop.tone == .standard {
      photo = LocalTone.compressed(photo, resources: resources)
      // Finished pictures have had their tone curve already.
      if arePictures { develop.tone = .linear }
    }
    clock.mark("tone")
    let chain = DevelopChain(
      raw: raw, develop: develop, geometry: geometry, output: output, software: software)
    return try chain.render(
      photo, metadataFrom: raw.headerless == nil ? reference : nil, into: descriptor, resources: resources,
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
