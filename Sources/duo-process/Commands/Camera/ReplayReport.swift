import CaptureModel
import Pipeline

/// A timeline as text and as JSON Lines.
struct ReplayReport {
  let timeline: SessionTimeline
  let options: SessionOptions

  /// One line an entry, one a shot, a summary.
  var text: String {
    let entries = timeline.entries.map { Self.column($0.time) + "  " + Self.text($0.event) }
    let shots = timeline.shots.map { shot in
      "shot \(shot.number): \(shot.resolved.size) at \(shot.resolved.prioritization.rawValue)"
        + (shot.resolved.reasons.isEmpty ? "" : " (\(shot.resolved.reasons.map(\.rawValue).joined(separator: ", ")))")
        + ", \(shot.state.camera.name)\(shot.state.isMirrored ? " mirrored" : ""), capture \(shot.state.captureAngle)"
        + (shot.delivered.map {
          ", \(shot.isDeferred ? "proxy" : "photo") after \(Self.seconds($0 - shot.pressed)) s"
        }
          ?? "")
        + (shot.finalDelivered.map { ", final after \(Self.seconds($0 - shot.pressed)) s" } ?? "")
        + (shot.readyAgain.map { ", shot-to-shot \(Self.seconds($0 - shot.pressed)) s" } ?? "")
    }
    let presses = timeline.shots.count + timeline.ignoredPresses
    let count = timeline.shots.count
    return (entries + shots + ["\(count) photo\(count == 1 ? "" : "s") of \(presses) presses"]).joined(
      separator: "\n")
      + "\n"
  }

  /// The same as objects.
  var lines: String {
    let summary: JSONValue = .object([
      "summary": .object([
        "options": options.json, "photos": .number(Double(timeline.shots.count)),
        "ignoredPresses": .number(Double(timeline.ignoredPresses)),
        "shotToShotTimes": .array(timeline.shotToShotTimes.map { .number(Self.seconds($0)) }),
      ])
    ])
    return (timeline.entries.map(Self.json) + timeline.shots.map(Self.json) + [summary]).map {
      RunReporter.line($0) + "\n"
    }.joined()
  }

  /// Seconds to the nearest tenth of a millisecond.
  private static func seconds(_ time: Duration) -> Double {
    let (whole, atto) = time.components
    return ((Double(whole) + Double(atto) * 1e-18) * 1e4).rounded() / 1e4
  }

  private static func column(_ time: Duration) -> String {
    let width = 9
    let text = "\(seconds(time))"
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private static func text(_ event: TimelineEntry.Event) -> String {
    switch event {
    case .state(let state):
      let map = state.directions[state.view] ?? .empty
      return "\(state.posture.rawValue), view on \(state.view.rawValue): forward \(map.forward.names); "
        + "backward \(map.backward.names); streaming \(state.camera.name), \(state.direction.rawValue), "
        + "\(state.isMirrored ? "mirrored" : "not mirrored"), preview \(state.previewAngle), "
        + "capture \(state.captureAngle)"
    case .readiness(let readiness): return "readiness \(readiness.rawValue)"
    case .pressIgnored(let readiness): return "shutter press not heard: \(readiness.rawValue)"
    case .callback(let callback, let shot): return "shot \(shot) \(callback.rawValue)"
    case .final(let shot): return "shot \(shot) final"
    }
  }

  private static func json(_ entry: TimelineEntry) -> JSONValue {
    var members: [String: JSONValue] = ["at": .number(seconds(entry.time))]
    switch entry.event {
    case .state(let state): members["state"] = json(state)
    case .readiness(let readiness): members["readiness"] = .string(readiness.rawValue)
    case .pressIgnored(let readiness): members["pressIgnored"] = .string(readiness.rawValue)
    case .callback(let callback, let shot):
      members["callback"] = .string(callback.rawValue)
      members["shot"] = .number(Double(shot))
    case .final(let shot):
      members["callback"] = .string("final")
      members["shot"] = .number(Double(shot))
    }
    return .object(members)
  }

  private static func json(_ state: SessionState) -> JSONValue {
    .object([
      "posture": .string(state.posture.rawValue), "view": .string(state.view.rawValue),
      "directions": .object(
        Dictionary(uniqueKeysWithValues: state.directions.map { ($0.key.rawValue, $0.value.json) })),
      "camera": .string(state.camera.name), "direction": .string(state.direction.rawValue),
      "mirrored": .bool(state.isMirrored), "previewAngle": .number(Double(state.previewAngle.degrees)),
      "captureAngle": .number(Double(state.captureAngle.degrees)),
    ])
  }

  private static func json(_ shot: ShotRecord) -> JSONValue {
    var members: [String: JSONValue] = [
      "shot": .number(Double(shot.number)), "pressed": .number(seconds(shot.pressed)),
      "resolved": shot.resolved.json, "deferred": .bool(shot.isDeferred), "camera": .string(shot.state.camera.name),
      "mirrored": .bool(shot.state.isMirrored), "captureAngle": .number(Double(shot.state.captureAngle.degrees)),
    ]
    members["delivered"] = shot.delivered.map { .number(seconds($0)) }
    members["final"] = shot.finalDelivered.map { .number(seconds($0)) }
    members["shotToShot"] = shot.readyAgain.map { .number(seconds($0 - shot.pressed)) }
    return .object(members)
  }
}
