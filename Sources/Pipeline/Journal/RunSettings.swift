/// Everything besides the inputs that outputs of a batch depend on.
public struct RunSettings: Sendable {
  /// Name and version of the tool.
  public var software: String
  /// The resolved recipe.
  public var recipe: Recipe
  /// What is asked for outside the recipe, by the names of the options.
  public var options: [String: String]

  /// - Parameter options: what is asked for outside the recipe, by the names of the options.
  public init(software: String, recipe: Recipe, options: [String: String]) {
    self.software = software
    self.recipe = recipe
    self.options = options
  }

  var json: JSONValue {
    .object([
      "software": .string(software), "recipe": recipe.json, "options": .object(options.mapValues(JSONValue.string)),
    ])
  }

  var digest: String { FileDigest.sha256(of: JournalEvent.json(json)) }

  /// At most this many differences are told.
  private static let told = 3

  /// The settings that differ, for a message: ` (output.quality 92, now 80)`.
  static func difference(_ old: JSONValue, _ new: JSONValue) -> String {
    let (before, after) = (flat(old, ""), flat(new, ""))
    let keys = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
    if keys.isEmpty { return "" }
    let shown = keys.prefix(told).map { "\($0) \(before[$0] ?? "unsaid"), now \(after[$0] ?? "unsaid")" }
    return " (" + shown.joined(separator: "; ") + (keys.count > told ? "; …" : "") + ")"
  }

  private static func flat(_ value: JSONValue, _ name: String) -> [String: String] {
    guard case .object(let members) = value else { return [name: value.shown] }
    var result: [String: String] = [:]
    for (key, member) in members {
      // The first level only sorts: keys below it are known by themselves.
      let isTop = ["recipe", "options"].contains(key) && name.isEmpty
      result.merge(flat(member, isTop ? "" : name.isEmpty ? key : name + "." + key)) { first, _ in first }
    }
    return result
  }
}
