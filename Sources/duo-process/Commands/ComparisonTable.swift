import ImageCore
import Pipeline

/// A comparison as text for people.
struct ComparisonTable {
  let report: FileComparison
  let verdict: ComparisonVerdict

  private static let column = 14

  var text: String {
    let found = report.comparison
    var lines = [row("size", "\(found.size)  \(kinds)")]
    let share = 100 * Double(found.differingPixels) / Double(max(1, found.size.area))
    lines.append(
      row("differing", found.isIdentical ? "nothing" : "\(found.differingPixels) pixels (\(Self.text(share, 4)) %)"))
    if found.nonFinite != Comparison.NonFinite() {
      let counts = found.nonFinite
      lines.append(
        row("no numbers", "\(counts.left) left, \(counts.right) right, \(counts.mismatched) do not agree"))
    }
    lines += samples(found) + seen(found)
    lines += report.differences.map { row("differs", $0) } + found.notes.map { row("note", $0) }
    for finding in verdict.findings {
      let value = finding.value.map { Self.text($0, 4) } ?? "not measured"
      lines.append(
        row(finding.isWithin ? "ok" : "FAIL", "--\(finding.name) \(Self.text(finding.limit, 4)): \(value)"))
    }
    let result = found.isIdentical ? "identical" : verdict.isWithin ? "within" : "outside"
    lines.append(row("verdict", verdict.findings.isEmpty ? (found.isIdentical ? "identical" : "different") : result))
    return lines.joined()
  }

  private var kinds: String {
    let sides = [report.left, report.right].map { "\($0.kind) \($0.samples ?? $0.cfa ?? "linear")" }
    return sides[0] == sides[1] ? sides[0] : sides.joined(separator: " and ")
  }

  private func samples(_ found: Comparison) -> [String] {
    var lines: [String] = []
    if let largest = found.maxAbs {
      let place = largest.x.map { " in \(largest.channel ?? "") at \($0),\(largest.y ?? 0)" } ?? ""
      let unit = found.fullScale == 1 ? "" : " of \(Self.text(found.fullScale, 0))"
      lines.append(row("max-abs", Self.text(largest.value, found.fullScale == 1 ? 6 : 0) + unit + place))
    }
    func channels(_ values: [Double], _ places: Int) -> String {
      values.count < 2
        ? ""
        : "  (" + zip(found.channels, values).map { "\($0) \(Self.text($1, places))" }.joined(separator: ", ") + ")"
    }
    if let rmse = found.rmse { lines.append(row("rmse", Self.text(rmse.all, 6) + channels(rmse.channels, 6))) }
    if let psnr = found.psnr {
      lines.append(row("psnr", Self.text(psnr.all, 3) + " dB" + channels(psnr.channels, 2)))
    }
    if let psnr = found.psnrMu {
      lines.append(row("psnr-mu", Self.text(psnr.all, 3) + " dB" + channels(psnr.channels, 2)))
    }
    if let shift = found.shift {
      lines.append(row("shift", channels(shift, 6).trimmedParentheses ?? Self.text(shift[0], 6)))
    }
    return lines
  }

  private func seen(_ found: Comparison) -> [String] {
    var lines: [String] = []
    if let ssim = found.ssim { lines.append(row("ssim", Self.text(ssim, 6))) }
    if let scales = found.msSSIM {
      lines.append(row("ms-ssim", "\(Self.text(scales.value, 6))  (\(scales.scales) scales)"))
    }
    func distribution(_ name: String, _ values: Comparison.Distribution?, _ places: Int) {
      guard let values else { return }
      let text = "mean \(Self.text(values.mean, places)), p99.9 \(Self.text(values.p999, places)), max "
      lines.append(row(name, text + Self.text(values.max, places)))
    }
    distribution("de", found.colour, 4)
    distribution("flip", found.flip, 5)
    if let alignment = found.alignment {
      let turn = abs(alignment.turn) < 0.001 ? "" : ", turned \(Self.text(alignment.turn, 3))°"
      lines.append(
        row(
          "alignment",
          "x \(Self.text(alignment.x, 2)), y \(Self.text(alignment.y, 2)) pixels\(turn) (similarity \(Self.text(alignment.similarity, 3)))"
        ))
    }
    return lines
  }

  private func row(_ name: String, _ value: String) -> String {
    "  " + name + String(repeating: " ", count: Self.column - name.count) + Terminal.oneLine(value) + "\n"
  }

  /// A number with so many digits after the point; `inf` when it has none.
  static func text(_ value: Double, _ places: Int) -> String {
    guard value.isFinite else { return value < 0 ? "-inf" : "inf" }
    let unit = (0..<places).reduce(1.0) { product, _ in product * 10 }
    guard abs(value) * unit < 9e15 else { return "\(value)" }
    let whole = Int((abs(value) * unit).rounded())
    let digits = String(whole)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    let sign = value < 0 && whole != 0 ? "-" : ""
    return sign + padded.dropLast(places) + (places == 0 ? "" : "." + padded.suffix(places))
  }
}

extension String {
  /// What stands between the parentheses of a list of channels; `nil` without any.
  fileprivate var trimmedParentheses: String? {
    guard let open = firstIndex(of: "("), let close = lastIndex(of: ")") else { return nil }
    return String(self[index(after: open)..<close])
  }
}
