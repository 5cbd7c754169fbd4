import ImageCore

/// Takes points of a frame to points of the scene.
struct ViewTransform: Sendable {
  private let view: SceneView
  private let centre: SIMD2<Double>
  private let cosine: Double
  private let sine: Double

  /// Colours of the mover's fields, and fields on its side.
  private static let fields = 6.0
  private static let light = SIMD3(0.62, 0.30, 0.12)
  private static let dark = SIMD3(0.05, 0.08, 0.20)

  init(_ view: SceneView, size: PixelSize) {
    self.view = view
    centre = SIMD2(Double(size.width), Double(size.height)) / 2
    cosine = ExactMath.cosine(turns: view.rotation / 360)
    sine = ExactMath.sine(turns: view.rotation / 360)
  }

  /// Where the scene lies that is seen at a point of the frame. Points outside the scene are its nearest ones.
  func scenePoint(_ x: Double, _ y: Double) -> SIMD2<Double> {
    if view.rotation == 0 && view.shiftX == 0 && view.shiftY == 0 { return SIMD2(x, y) }
    let d = SIMD2(x - view.shiftX, y - view.shiftY) - centre
    let turned = SIMD2(cosine * d.x + sine * d.y, cosine * d.y - sine * d.x) + centre
    let last = centre * 2
    return SIMD2(max(0, min(last.x, turned.x)), max(0, min(last.y, turned.y)))
  }

  /// The mover's colour, where it covers the scene.
  func moverColour(_ point: SIMD2<Double>) -> SIMD3<Double>? {
    guard let mover = view.mover else { return nil }
    let (u, v) = ((point.x - mover.x) / mover.side, (point.y - mover.y) / mover.side)
    guard u >= 0, v >= 0, u < 1, v < 1 else { return nil }
    return (Int(u * Self.fields) + Int(v * Self.fields)) & 1 == 0 ? Self.light : Self.dark
  }
}
