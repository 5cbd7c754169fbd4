import CaptureModel
import ImageCore
import Testing

/// The table of a classic sensor, row by row, and the same angles from rays in space.
@Suite("Turning a capture upright")
struct UprightTableTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let held: DeviceOrientation
    let rear: Int
    let frontPlain: Int
    let frontMirrored: Int
    var testDescription: String { held.rawValue }
  }

  static let rows = [
    Row(held: .portrait, rear: 6, frontPlain: 6, frontMirrored: 5),
    Row(held: .portraitUpsideDown, rear: 8, frontPlain: 8, frontMirrored: 7),
    Row(held: .landscapeLeft, rear: 1, frontPlain: 3, frontMirrored: 4),
    Row(held: .landscapeRight, rear: 3, frontPlain: 1, frontMirrored: 2),
  ]

  @Test("A classic sensor has the table's EXIF orientations", arguments: rows)
  func classic(row: Row) {
    let rear = RotationCoordinator(mount: .classic, direction: .backward, deviceOrientation: row.held)
    let front = RotationCoordinator(mount: .classic, direction: .forward, deviceOrientation: row.held)
    #expect(rear.captureOrientation(mirrored: false).rawValue == UInt8(row.rear))
    #expect(front.captureOrientation(mirrored: false).rawValue == UInt8(row.frontPlain))
    #expect(front.captureOrientation(mirrored: true).rawValue == UInt8(row.frontMirrored))
  }

  @Test(
    "Angles agree with moved pixels", arguments: [SensorMount.classic, .square, SensorMount(QuarterTurn(2))],
    DeviceOrientation.allCases)
  func movedPixels(mount: SensorMount, held: DeviceOrientation) {
    for direction in Direction.allCases {
      let coordinator = RotationCoordinator(mount: mount, direction: direction, deviceOrientation: held)
      let stored = SpaceModel.readOut(mount: mount, held: held, direction: direction)
      let upright = stored.laid(coordinator.captureOrientation(mirrored: false))
      #expect(upright == SpaceModel.scene, "\(direction), \(held), mount \(mount.turn): \(upright.rows)")
      let selfie = stored.laid(coordinator.captureOrientation(mirrored: true))
      #expect(selfie == SpaceModel.scene.laid(.upMirrored), "\(direction), \(held), mount \(mount.turn)")
    }
  }

  @Test("The preview is level in the viewer's eyes", arguments: DeviceOrientation.allCases, QuarterTurn.allCases)
  func previewIsLevel(held: DeviceOrientation, interface: QuarterTurn) {
    for mount in [SensorMount.classic, .square] {
      for direction in Direction.allCases {
        for mirrored in [false, true] {
          var coordinator = RotationCoordinator(
            mount: mount, direction: direction, deviceOrientation: held, displayRotation: DisplayRotation(interface))
          coordinator.isPreviewMirrored = mirrored
          let stored = SpaceModel.readOut(mount: mount, held: held, direction: direction)
          let drawn = stored.laid(coordinator.previewAngle.orientation.then(mirrored ? .upMirrored : .up))
          // The interface's top leans by device and interface together.
          let seen = drawn.laid((held.rotation.turn + interface).orientation)
          #expect(
            seen == SpaceModel.scene.laid(mirrored ? .upMirrored : .up),
            "\(direction), mirrored \(mirrored), mount \(mount.turn), \(held), interface \(interface)")
        }
      }
    }
  }

  @Test("A mirrored selfie preview and a plain rear preview do not depend on gravity")
  func previewFollowsDisplayOnly() {
    for direction in Direction.allCases {
      for interface in QuarterTurn.allCases {
        let angles = Set(
          DeviceOrientation.allCases.map {
            RotationCoordinator(
              mount: .classic, direction: direction, deviceOrientation: $0,
              displayRotation: DisplayRotation(interface)
            ).previewAngle
          })
        #expect(angles.count == 1, "\(direction), interface \(interface): \(angles)")
      }
    }
  }

  @Test("An interface that follows the device makes both angles one", arguments: DeviceOrientation.allCases)
  func followingInterface(held: DeviceOrientation) {
    for direction in Direction.allCases {
      let coordinator = RotationCoordinator(
        mount: .square, direction: direction, deviceOrientation: held, displayRotation: .following(held))
      #expect(coordinator.previewAngle == coordinator.captureAngle)
    }
  }

  @Test func anAngleRelativeToAStatedOrientationIgnoresGravity() {
    var coordinator = RotationCoordinator(mount: .classic, direction: .backward)
    let stated = coordinator.captureAngle(relativeTo: .landscapeLeft)
    coordinator.update(.portraitUpsideDown)
    #expect(coordinator.captureAngle(relativeTo: .landscapeLeft) == stated && stated.degrees == 0)
    #expect(coordinator.captureAngle.degrees == 270)
  }

  @Test func gravityTellsTheOrientationAndFlatKeepsTheLast() {
    let held: [(Gravity3, DeviceOrientation)] = [
      (Gravity3(x: 0, y: -1, z: 0), .portrait), (Gravity3(x: 0, y: 1, z: 0), .portraitUpsideDown),
      (Gravity3(x: -1, y: 0, z: 0), .landscapeLeft), (Gravity3(x: 1, y: 0, z: 0), .landscapeRight),
    ]
    for (gravity, orientation) in held {
      for last in DeviceOrientation.allCases { #expect(gravity.orientation(after: last) == orientation) }
      #expect(gravity.fromBehind.orientation(after: .portrait) == orientation.fromBehind)
    }
    for last in DeviceOrientation.allCases {
      #expect(Gravity3(x: 0.1, y: 0.1, z: -0.99).orientation(after: last) == last)
      #expect(Gravity3(x: .nan, y: .nan, z: 0).orientation(after: last) == last)
    }
    // A hair past the diagonal is no change; well past it is.
    let near = Gravity3(x: 0.72, y: -0.69, z: 0)
    #expect(near.orientation(after: .portrait) == .portrait)
    #expect(near.orientation(after: .landscapeRight) == .landscapeRight)
    #expect(Gravity3(x: 0.9, y: -0.43, z: 0).orientation(after: .portrait) == .landscapeRight)
  }

  @Test func movingTheViewToTheOtherSideTurnsTheAngles() {
    var coordinator = RotationCoordinator(mount: .classic, direction: .backward, deviceOrientation: .landscapeLeft)
    coordinator.moveView(to: .locked, seenFromOtherSide: true)
    #expect(coordinator.deviceOrientation == .landscapeRight)
  }
}

