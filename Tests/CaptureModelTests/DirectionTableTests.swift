import CaptureModel
import Testing

/// The table of who faces whom, row by row, and its consequences.
@Suite("Direction")
struct DirectionTableTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let posture: Posture
    let view: Display
    let forward: [CameraDescriptor]
    let backward: [CameraDescriptor]
    var testDescription: String { "\(posture.rawValue), view on \(view.rawValue)" }
  }

  static let rows = [
    Row(posture: .closed, view: .outer, forward: [.outer], backward: [.rear]),
    Row(posture: .open, view: .inner, forward: [.inner], backward: [.outer, .rear]),
    Row(posture: .openFlipped, view: .outer, forward: [.outer, .rear], backward: [.inner]),
    // Both displays in use: the other side of an open device.
    Row(posture: .open, view: .outer, forward: [.outer, .rear], backward: [.inner]),
    Row(posture: .openFlipped, view: .inner, forward: [.inner], backward: [.outer, .rear]),
  ]

  @Test(arguments: rows)
  func row(_ row: Row) throws {
    let map = try DirectionMap(posture: row.posture, view: row.view)
    #expect(map.forward == row.forward && map.backward == row.backward, "\(map)")
  }

  @Test func bothDisplaysInUseReportEachTheirOwn() throws {
    let roles: [Display: ViewRole] = [.outer: .accessory, .inner: .preview]
    let maps = try DisplayAssignment(roles, posture: .open).directions(in: .open)
    #expect(maps[.inner]?.forward == [.inner] && maps[.inner]?.backward == [.outer, .rear])
    #expect(maps[.outer]?.forward == [.outer, .rear] && maps[.outer]?.backward == [.inner])
  }

  @Test func closedInnerDisplayShowsNothingAndItsCameraFacesNobody() throws {
    #expect(throws: CaptureError.viewOnCoveredDisplay(.inner, .closed)) {
      try DirectionMap(posture: .closed, view: .inner)
    }
    #expect(throws: CaptureError.viewOnCoveredDisplay(.inner, .closed)) {
      try DisplayAssignment([.inner: .controls], posture: .closed)
    }
    #expect(try CameraDescriptor.inner.direction(from: .outer, in: .closed) == nil)
    #expect(throws: CaptureError.cameraCovered(camera: "inner", .closed)) {
      try CaptureSituation(camera: .inner, posture: .closed).decision()
    }
    let message = CaptureError.viewOnCoveredDisplay(.inner, .closed).description
    #expect(message.contains("a closed device shows no view on its inner display"))
  }

  @Test("Mirroring follows direction, not position")
  func mirroring() throws {
    #expect(try CaptureSituation(camera: .rear, posture: .openFlipped).decision().isMirrored)
    #expect(try !CaptureSituation(camera: .outer, posture: .open).decision().isMirrored)
    for row in Self.rows {
      for camera in row.forward + row.backward {
        let decision = try CaptureSituation(camera: camera, posture: row.posture, view: row.view).decision()
        #expect(decision.isMirrored == row.forward.contains(camera), "\(camera.name), \(row.testDescription)")
      }
    }
  }

  @Test func onlyWatchedTypesAreReported() throws {
    let map = try DirectionMap(posture: .open, view: .inner, deviceTypes: [.builtInDualWideCamera])
    #expect(map.forward == [] && map.backward == [.rear])
    let virtual = try DirectionMap(posture: .open, view: .inner, deviceTypes: [.builtInUltraWideCamera])
    #expect(virtual.forward == [.front] && virtual.backward == [])
  }
}

/// Owns the handler's calls, as a camera's actor would.
private actor Listener {
  private(set) var heard: [DirectionMap] = []
  private var waiters: [(count: Int, resume: CheckedContinuation<Void, Never>)] = []

  func take(_ map: DirectionMap) {
    heard.append(map)
    for waiter in waiters where waiter.count <= heard.count { waiter.resume.resume() }
    waiters.removeAll { $0.count <= heard.count }
  }

  func waitFor(_ count: Int) async {
    if heard.count >= count { return }
    await withCheckedContinuation { waiters.append((count, $0)) }
  }
}

@Suite("Direction coordinator")
struct DirectionCoordinatorTests {
  @Test func handlerRunsSoonAfterCreationAndAtEachChange() async throws {
    let listener = Listener()
    let coordinator = try DirectionCoordinator(view: .outer, posture: .closed, on: listener) { $0.take($1) }
    await listener.waitFor(1)
    let closed = try DirectionMap(posture: .closed, view: .outer)
    #expect(coordinator.directions == closed)
    try coordinator.update(posture: .closed)  // no change, no call
    try coordinator.update(posture: .open, view: .inner)
    try coordinator.update(posture: .openFlipped, view: .outer)
    try coordinator.update(posture: .closed)
    await listener.waitFor(4)
    let expected: [(Posture, Display)] = [
      (.closed, .outer), (.open, .inner), (.openFlipped, .outer), (.closed, .outer),
    ]
    let maps = try expected.map { try DirectionMap(posture: $0.0, view: $0.1) }
    #expect(await listener.heard == maps)
  }

  @Test func mapIsEmptyBeforeTheFirstCall() async throws {
    let listener = Listener()
    let atCreation = try await Self.mapAtCreation(on: listener)
    #expect(atCreation == .empty)
  }

  /// Runs on the listener, so that the handler cannot run in between.
  private static func mapAtCreation(on listener: isolated Listener) throws -> DirectionMap {
    let gate = GateActor()
    return try DirectionCoordinator(view: .outer, posture: .closed, on: gate) { _, _ in }.directions
  }

  @Test func refusedChangesChangeNothing() async throws {
    let listener = Listener()
    let coordinator = try DirectionCoordinator(view: .inner, posture: .open, on: listener) { $0.take($1) }
    await listener.waitFor(1)
    #expect(throws: CaptureError.viewOnCoveredDisplay(.inner, .closed)) { try coordinator.update(posture: .closed) }
    let open = try DirectionMap(posture: .open, view: .inner)
    #expect(coordinator.directions == open)
  }

  @Test func descriptorsCrossActorsAndBecomeDevicesThere() async throws {
    let camera = CameraActor()
    let map = try DirectionMap(posture: .open, view: .inner)
    #expect(await camera.stream(map.forward[0]) == .inner)
  }
}

private actor GateActor {}

private actor CameraActor {
  private var device: CaptureDevice?

  func stream(_ descriptor: CameraDescriptor) -> CameraDescriptor {
    let made = CaptureDevice(descriptor)
    device = made
    return made.descriptor
  }
}
