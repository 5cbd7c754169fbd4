import CReportPage
import FoundationEssentials
import ImageCore

/// Puts data into the page that is embedded in the program.
enum ReportTemplate {
  /// - Parameters:
  ///   - sides: what the two pictures of a case are called.
  ///   - cases: objects as the page's script reads them.
  static func page(title: String, tool: String, sides: (String, String), cases: [JSONValue]) -> String {
    let data = JSONValue.object([
      "suite": .string(title), "tool": .string(tool), "sides": .array([.string(sides.0), .string(sides.1)]),
      "ramp": .array(HeatRamp.legend.map { .string($0) }), "cases": .array(cases),
    ])
    let parts = [("@@STYLE@@", text(creport_css())), ("@@SCRIPT@@", text(creport_js())), ("@@DATA@@", inline(data))]
    var page = text(creport_html())
    for (mark, part) in parts {
      guard let range = page.firstRange(of: mark) else { fatalError("the page has no place for \(mark)") }
      page.replaceSubrange(range, with: part)
    }
    return page
  }

  /// Rows of the table of metrics: what is limited first, then whatever else was measured.
  static func rows(_ findings: [ComparisonVerdict.Finding], _ comparison: Comparison?) -> JSONValue {
    let others = comparison.map { GoldenLimit.values(of: $0) } ?? []
    let rest = others.filter { other in !findings.contains { $0.name == other.name } }
    return .array(findings.map { row($0, isLimited: true) } + rest.map { row($0, isLimited: false) })
  }

  private static func row(_ finding: ComparisonVerdict.Finding, isLimited: Bool) -> JSONValue {
    let limit = GoldenLimit.all.first { $0.option == finding.name }
    func text(_ value: Double) -> JSONValue { .string(limit?.text(value) ?? "\(value)") }
    return .object([
      "title": .string(limit?.title ?? finding.name), "value": finding.value.map(text) ?? .string("not measured"),
      "limit": isLimited ? text(finding.limit) : .null, "least": .bool(limit?.isLeast ?? false),
      "within": .bool(!isLimited || finding.isWithin),
    ])
  }

  /// A row of the table of metadata.
  static func tag(_ tag: GoldenTagDifference) -> JSONValue {
    .object([
      "name": .string(tag.title), "golden": tag.golden.map { .string($0) } ?? .null,
      "candidate": tag.candidate.map { .string($0) } ?? .null,
    ])
  }

  /// JSON that cannot end the script element it stands in.
  private static func inline(_ value: JSONValue) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return "{}" }
    return String(decoding: data, as: UTF8.self).replacing("<", with: "\\u003c")
  }

  private static func text(_ part: creport_part) -> String {
    String(decoding: UnsafeBufferPointer(start: part.bytes, count: part.count), as: UTF8.self)
  }
}
