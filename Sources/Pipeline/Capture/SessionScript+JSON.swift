public import CaptureModel
import Glibc
public import TIFFTags

extension JobFailure {
  /// A request that the capture system refuses is a usage error (64).
  public init(_ error: CaptureError) { self.init(.usage, error.description) }
}

extension SessionScript {
  /// Files larger than this are no scripts, bytes.
  private static let largestFile = 8 << 20

  /// Reads a script for `camera replay`: one JSON object, without comments.
  ///
  /// - Throws: no input (66) when the file cannot be read; usage (64) when it is no JSON, when a key is unknown or a
  ///   value not acceptable. The message names file, key, finding and expectation.
  public init(file: FilePath) throws(JobFailure) {
    guard let bytes = file.contents(atMost: Self.largestFile) else {
      throw JobFailure(.noInput, "\(file.string) cannot be read: \(String(cString: strerror(errno)))")
    }
    guard bytes.count < Self.largestFile, let json = JSONValue(parsing: bytes) else {
      throw JobFailure(.usage, "\(file.string) is no JSON; a script is one object, without comments")
    }
    self.init()
    var members = try JSONMembers(json, at: file.string)
    try takeStart(&members)
    try takeSession(&members)
    let wantCosts = "an array of {size, prioritization, capture, processing, proxy, fusion}"
    for (index, cost) in (try members.take("costs", wantCosts, \.values) ?? []).enumerated() {
      try takeCost(cost, at: "\(file.string): costs[\(index)]")
    }
    let wantEvents = "an array of {at, do, …}"
    for (index, event) in (try members.require("events", wantEvents, \.values)).enumerated() {
      events.append(try Self.event(event, at: "\(file.string): events[\(index)]"))
    }
    try members.finish()
  }

  private mutating func takeStart(_ members: inout JSONMembers) throws(JobFailure) {
    posture = try members.take("posture", as: Posture.self) ?? posture
    view = try members.take("view", as: Display.self)
    orientation = try members.take("deviceOrientation", as: DeviceOrientation.self) ?? orientation
    isInterfaceLocked = try members.take("interface", as: Interface.self) == .locked
    camera = try members.take("camera", CameraChoice.expected, CameraChoice.init(json:)) ?? camera
    if let light = try members.take("light", "an object", { $0 }) {
      self.light = try SceneLight(json: light, at: members.place + ": light")
    }
  }

  private mutating func takeSession(_ members: inout JSONMembers) throws(JobFailure) {
    preset = try members.take("preset", as: SessionPreset.self) ?? preset
    maxPrioritization =
      try members.take("maxPhotoQualityPrioritization", as: CaptureModel.PhotoQualityPrioritization.self)
      ?? maxPrioritization
    let switches: [(String, SessionOptions)] = [
      ("responsiveCapture", .responsiveCapture), ("fastCapturePrioritization", .fastCapturePrioritization),
      ("deferredProcessing", .deferredProcessing),
    ]
    for (name, option) in switches {
      if try members.take(name, "true or false", \.flag) == true { options.insert(option) }
    }
    idleAfter = try members.take("idleAfter", "seconds", \.seconds) ?? idleAfter
  }

  private mutating func takeCost(_ json: JSONValue, at place: String) throws(JobFailure) {
    var members = try JSONMembers(json, at: place)
    let size = try members.require("size", PhotoSize.expected, PhotoSize.init(json:))
    let prioritization = try members.take("prioritization", as: CaptureModel.PhotoQualityPrioritization.self)
    let cost = StageCost(
      capture: try members.require("capture", "seconds", \.seconds),
      processing: try members.require("processing", "seconds", \.seconds),
      proxy: try members.require("proxy", "seconds", \.seconds),
      fusion: try members.take("fusion", "seconds", \.seconds) ?? .zero)
    try members.finish()
    for each in prioritization.map({ [$0] }) ?? size.prioritizations {
      costs[ProcessingTimes.Key(size: size, prioritization: each)] = cost
    }
  }

  private static func event(_ json: JSONValue, at place: String) throws(JobFailure) -> SessionEvent {
    var members = try JSONMembers(json, at: place)
    let time = try members.require("at", "seconds", \.seconds)
    let names = EventName.allCases.map(\.rawValue).joined(separator: ", ")
    guard let name = try members.take("do", as: EventName.self) else {
      throw JobFailure(.usage, "\(place) has no do, expected \(names)")
    }
    let action = try name.action(&members)
    try members.finish()
    return SessionEvent(time, action)
  }
}

/// Whether the interface turns with the device.
private enum Interface: String, CaseIterable {
  case follow, locked
}

/// What an event is called in a script.
private enum EventName: String, CaseIterable {
  case fold, unfold, flip, rotate, view, camera, light, shutter, stop, start, finish

  func action(_ members: inout JSONMembers) throws(JobFailure) -> SessionEvent.Action {
    switch self {
    case .fold: return .fold
    case .unfold: return .unfold
    case .flip: return .flip
    case .stop: return .stop
    case .start: return .start
    case .finish: return .finish
    case .rotate: return .rotate(try required("deviceOrientation", &members))
    case .view: return .moveView(try required("view", &members))
    case .camera:
      return .choose(try members.require("camera", CameraChoice.expected, CameraChoice.init(json:)))
    case .light: return .light(try SceneLight(members: &members))
    case .shutter:
      let size = try members.take("maxPhotoDimensions", PhotoSize.expected, PhotoSize.init(json:))
      let prioritization = try members.take(
        "photoQualityPrioritization", as: CaptureModel.PhotoQualityPrioritization.self)
      return .shutter(size ?? .standard, prioritization ?? .quality)
    }
  }

  private func required<Value: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ members: inout JSONMembers
  ) throws(JobFailure) -> Value {
    guard let value = try members.take(name, as: Value.self) else {
      let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw JobFailure(.usage, "\(members.place) has no \(name), expected \(names)")
    }
    return value
  }
}

extension PhotoSize {
  static let expected = allCases.map(\.rawValue).joined(separator: ", ")
  init?(json: JSONValue) {
    guard let word = json.word else { return nil }
    self.init(named: word)
  }
}

extension CameraChoice {
  static let expected =
    (Direction.allCases.map(\.rawValue) + CameraDescriptor.all.map(\.name)).joined(separator: ", ")

  init?(json: JSONValue) {
    guard let word = json.word else { return nil }
    if let direction = Direction(rawValue: word) {
      self = .facing(direction)
    } else if let camera = CameraDescriptor(named: word) {
      self = .named(camera)
    } else {
      return nil
    }
  }
}

extension SceneLight {
  fileprivate init(json: JSONValue, at place: String) throws(JobFailure) {
    var members = try JSONMembers(json, at: place)
    self = try SceneLight(members: &members)
    try members.finish()
  }

  fileprivate init(members: inout JSONMembers) throws(JobFailure) {
    let positive: (JSONValue) -> Double? = { json in json.number.flatMap { $0 > 0 ? $0 : nil } }
    let iso = try members.require("iso", "a number above 0", positive)
    self.init(iso: iso, exposureTime: try members.take("exposureTime", "seconds above 0", positive))
  }
}
