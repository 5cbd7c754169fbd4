public import Develop
import HDRMerge
import ImageCore
import PhotoFiles

/// One key of a recipe: its dotted name, what it accepts, how it is read and written. A new key is a new line of
/// ``all``.
public struct RecipeKey: Sendable {
  /// What the dot separates is an object in a file: `output.quality`.
  public let name: String
  /// What the key accepts, for messages and documentation.
  public let expected: String
  /// Stores the value; false when it is not acceptable.
  let read: @Sendable (inout Recipe, JSONValue) -> Bool
  /// The value; `nil` when it is not said.
  let write: @Sendable (Recipe) -> JSONValue?

  /// All keys, in the order of the documentation.
  public static let all: [RecipeKey] =
    geometry + develop + merge + sensor + [key("bin.mode", \.bin.mode)] + output

  private static let geometry = [
    key(
      "maxPhotoDimensions", \.maxPhotoDimensions, "full, 12MP, 18MP, 24MP, 48MP or WxH",
      { $0.word.flatMap(PhotoDimensions.init) }, { .string($0.description) }),
    key("photoQualityPrioritization", \.photoQualityPrioritization),
    key(
      "aspectRatio", \.aspectRatio, "1:1, 4:3, 3:4, 16:9, 9:16 or W:H", { $0.word.flatMap { AspectRatio($0) } },
      { .string($0.description) }),
    key("gravity", \.gravity),
    key(
      "rotation", \.rotation, "apply, keep, 0, 90, 180 or 270", { $0.word.flatMap { Rotation($0.lowercased()) } },
      { .string($0.name) }),
    key("mirroring", \.mirroring),
  ]

  private static let develop = [
    key("develop.rendering", \.develop.rendering),
    key("develop.tone", \.develop.tone),
    key(
      "develop.whiteBalance", \.develop.whiteBalance, "“as-shot” or three multipliers above 0",
      DevelopOptions.WhiteBalance.init(json:), \.json),
    key("develop.exposure", \.develop.exposure, "a number of stops", \.number, { .number($0) }),
    key("develop.demosaic", \.develop.demosaic),
    key(
      "develop.detail", \.develop.detail, "a number in 0...2",
      { value in value.number.flatMap { (0...2).contains($0) ? $0 : nil } }, { .number($0) }),
  ]

  private static let merge = [
    key("merge.align", \.merge.align),
    key("merge.deghost", \.merge.deghost),
  ]

  private static let sensor = [
    key(
      "sensor.cfa", \.sensor.cfa, "rggb, quad-rggb, quad-rggb+2,3, nona-rggb, xtrans …",
      { $0.word.flatMap(CFAPattern.init(named:)) },
      { .string($0.description) }),
    key("sensor.black", \.sensor.black, "a number of counts", \.number, { .number($0) }),
    key("sensor.white", \.sensor.white, "a number of counts", \.number, { .number($0) }),
  ]

  private static let output = [
    key("output.format", \.output.format),
    key(
      "output.quality", \.output.quality, "a whole number in 1...100",
      { value in value.whole.flatMap { (1...100).contains($0) ? $0 : nil } }, { .number(Double($0)) }),
    key(
      "output.bits", \.output.bits, "8, 10, 12, 16 or 32",
      { value in value.whole.flatMap { [8, 10, 12, 16, 32].contains($0) ? $0 : nil } },
      { .number(Double($0)) }),
    key("output.profile", \.output.profile),
    key("output.compression", \.output.compression),
    key("output.dngCompression", \.output.dngCompression),
    key(
      "output.chroma", \.output.chroma, "4:2:0 or 4:4:4",
      { $0.word == "4:4:4" ? .s444 : $0.word == "4:2:0" ? .s420 : nil },
      { .string($0 == .s444 ? "4:4:4" : "4:2:0") }),
    key(
      "output.strip", \.output.strip, "true or false",
      { value in if case .bool(let flag) = value { flag } else { nil } }, { .bool($0) }),
  ]

  private static func key<Value>(
    _ name: String, _ path: any WritableKeyPath<Recipe, Value?> & Sendable, _ expected: String,
    _ read: @escaping @Sendable (JSONValue) -> Value?, _ write: @escaping @Sendable (Value) -> JSONValue
  ) -> RecipeKey {
    RecipeKey(
      name: name, expected: expected,
      read: { recipe, json in
        guard let value = read(json) else { return false }
        recipe[keyPath: path] = value
        return true
      }, write: { $0[keyPath: path].map(write) })
  }

  /// A key whose values are the names of an enum's cases; case does not matter.
  private static func key<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ path: any WritableKeyPath<Recipe, Value?> & Sendable
  ) -> RecipeKey {
    key(
      name, path, Value.allCases.map(\.rawValue).joined(separator: ", "),
      { $0.word.flatMap { Value(rawValue: $0.lowercased()) } },
      { .string($0.rawValue) })
  }
}

extension DevelopOptions.WhiteBalance {
  /// `as-shot`, `R,G,B` as on the command line, or an array of three numbers.
  fileprivate init?(json: JSONValue) {
    let gains: [Double]
    switch json {
    case .string(let text):
      guard let value = Self(text) else { return nil }
      self = value
      return
    case .array(let values): gains = values.map { $0.number ?? 0 }
    default: return nil
    }
    guard gains.count == 3, gains.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
    self = .multipliers(red: gains[0], green: gains[1], blue: gains[2])
  }

  /// `as-shot` or `R,G,B`, all above 0.
  public init?(_ text: String) {
    if text == "as-shot" {
      self = .asShot
      return
    }
    let gains = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? 0 }
    guard gains.count == 3, gains.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
    self = .multipliers(red: gains[0], green: gains[1], blue: gains[2])
  }

  fileprivate var json: JSONValue {
    switch self {
    case .asShot: .string("as-shot")
    case .multipliers(let red, let green, let blue): .array([.number(red), .number(green), .number(blue)])
    }
  }
}
