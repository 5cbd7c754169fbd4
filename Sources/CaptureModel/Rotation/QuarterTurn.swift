public import ImageCore

/// A turn by a multiple of 90°, clockwise. Turns add up modulo a full one.
public struct QuarterTurn: Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
  /// Quarter turns clockwise, 0...3.
  public let count: Int

  /// Any number of quarter turns; negative ones are counter-clockwise.
  public init(_ count: Int) { self.count = ((count % 4) + 4) % 4 }

  /// No turn.
  public static let none = QuarterTurn(0)
  /// The four turns.
  public static let allCases = (0...3).map(QuarterTurn.init)

  /// Degrees clockwise: 0, 90, 180, 270.
  public var degrees: Int { count * 90 }
  /// What the turn does to pixels.
  public var orientation: Orientation { Orientation(clockwiseQuarterTurns: count) }
  /// As `90°`.
  public var description: String { "\(degrees)°" }

  /// Both turns after each other.
  public static func + (a: QuarterTurn, b: QuarterTurn) -> QuarterTurn { QuarterTurn(a.count + b.count) }
  /// The first turn with the second undone.
  public static func - (a: QuarterTurn, b: QuarterTurn) -> QuarterTurn { QuarterTurn(a.count - b.count) }
  /// The same turn the other way round.
  public static prefix func - (turn: QuarterTurn) -> QuarterTurn { QuarterTurn(-turn.count) }
}

/// How the device is held, as the person looking at the view's display sees it. The top is that of portrait.
public enum DeviceOrientation: String, Sendable, Hashable, Codable, CaseIterable {
  case portrait
  case portraitUpsideDown = "portrait-upside-down"
  /// The top points to the left.
  case landscapeLeft = "landscape-left"
  /// The top points to the right.
  case landscapeRight = "landscape-right"

  /// How far the device is turned clockwise from portrait, in the eyes of that person.
  public var rotation: DeviceRotation {
    switch self {
    case .portrait: DeviceRotation(.none)
    case .landscapeRight: DeviceRotation(QuarterTurn(1))
    case .portraitUpsideDown: DeviceRotation(QuarterTurn(2))
    case .landscapeLeft: DeviceRotation(QuarterTurn(3))
    }
  }

  /// The same hold in the eyes of somebody on the other side of the device.
  public var fromBehind: DeviceOrientation {
    switch self {
    case .landscapeLeft: .landscapeRight
    case .landscapeRight: .landscapeLeft
    case .portrait, .portraitUpsideDown: self
    }
  }
}

/// How far the device is turned clockwise from portrait, as seen by the person looking at the view.
public struct DeviceRotation: Sendable, Hashable, Codable {
  /// Clockwise.
  public let turn: QuarterTurn
  /// A rotation by a clockwise turn.
  public init(_ turn: QuarterTurn) { self.turn = turn }
}

/// How far the interface's top is turned clockwise from the display's own top, as seen by the person looking at it.
public struct DisplayRotation: Sendable, Hashable, Codable {
  /// Clockwise.
  public let turn: QuarterTurn
  /// A rotation by a clockwise turn.
  public init(_ turn: QuarterTurn) { self.turn = turn }

  /// The interface stays as in portrait, however the device is held.
  public static let locked = DisplayRotation(.none)

  /// The interface that is upright while the device is held so: it turns against the device.
  public static func following(_ device: DeviceOrientation) -> DisplayRotation {
    DisplayRotation(-device.rotation.turn)
  }
}

/// How a sensor is built in: the clockwise angle from the device's top to the top of its read-out, seen along the
/// direction in which the camera looks.
public struct SensorMount: Sendable, Hashable, Codable {
  /// Clockwise.
  public let turn: QuarterTurn
  /// A mount at a clockwise turn.
  public init(_ turn: QuarterTurn) { self.turn = turn }

  /// The read-out is upright when the device is held in landscape: 90° off portrait.
  public static let classic = SensorMount(QuarterTurn(1))
  /// The square front sensors: the read-out is upright in portrait.
  public static let square = SensorMount(.none)
}
