/// How the device is held, where the view is, which camera streams: what folding, flipping and turning change.
struct SessionContext {
  private var posture: Posture
  private var view: Display
  private var orientation: DeviceOrientation
  private let isInterfaceLocked: Bool
  private var choice: CameraChoice

  init(_ script: SessionScript) throws(CaptureError) {
    posture = script.posture
    view = script.view ?? script.posture.mainDisplay
    orientation = script.orientation
    isInterfaceLocked = script.isInterfaceLocked
    choice = script.camera
    try posture.check(viewOn: view)
  }

  mutating func apply(_ action: SessionEvent.Action, index: Int) throws(CaptureError) {
    switch action {
    case .fold: hold(.closed)
    case .unfold where posture == .closed: hold(.open)
    case .flip:
      guard posture != .closed else { throw .nothingBehindClosedDevice(index: index) }
      // Turned about its upright axis, the device leans to the other side in the eyes of who looks at it now.
      orientation = orientation.fromBehind
      hold(posture == .open ? .openFlipped : .open)
    case .rotate(let orientation): self.orientation = orientation
    case .moveView(let display):
      try posture.check(viewOn: display)
      // On an open device the other display is seen from the other side.
      if display != view { orientation = orientation.fromBehind }
      view = display
    case .choose(let choice): self.choice = choice
    default: break
    }
  }

  private mutating func hold(_ posture: Posture) {
    self.posture = posture
    view = posture.mainDisplay
  }

  func state() throws(CaptureError) -> SessionState {
    var directions: [Display: DirectionMap] = [:]
    for display in posture.displays { directions[display] = try DirectionMap(posture: posture, view: display) }
    let (camera, direction) = try streaming(directions[view] ?? .empty)
    let coordinator = RotationCoordinator(
      mount: camera.mount, direction: direction, deviceOrientation: orientation,
      displayRotation: isInterfaceLocked ? .locked : .following(orientation))
    return SessionState(
      posture: posture, view: view, directions: directions, camera: camera, direction: direction,
      isMirrored: coordinator.isPreviewMirrored, previewAngle: coordinator.previewAngle,
      captureAngle: coordinator.captureAngle)
  }

  /// The camera that streams and where it points.
  private func streaming(_ map: DirectionMap) throws(CaptureError) -> (CameraDescriptor, Direction) {
    var wanted = Direction.forward
    switch choice {
    case .facing(let direction): wanted = direction
    case .named(let camera):
      if let direction = try camera.direction(from: view, in: posture) {
        return (camera.active(in: posture), direction)
      }
    }
    guard let camera = map[wanted].first else { throw .noCamera(direction: wanted, view: view) }
    return (camera, wanted)
  }
}
