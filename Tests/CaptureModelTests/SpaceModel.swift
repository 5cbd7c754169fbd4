import CaptureModel
import ImageCore

/// A square picture of numbers.
struct Grid: Equatable {
  var rows: [[Int]]

  func laid(_ orientation: Orientation) -> Grid {
    let size = PixelSize(width: rows[0].count, height: rows.count)
    let result = orientation.applied(to: size)
    return Grid(
      rows: (0..<result.height).map { y in
        (0..<result.width).map { x in
          let source = orientation.source(x: x, y: y, in: size)
          return rows[source.y][source.x]
        }
      })
  }
}

/// A sensor in space before a sheet of text, with rays instead of formulas about angles.
///
/// The person at the view looks along −z, x is to the right, y up. A camera that faces away looks along −z too, one
/// that faces the person along +z. The sheet is readable from where the camera is.
enum SpaceModel {
  private struct Vector {
    let x: Int
    let y: Int
    let z: Int

    func dot(_ o: Vector) -> Int { x * o.x + y * o.y + z * o.z }
    func cross(_ o: Vector) -> Vector {
      Vector(x: y * o.z - z * o.y, y: z * o.x - x * o.z, z: x * o.y - y * o.x)
    }
  }

  /// An R without any symmetry.
  static let scene = Grid(rows: [
    [1, 1, 1, 0, 2], [1, 0, 1, 0, 0], [1, 1, 1, 0, 0], [1, 0, 1, 3, 0], [1, 0, 0, 1, 4],
  ])

  /// The direction that is `turns` quarters clockwise from up for somebody who looks along `look`.
  private static func clockwise(_ turns: QuarterTurn, looking look: Vector) -> Vector {
    let up = Vector(x: 0, y: 1, z: 0)
    let right = look.cross(up)
    switch turns.count {
    case 0: return up
    case 1: return right
    case 2: return Vector(x: 0, y: -1, z: 0)
    default: return Vector(x: -right.x, y: -right.y, z: -right.z)
    }
  }

  static func readOut(mount: SensorMount, held: DeviceOrientation, direction: Direction) -> Grid {
    let viewer = Vector(x: 0, y: 0, z: -1)
    let look = direction == .backward ? viewer : Vector(x: 0, y: 0, z: 1)
    let worldUp = Vector(x: 0, y: 1, z: 0)
    let top = clockwise(held.rotation.turn, looking: viewer)  // of the device
    let topRight = look.cross(top)  // to the right of the top, for somebody looking the camera's way
    let sensorUp: Vector =
      switch mount.turn.count {
      case 0: top
      case 1: topRight
      case 2: Vector(x: -top.x, y: -top.y, z: -top.z)
      default: Vector(x: -topRight.x, y: -topRight.y, z: -topRight.z)
      }
    let sensorRight = look.cross(sensorUp)
    let sheetRight = look.cross(worldUp)
    let half = scene.rows.count / 2
    return Grid(
      rows: (-half...half).map { j in
        (-half...half).map { i in
          let ray = Vector(
            x: i * sensorRight.x - j * sensorUp.x, y: i * sensorRight.y - j * sensorUp.y, z: 0)
          return scene.rows[half - ray.dot(worldUp)][half + ray.dot(sheetRight)]
        }
      })
  }
}
