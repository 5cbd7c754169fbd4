import ImageCore
import TIFFTags

/// The pictures and histograms of one case, as members of the page's data.
struct ReportPictures {
  var resources = Resources()

  /// Two pictures beside each other; of equal ones a single view is enough.
  ///
  /// - Parameter areEqual: nothing differs, so that no difference is drawn.
  func members(golden: FilePath, candidate: FilePath, areEqual: Bool) throws(JobFailure) -> [String: JSONValue] {
    let was = try ReportPicture(golden, resources: resources)
    if areEqual {
      return try members(only: was, named: "golden", caption: "The two are the same picture.")
    }
    let now = try ReportPicture(candidate, resources: resources)
    let view = ReportViews.view(was.image, within: ReportViews.viewSide, resources: resources)
    var pictures: [String: JSONValue] = [
      "golden": .string(try DataURI.encode(view)), "thumb": .string(try thumb(now)),
      "candidate": .string(
        try DataURI.encode(ReportViews.view(now.image, within: ReportViews.viewSide, resources: resources))),
      "width": .number(Double(view.width)), "height": .number(Double(view.height)),
    ]
    var result: [String: JSONValue] = [
      "facts": .string(was.facts == now.facts ? now.facts : "\(was.facts) → \(now.facts)"),
      "histogram": histogram(was, now),
    ]
    if was.image.size == now.image.size {
      let heat = ReportViews.heat(was.image, now.image, within: ReportViews.viewSide)
      pictures["heat"] = .string(try DataURI.encode(heat.map, exact: true))
      pictures["largest"] = .string(Self.percent(heat.largest))
      let rect = ReportViews.crop(around: heat.x, heat.y, of: was.image.size)
      result["crop"] = .object([
        "x": .number(Double(rect.x)), "y": .number(Double(rect.y)), "width": .number(Double(rect.width)),
        "height": .number(Double(rect.height)), "golden": .string(try crop(was, rect)),
        "candidate": .string(try crop(now, rect)),
      ])
    }
    result["pictures"] = .object(pictures)
    return result
  }

  /// One picture, when there is no other.
  func members(only path: FilePath, named name: String, caption: String) throws(JobFailure) -> [String: JSONValue] {
    try members(only: try ReportPicture(path, resources: resources), named: name, caption: caption)
  }

  private func members(
    only picture: ReportPicture, named name: String, caption: String
  ) throws(JobFailure) -> [String: JSONValue] {
    let view = ReportViews.view(picture.image, within: ReportViews.viewSide / 2, resources: resources)
    return [
      "facts": .string(picture.facts), "histogram": histogram(picture, nil),
      "pictures": .object([
        "golden": .string(try DataURI.encode(view)), "thumb": .string(try thumb(picture)), "only": .string(name),
        "caption": .string(caption), "width": .number(Double(view.width)), "height": .number(Double(view.height)),
      ]),
    ]
  }

  private func thumb(_ picture: ReportPicture) throws(JobFailure) -> String {
    try DataURI.encode(ReportViews.view(picture.image, within: ReportViews.thumbSide, resources: resources))
  }

  private func crop(_ picture: ReportPicture, _ rect: PixelRect) throws(JobFailure) -> String {
    try DataURI.encode(ReportViews.narrowed(picture.image.cropped(to: rect)), exact: true)
  }

  private func histogram(_ golden: ReportPicture, _ candidate: ReportPicture?) -> JSONValue {
    // Pictures of other channels cannot share a plot.
    let other = candidate.flatMap { $0.channels == golden.channels ? ReportViews.histograms($0) : nil }
    let own = ReportViews.histograms(golden)
    func bins(_ values: [(bins: [Double], mean: Double)]) -> JSONValue {
      let digits = 1e6
      return .array(values.map { .array($0.bins.map { .number(($0 * digits).rounded() / digits) }) })
    }
    func means(_ values: [(bins: [Double], mean: Double)]) -> JSONValue {
      let digits = 1e4
      return .array(values.map { .number(($0.mean * digits).rounded() / digits) })
    }
    var members: [String: JSONValue] = [
      "channels": .array(golden.channels.map { .string($0) }), "golden": bins(own), "goldenMeans": means(own),
    ]
    if let other {
      members["candidate"] = bins(other)
      members["candidateMeans"] = means(other)
    }
    return .object(members)
  }

  private static func percent(_ difference: Int) -> String {
    let share = Double(difference) / Double(UInt16.max) * 100
    let digits = 1000.0
    return "\((share * digits).rounded() / digits) % of full scale"
  }
}
