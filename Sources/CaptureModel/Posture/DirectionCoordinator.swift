import Synchronization

/// Tells a view which cameras face the person looking at it, and tells again at each change.
///
/// One coordinator a view. Its map is empty until the handler's first call, which comes soon after creation. Calls come
/// in order, on the actor that was given. The map holds descriptors: the handler may pass them to the camera's own actor
/// and make the ``CaptureDevice`` there.
public final class DirectionCoordinator: Sendable {
  private struct State {
    var view: Display
    var posture: Posture
    var delivered = DirectionMap.empty
    var last: DirectionMap
  }

  /// The kinds of camera that are watched.
  public let deviceTypes: [DeviceType]
  private let state: Mutex<State>
  private let changes: AsyncStream<DirectionMap>.Continuation

  /// - Parameters:
  ///   - view: the display that the view is on.
  ///   - deviceTypes: the kinds of camera to watch.
  ///   - posture: how the device is held now.
  ///   - actor: where the handler runs.
  ///   - changeHandler: hears of the first map and of each later one.
  /// - Throws: when no view can be on that display.
  public init<Owner: Actor>(
    view: Display, deviceTypes: [DeviceType] = DirectionMap.physicalTypes, posture: Posture, on actor: Owner,
    changeHandler: @escaping @Sendable (isolated Owner, DirectionMap) -> Void
  ) throws(CaptureError) {
    let first = try DirectionMap(posture: posture, view: view, deviceTypes: deviceTypes)
    let (stream, continuation) = AsyncStream<DirectionMap>.makeStream()
    self.deviceTypes = deviceTypes
    state = Mutex(State(view: view, posture: posture, last: first))
    changes = continuation
    Task { [weak self] in
      for await map in stream {
        self?.state.withLock { $0.delivered = map }
        await changeHandler(actor, map)
      }
    }
    continuation.yield(first)
  }

  deinit { changes.finish() }

  /// What the handler was told last; empty before its first call.
  public var directions: DirectionMap { state.withLock(\.delivered) }

  /// The device is held otherwise, or the view has moved to another display. The handler is called when the map differs.
  ///
  /// - Throws: when no view can be there; nothing changes then.
  public func update(posture: Posture, view: Display? = nil) throws(CaptureError) {
    let place = view ?? state.withLock(\.view)
    let map = try DirectionMap(posture: posture, view: place, deviceTypes: deviceTypes)
    state.withLock { state in
      state.posture = posture
      state.view = place
      guard map != state.last else { return }
      state.last = map
      changes.yield(map)
    }
  }
}
