import CVector
import ImageCore

/// Where the pixels of a row go: the start and the distance of neighbours, in pixels of the result.
struct Placement {
  let start: Int
  let step: Int

  /// Of the stored row `y`, from column `x` on, in a rectangle of size `stored` laid by `orientation`.
  init(x: Int, y: Int, of stored: PixelSize, orientation: Orientation, stride: Int) {
    let column = orientation.mirrorsColumns ? stored.width - 1 - x : x
    let row = orientation.mirrorsRows ? stored.height - 1 - y : y
    let direction = orientation.mirrorsColumns ? -1 : 1
    start = orientation.transposes ? column * stride + row : row * stride + column
    step = orientation.transposes ? direction * stride : direction
  }
}

/// ``SceneRow`` → stored values of the result: tone curve and transfer function by table, nearest code, no dither.
struct Quantiser: Sendable {
  /// `nil` stores light as it is.
  let curve: ToneCurve?
  /// The smallest value that is stored; colours outside a space are negative in it.
  var floor: Float = -.greatestFiniteMagnitude

  func store(_ scene: SceneRow, _ place: Placement, into out: UnsafeMutablePointer<RGB<UInt8>>) {
    let (r, g, b) = (scene.plane(0), scene.plane(1), scene.plane(2))
    let target = out + place.start
    guard let curve else {
      for x in 0..<scene.count {
        target[x &* place.step] = RGB(
          UInt8(Self.code(r[x], 255)), UInt8(Self.code(g[x], 255)), UInt8(Self.code(b[x], 255)))
      }
      return
    }
    curve.shapeForBytes(scene)
    let top = Float(ToneCurve.byteEntries - 1)
    curve.bytes.withUnsafeBufferPointer { table in
      cv_look_up3_u8(
        r, g, b, scene.count, table.baseAddress!, top,
        UnsafeMutableRawPointer(target).assumingMemoryBound(to: UInt8.self), place.step)
    }
  }

  func store(_ scene: SceneRow, _ place: Placement, into out: UnsafeMutablePointer<RGB<UInt16>>) {
    let target = out + place.start
    let full = Float(UInt16.max)
    encode(scene)
    let (r, g, b) = (scene.plane(0), scene.plane(1), scene.plane(2))
    for x in 0..<scene.count {
      target[x &* place.step] = RGB(
        UInt16(Self.code(r[x], full)), UInt16(Self.code(g[x], full)), UInt16(Self.code(b[x], full)))
    }
  }

  func store(_ scene: SceneRow, _ place: Placement, into out: UnsafeMutablePointer<RGB<Float>>) {
    let target = out + place.start
    encode(scene)
    let (r, g, b) = (scene.plane(0), scene.plane(1), scene.plane(2))
    let floor = floor
    for x in 0..<scene.count {
      target[x &* place.step] = RGB(
        r[x] > floor ? r[x] : floor, g[x] > floor ? g[x] : floor, b[x] > floor ? b[x] : floor)
    }
  }

  /// Light → stored value in place, by the fine tables.
  private func encode(_ scene: SceneRow) {
    guard let curve else { return }
    curve.shape(scene)
    curve.fine.withUnsafeBufferPointer { table in
      let table = table.baseAddress!
      for plane in 0..<3 {
        let values = scene.plane(plane)
        for x in 0..<scene.count { values[x] = ToneCurve.value(ToneCurve.unit(values[x]), in: table) }
      }
    }
  }

  /// The nearest of the codes 0...full.
  @inline(__always)
  private static func code(_ value: Float, _ full: Float) -> Int {
    // Adding 2²³ rounds to a whole number and leaves it in the low bits: a conversion would test for what cannot be.
    Int((ToneCurve.unit(value) * full + 0x1p23).bitPattern & 0x1FFFF)
  }
}
