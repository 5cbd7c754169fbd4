public import ImageCore

/// What is known of how a picture was taken.
public struct CaptureSituation: Sendable, Hashable, Codable {
  /// The camera that took it.
  public var camera: CameraDescriptor
  /// How the device was held.
  public var posture: Posture
  /// The display that the photographer's view was on.
  public var view: Display
  /// How the device was turned, as the person at the view saw it; `nil` when only the file knows.
  public var deviceOrientation: DeviceOrientation?
  /// The ratio that was chosen on a square sensor.
  public var aspectRatio: AspectRatio?

  /// A situation; the view is on the display that the posture looks at unless told otherwise.
  public init(
    camera: CameraDescriptor, posture: Posture, view: Display? = nil, deviceOrientation: DeviceOrientation? = nil,
    aspectRatio: AspectRatio? = nil
  ) {
    self.camera = camera
    self.posture = posture
    self.view = view ?? posture.mainDisplay
    self.deviceOrientation = deviceOrientation
    self.aspectRatio = aspectRatio
  }

  /// What the rules make of it.
  ///
  /// - Throws: when the view or the camera is covered, or the camera's formats lack the ratio.
  public func decision() throws(CaptureError) -> CaptureDecision {
    let direction = try camera.requiredDirection(from: view, in: posture)
    if let aspectRatio { try DynamicAspectRatio.check(aspectRatio, in: camera.formats[0]) }
    let angle = deviceOrientation.map {
      RotationCoordinator(mount: camera.mount, direction: direction, deviceOrientation: $0).captureAngle
    }
    return CaptureDecision(
      situation: self, activeCamera: camera.active(in: posture), direction: direction,
      isMirrored: direction == .forward,
      captureAngle: angle, aspectRatio: aspectRatio)
  }
}

/// How a picture is to be shown.
public struct CaptureDecision: Sendable, Hashable {
  /// What it follows from.
  public let situation: CaptureSituation
  /// The camera that saw it: never a virtual one.
  public let activeCamera: CameraDescriptor
  /// Whether it faced the person at the view.
  public let direction: Direction
  /// Mirrored like a selfie: direction decides, not where the camera sits.
  public let isMirrored: Bool
  /// The clockwise turn that makes its pixels upright; `nil` when the file's own tag is to say.
  public let captureAngle: QuarterTurn?
  /// The ratio to crop to, as the picture is seen upright.
  public let aspectRatio: AspectRatio?

  /// The orientation tag of the stored pixels, mirroring left out.
  ///
  /// - Parameter tag: what the file says, used where the situation does not say how the device was held. A tag that
  ///   mirrors is taken for its turn alone, since mirroring is decided here.
  public func uprightTag(fallingBackTo tag: Orientation) -> Orientation {
    guard let captureAngle else { return tag.isMirror ? tag.then(.upMirrored) : tag }
    return captureAngle.orientation
  }
}

extension Orientation {
  /// Whether left and right change places: an odd number of mirrorings.
  public var isMirror: Bool { [.upMirrored, .downMirrored, .leftMirrored, .rightMirrored].contains(self) }
}
