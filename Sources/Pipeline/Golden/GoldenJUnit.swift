public import TIFFTags

/// Results as JUnit XML, which every build server reads.
public enum GoldenJUnit {
  /// The text of the file. A case that was recorded or kept is skipped there: it has not passed.
  public static func xml(_ results: [GoldenResult], suite: String) -> String {
    let failures = results.count { $0.verdict.isFailure }
    let skipped = results.count { isSkipped($0.verdict) }
    let time = seconds(results.reduce(0) { $0 + $1.seconds })
    let counts =
      "tests=\"\(results.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\" time=\"\(time)\""
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites \(counts)>",
      "  <testsuite name=\"\(escaped(suite))\" \(counts)>",
    ]
    for result in results { lines += test(result, suite: suite) }
    lines += ["  </testsuite>", "</testsuites>", ""]
    return lines.joined(separator: "\n")
  }

  /// Writes the file.
  public static func write(_ results: [GoldenResult], suite: String, to path: FilePath) throws(JobFailure) {
    try GoldenFiles.write(Array(xml(results, suite: suite).utf8), to: path)
  }

  private static func isSkipped(_ verdict: GoldenVerdict) -> Bool { verdict == .recorded || verdict == .kept }

  private static func test(_ result: GoldenResult, suite: String) -> [String] {
    let head =
      "    <testcase classname=\"\(escaped(suite))\" name=\"\(escaped(result.item.name))\" time=\"\(seconds(result.seconds))\""
    let text = result.reasons.joined(separator: "\n")
    if result.verdict.isFailure {
      let first = escaped(result.reasons.first ?? "failed")
      return [
        head + ">", "      <failure message=\"\(first)\" type=\"golden\">\(escaped(text))</failure>",
        "    </testcase>",
      ]
    }
    if isSkipped(result.verdict) {
      return [head + ">", "      <skipped message=\"\(result.verdict.rawValue), not compared\"/>", "    </testcase>"]
    }
    guard !text.isEmpty else { return [head + "/>"] }
    return [head + ">", "      <system-out>\(escaped(text))</system-out>", "    </testcase>"]
  }

  private static func seconds(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }

  /// Text for an attribute or an element (XML 1.0, 2.2 and 2.4); characters that XML has no way to write become `?`.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t": result += "&#\(scalar.value);"
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: result += "?"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
