/// One line of the table: how long a kernel takes and how that compares with copying the same bytes.
struct Measurement: Sendable {
  var picture: String
  var kernel: String
  var milliseconds: Double
  /// The kernel's byte rate over that of `memcpy` on the same picture in the same run.
  var copyRatio: Double
  /// The least ratio that passes; `nil` when there is no gate.
  var gate: Double?

  var passes: Bool { copyRatio >= (gate ?? 0) }

  var json: String {
    let gateText = gate.map { "\($0)" } ?? "null"
    return """
      {"picture": "\(picture)", "kernel": "\(kernel)", "milliseconds": \(milliseconds), \
      "copyRatio": \(copyRatio), "gate": \(gateText), "passes": \(passes)}
      """
  }
}

/// The median of `rounds` timings of each body, after one warm-up round. Bodies take turns, so that a disturbance of
/// the machine hits all of them alike.
func medianMilliseconds(rounds: Int, _ bodies: [() -> Void]) -> [Double] {
  let clock = ContinuousClock()
  var times = bodies.map { _ in [Double]() }
  for round in 0...rounds {
    for (index, body) in bodies.enumerated() {
      let elapsed = clock.measure(body).components
      if round > 0 { times[index].append(Double(elapsed.seconds) * 1e3 + Double(elapsed.attoseconds) / 1e15) }
    }
  }
  return times.map { $0.sorted()[$0.count / 2] }
}
