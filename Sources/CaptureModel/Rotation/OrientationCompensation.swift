public import ImageCore

/// What a shot delivers.
public enum PhotoKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// HEIC, JPEG or uncompressed: fused of several frames, finished.
  case processed
  /// Several exposures of one scene, finished, for merging or choosing.
  case bracket
  /// What the sensor measured.
  case bayerRAW = "bayer-raw"
  /// Linear RGB with the phone's processing, still flexible.
  case proRAW = "pro-raw"

  /// Whether pixels are finished when they are delivered.
  public var isProcessed: Bool { self == .processed || self == .bracket }
}

/// Turns processed photos of sensors that are mounted otherwise to the read-out of classic ones.
public struct OrientationCompensation: Sendable, Hashable {
  /// Whether the camera is asked to do it.
  public var isEnabled: Bool
  /// Whether a rotation coordinator gives the angle anyway.
  public var hasRotationCoordinator: Bool

  /// What is asked for.
  public init(isEnabled: Bool, hasRotationCoordinator: Bool = false) {
    self.isEnabled = isEnabled
    self.hasRotationCoordinator = hasRotationCoordinator
  }

  /// What becomes of one photo.
  public struct Plan: Sendable, Hashable {
    /// How pixels are turned before delivery, clockwise.
    public let turn: QuarterTurn
    /// The tag that makes the delivered pixels upright.
    public let tag: Orientation
    /// Passes over all pixels that the turn costs.
    public let fullPasses: Int
    /// The turn is work for nothing: the coordinator's angle would have done. Switch compensation off.
    public let isRedundant: Bool
  }

  /// - Parameters:
  ///   - coordinator: how sensor and device are turned.
  ///   - kind: RAW is never turned.
  ///   - mirrored: whether the photo is seen mirrored.
  public func plan(_ coordinator: RotationCoordinator, kind: PhotoKind, mirrored: Bool) -> Plan {
    let off = coordinator.mount.turn - SensorMount.classic.turn
    guard isEnabled, kind.isProcessed, off != .none else {
      return Plan(
        turn: .none, tag: coordinator.captureOrientation(mirrored: mirrored), fullPasses: 0, isRedundant: false)
    }
    let rest = coordinator.captureAngle - off
    return Plan(
      turn: off, tag: rest.orientation.then(mirrored ? .upMirrored : .up), fullPasses: 1,
      isRedundant: hasRotationCoordinator)
  }
}
