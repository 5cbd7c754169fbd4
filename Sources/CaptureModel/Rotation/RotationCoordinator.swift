public import ImageCore

/// The turns that keep a camera's pictures level.
///
/// Everything follows from one definition: the mount `m` (seen along the camera's look), the device's rotation `d` and
/// the interface's rotation `r` (both seen by the person at the view), and whether the camera faces that person. Seen
/// along its look, a camera that faces away turns with the device as that person sees it, one that faces that person
/// turns the other way. So pixels are upright after a clockwise turn of `m + d` (backward) or `m − d` (forward).
///
/// A picture drawn upright into an interface whose top is at `d + r` still leans by that much: the preview turns back by
/// `d + r`, and forward by it when it is mirrored, since mirroring turns angles round.
public struct RotationCoordinator: Sendable, Hashable {
  /// How the sensor is built in.
  public let mount: SensorMount
  /// Whether the camera faces the person at the view.
  public var direction: Direction
  /// Whether the preview is mirrored; a mirrored picture is turned first, then mirrored left to right.
  public var isPreviewMirrored: Bool
  /// How the device is held, as that person sees it.
  public private(set) var deviceOrientation: DeviceOrientation
  /// How the interface is turned on the display that the view is on.
  public private(set) var displayRotation: DisplayRotation

  /// A coordinator for one camera and one view. The preview is mirrored when the camera faces the viewer.
  public init(
    mount: SensorMount, direction: Direction, deviceOrientation: DeviceOrientation = .portrait,
    displayRotation: DisplayRotation = .locked
  ) {
    self.mount = mount
    self.direction = direction
    isPreviewMirrored = direction == .forward
    self.deviceOrientation = deviceOrientation
    self.displayRotation = displayRotation
  }

  /// The clockwise turn that makes captured pixels upright. Follows gravity alone.
  public var captureAngle: QuarterTurn { captureAngle(relativeTo: deviceOrientation) }

  /// The same for a device that is held as stated, whatever gravity says.
  public func captureAngle(relativeTo stated: DeviceOrientation) -> QuarterTurn {
    direction == .backward ? mount.turn + stated.rotation.turn : mount.turn - stated.rotation.turn
  }

  /// The clockwise turn after which the preview, drawn into the interface, is level in the viewer's eyes.
  public var previewAngle: QuarterTurn {
    let lean = deviceOrientation.rotation.turn + displayRotation.turn
    return isPreviewMirrored ? captureAngle + lean : captureAngle - lean
  }

  /// The orientation tag of stored pixels that makes them upright, mirrored or not.
  public func captureOrientation(mirrored: Bool) -> Orientation {
    captureAngle.orientation.then(mirrored ? .upMirrored : .up)
  }

  /// The device is held otherwise.
  public mutating func update(_ orientation: DeviceOrientation) { deviceOrientation = orientation }

  /// Gravity has changed; a device that lies flat keeps its last orientation.
  public mutating func update(_ gravity: Gravity3) {
    deviceOrientation = gravity.orientation(after: deviceOrientation)
  }

  /// The interface turned, or the view moved to another display. The other side of the device sees its rotation the
  /// other way round.
  public mutating func moveView(to rotation: DisplayRotation, seenFromOtherSide: Bool = false) {
    displayRotation = rotation
    if seenFromOtherSide { deviceOrientation = deviceOrientation.fromBehind }
  }
}

/// The pull of gravity in units of g, as a motion sensor reports it: x to the right of the display, y to its top, z out
/// of it. Upright portrait is (0, −1, 0).
public struct Gravity3: Sendable, Hashable {
  /// To the right of the display.
  public let x: Double
  /// To the top of the display.
  public let y: Double
  /// Out of the display.
  public let z: Double

  /// A pull of these components.
  public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }

  /// Flatter than 30° (sine 0.5) a hand cannot say which way is up.
  private static let flat = 0.5
  /// tan 50°: an orientation is left only 5° past the diagonal, so that a hand's tremor does not flip the interface.
  private static let hysteresis = 1.19

  /// The orientation that is seen after `last`.
  public func orientation(after last: DeviceOrientation) -> DeviceOrientation {
    let (across, along) = (abs(x), abs(y))
    guard x.isFinite, y.isFinite, max(across, along) >= Self.flat else { return last }
    let wasUpright = last == .portrait || last == .portraitUpsideDown
    let isUpright = wasUpright ? across <= along * Self.hysteresis : along > across * Self.hysteresis
    if isUpright { return y < 0 ? .portrait : .portraitUpsideDown }
    return x < 0 ? .landscapeLeft : .landscapeRight
  }

  /// The same pull for a display on the other side of the device: left and right, in and out change places.
  public var fromBehind: Gravity3 { Gravity3(x: -x, y: y, z: -z) }
}
