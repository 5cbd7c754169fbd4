import CaptureModel
import Develop
import ImageCore
public import RawFiles
import TIFFTags

/// Everything that decides what a shot becomes. It is kept in the journal, so that a shot becomes what it was to become
/// when it arrived, whoever finishes it.
public struct ShotSettings: Sendable, Hashable {
  /// What was said, defaults not filled in; the format is settled.
  public var recipe: Recipe
  /// What is known of how all pictures are taken.
  public var facts: KnownSituation
  /// How files without a header lie.
  public var headerless: HeaderlessLayout?
  /// Whether exposure brackets become one picture each.
  public var mergesBrackets: Bool

  /// Settings of these parts.
  public init(
    recipe: Recipe, facts: KnownSituation = KnownSituation(), headerless: HeaderlessLayout? = nil,
    mergesBrackets: Bool = true
  ) {
    self.recipe = recipe
    self.facts = facts
    self.headerless = headerless
    self.mergesBrackets = mergesBrackets
  }

  /// How files are read.
  var readOptions: RawReadOptions {
    var options = recipe.readOptions
    options.headerless = headerless
    return options
  }

  /// The recipe with defaults filled in.
  func resolved() throws(JobFailure) -> Recipe { try recipe.resolvedForDeveloping(recipe.output.format ?? .jpeg) }

  /// What `batch` runs with the same options.
  ///
  /// - Parameter brackets: the files of each bracket, by the file that stands for it.
  func chain(
    brackets: [FilePath: [FilePath]] = [:], software: String
  ) throws(JobFailure) -> SituatedChain<BracketChain> {
    let resolved = try resolved()
    let develop = DevelopChain(
      raw: readOptions, develop: resolved.developOptions, geometry: resolved.geometry,
      output: try resolved.outputSettings(resolved.output.format ?? .jpeg),
      maxDimensions: resolved.maxPhotoDimensions,
      software: software)
    let merge = MergeChain(
      brackets: brackets, merge: resolved.mergeOptions, develop: develop, output: resolved.output)
    return try SituatedChain(BracketChain(merge: merge), facts: facts)
  }

  /// What takes a processing time of its own: the size asked for, or what `size` is nearest to, and how carefully.
  func kind(of size: PixelSize) -> ProcessingTimes.Key {
    ProcessingTimes.Key(size: recipe.photoSize ?? PhotoSize(nearest: size), prioritization: prioritization)
  }

  /// Speed or quality, as it is said, or as the demosaic says.
  var prioritization: PhotoQualityPrioritization {
    if let said = recipe.photoQualityPrioritization { return said }
    switch recipe.develop.demosaic {
    case .fast: return .speed
    case .best: return .quality
    default: return .balanced
    }
  }

  /// These settings as a rapid series makes them: quality becomes balanced, and the size one that is made at balanced.
  ///
  /// - Returns: `nil` when nothing becomes less.
  func lowered() -> ShotSettings? {
    guard recipe.photoQualityPrioritization == .quality else { return nil }
    var result = self
    result.recipe.photoQualityPrioritization = .balanced
    if let size = recipe.photoSize {
      let camera = facts.camera ?? (size == .mp18 ? .outer : .rear)
      let settings = PhotoSettings(identifier: 1, maxPhotoDimensions: size, photoQualityPrioritization: .quality)
      let resolved = try? ResolvedPhotoSettings(
        settings, capability: PhotoCapability(camera: camera), isRapid: true)
      if let resolved, resolved.size != size {
        result.recipe.maxPhotoDimensions = PhotoDimensions(resolved.size.rawValue)
      }
    }
    return result
  }
}

extension ShotSettings {
  /// As the journal keeps it.
  var json: JSONValue {
    var members: [String: JSONValue] = ["recipe": recipe.json, "mergesBrackets": .bool(mergesBrackets)]
    let known: [String: String?] = [
      "camera": facts.camera?.name, "posture": facts.posture?.rawValue, "view": facts.view?.rawValue,
      "deviceOrientation": facts.deviceOrientation?.rawValue, "aspectRatio": facts.aspectRatio?.description,
    ]
    members["facts"] = .object(known.compactMapValues { $0.map(JSONValue.string) })
    if let headerless {
      members["headerless"] = .object([
        "size": .string("\(headerless.size)"), "bits": .number(Double(headerless.bits)),
        "cfa": .string(headerless.cfa.description),
      ])
    }
    return .object(members)
  }

  /// Reads what ``json`` wrote.
  ///
  /// - Throws: usage (64) when it is not understood, as after a change of the program.
  init(json: JSONValue) throws(JobFailure) {
    var members = try JSONMembers(json, at: "the journal's settings")
    self.init(recipe: Recipe())
    try recipe.apply(try members.require("recipe", "an object") { $0 }, under: "", from: members.place)
    mergesBrackets = try members.take("mergesBrackets", "true or false", \.flag) ?? true
    if let json = try members.take("facts", "an object", { $0 }) { facts = try KnownSituation(json: json) }
    if let json = try members.take("headerless", "an object", { $0 }) {
      var layout = try JSONMembers(json, at: "the journal's layout")
      headerless = HeaderlessLayout(
        size: try layout.require("size", "WxH") { json in json.word.flatMap { PhotoDimensions($0)?.size } },
        bits: try layout.require("bits", "a number", \.whole),
        cfa: try layout.require("cfa", "a pattern") { json in json.word.flatMap(CFAPattern.init(named:)) })
    }
    try members.finish()
  }
}

extension KnownSituation {
  fileprivate init(json: JSONValue) throws(JobFailure) {
    self.init()
    var members = try JSONMembers(json, at: "the journal's facts")
    camera = try members.take("camera", "a camera") { json in json.word.flatMap { CameraDescriptor(named: $0) } }
    posture = try members.take("posture", as: Posture.self)
    view = try members.take("view", as: Display.self)
    deviceOrientation = try members.take("deviceOrientation", as: DeviceOrientation.self)
    aspectRatio = try members.take("aspectRatio", "W:H") { json in json.word.flatMap { AspectRatio($0) } }
    try members.finish()
  }
}

extension Recipe {
  /// The size asked for, when it goes by one of the capture model's names.
  var photoSize: PhotoSize? { maxPhotoDimensions.flatMap { PhotoSize(named: $0.description) } }
}

extension PhotoSize {
  /// The named size with the most similar number of pixels.
  init(nearest size: PixelSize) {
    func ratio(_ other: PhotoSize) -> Double {
      let (a, b) = (Double(max(1, size.area)), Double(other.dimensions.area))
      return max(a / b, b / a)
    }
    self = Self.allCases.min { ratio($0) < ratio($1) } ?? .mp12
  }
}