@Suite("Sensor orientation compensation")
struct OrientationCompensationTests {
  @Test("Processed photos turn to the classic read-out, RAW never", arguments: PhotoKind.allCases)
  func kinds(kind: PhotoKind) {
    for held in DeviceOrientation.allCases {
      for direction in Direction.allCases {
        let square = RotationCoordinator(mount: .square, direction: direction, deviceOrientation: held)
        let classic = RotationCoordinator(mount: .classic, direction: direction, deviceOrientation: held)
        for mirrored in [false, true] {
          let plan = OrientationCompensation(isEnabled: true).plan(square, kind: kind, mirrored: mirrored)
          // Turned or not, the tag must make the delivered pixels upright.
          #expect(plan.turn.orientation.then(plan.tag) == square.captureOrientation(mirrored: mirrored))
          #expect(plan.fullPasses == (kind.isProcessed ? 1 : 0) && !plan.isRedundant)
          if kind.isProcessed { #expect(plan.tag == classic.captureOrientation(mirrored: mirrored)) }
          if !kind.isProcessed { #expect(plan.turn == .none) }
        }
      }
    }
  }

  @Test func withACoordinatorItIsWorkForNothing() {
    let square = RotationCoordinator(mount: .square, direction: .forward)
    let both = OrientationCompensation(isEnabled: true, hasRotationCoordinator: true)
    #expect(both.plan(square, kind: .processed, mirrored: false).isRedundant)
    #expect(both.plan(square, kind: .processed, mirrored: false).fullPasses == 1)
    let off = OrientationCompensation(isEnabled: false, hasRotationCoordinator: true)
    #expect(off.plan(square, kind: .processed, mirrored: false).fullPasses == 0)
  }

  @Test func classicSensorsAreNeverTurned() {
    let rear = RotationCoordinator(mount: .classic, direction: .backward)
    #expect(OrientationCompensation(isEnabled: true).plan(rear, kind: .processed, mirrored: false).fullPasses == 0)
  }
}
