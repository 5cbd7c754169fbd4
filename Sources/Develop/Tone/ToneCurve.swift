import CVector
import ImageCore

/// Scene light (0 black, 1 sensor white) → stored value (0...1), tabulated: a tone curve that keeps hues, then the
/// transfer function, one channel at a time, in the output's primaries.
struct ToneCurve: Sendable {
  /// Intervals of a fine table. It is indexed by the square root of light, which spaces it about as densely as sight
  /// does; linear interpolation is then closer than a quarter of a 16-bit step, except in the first interval.
  static let intervals = 8192
  /// Entries of the 8-bit table, indexed by light: a step is at most 0.2 codes, in the darkest part.
  static let byteEntries = 65536

  /// Scene light → display light, `intervals + 2` values; `nil` when they are proportional.
  let shape: [Float]?
  /// Display light (scene light when there is no shape) → stored value, `intervals + 2` values.
  let fine: [Float]
  /// The same in 8 bits, `byteEntries` codes.
  let bytes: [UInt8]

  init(options: DevelopOptions, gain: Double) {
    let transfer = options.outputSpace.transfer
    var factor = gain
    shape =
      switch options.tone {
      case .linear: nil
      case .standard: Self.table(of: FilmicShape(gain: gain).display, gain: gain)
      }
    if shape != nil { factor = 1 }
    func stored(_ light: Double) -> Double {
      min(1, max(0, transfer.encode(min(1, light * factor), power: Elementary.power)))
    }
    fine = Self.table(of: stored, gain: 1)
    bytes = (0..<Self.byteEntries).map { index in
      UInt8((stored(Double(index) / Double(Self.byteEntries - 1)) * 255).rounded())
    }
  }

  private static func table(of curve: (Double) -> Double, gain: Double) -> [Float] {
    (0...(intervals + 1)).map { index in
      let root = Double(index) / Double(intervals)
      return Float(curve(min(1, root * root) * gain))
    }
  }

  /// The value of a fine table for light in 0...1.
  @inline(__always)
  static func value(_ light: Float, in table: UnsafePointer<Float>) -> Float {
    let position = light.squareRoot() * Float(intervals)
    return between(position, in: table)
  }

  /// Linear between two entries.
  @inline(__always)
  private static func between(_ position: Float, in table: UnsafePointer<Float>) -> Float {
    // Half less and 2²³ more rounds down to a whole number in the low bits, or to the entry before a whole position.
    let whole = larger(position - 0.5, 0) + 0x1p23
    let index = Int(whole.bitPattern & 0x3FFF)
    let low = table[index]
    return low + (position - (whole - 0x1p23)) * (table[index &+ 1] - low)
  }

  /// Scene light → display light in place; clipped to 0...1. Nothing is done without a shape.
  ///
  /// The curve maps the largest and the smallest channel; what lies between keeps its relative place, so that the hue
  /// (in the sense of Smith 1978, "Color gamut transform pairs", HSV) stays: a curve on each channel alone turns
  /// bright orange light yellow. Raw developers call it a film-like curve.
  func shape(_ scene: SceneRow) {
    map(scene) { high, low, count, table in
      for x in 0..<count { (high[x], low[x]) = (Self.between(high[x], in: table), Self.between(low[x], in: table)) }
    }
  }

  /// The same, exact enough for 8 bits and twice as fast.
  func shapeForBytes(_ scene: SceneRow) {
    // The nearest entry is within 0.1 of an 8-bit step.
    map(scene) { high, low, count, table in cv_look_up_f32(high, low, count, table) }
  }

  @inline(__always)
  private func map(
    _ scene: SceneRow,
    _ look: (
      _ high: UnsafeMutablePointer<Float>, _ low: UnsafeMutablePointer<Float>, _ count: Int, UnsafePointer<Float>
    ) -> Void
  ) {
    guard let shape else { return }
    let (r, g, b) = (scene.plane(0), scene.plane(1), scene.plane(2))
    let (high, low) = (scene.spare, scene.spare + scene.stride)
    // Three loops, of which only the middle one, the look-up, is not done in lanes.
    for x in 0..<scene.count {
      let (red, green, blue) = (Self.unit(r[x]), Self.unit(g[x]), Self.unit(b[x]))
      (r[x], g[x], b[x]) = (red, green, blue)
      high[x] = Self.larger(red, Self.larger(green, blue)).squareRoot() * Float(Self.intervals)
      low[x] = Self.smaller(red, Self.smaller(green, blue)).squareRoot() * Float(Self.intervals)
    }
    shape.withUnsafeBufferPointer { look(high, low, scene.count, $0.baseAddress!) }
    for x in 0..<scene.count {
      let (red, green, blue) = (r[x], g[x], b[x])
      let least = Self.smaller(red, Self.smaller(green, blue))
      let range = Self.larger(red, Self.larger(green, blue)) - least
      let slope = range > 0 ? (high[x] - low[x]) / range : 0
      r[x] = low[x] + (red - least) * slope
      g[x] = low[x] + (green - least) * slope
      b[x] = low[x] + (blue - least) * slope
    }
  }

  @inline(__always)
  static func unit(_ value: Float) -> Float { smaller(larger(value, 0), 1) }
  @inline(__always)
  private static func larger(_ a: Float, _ b: Float) -> Float { a > b ? a : b }
  @inline(__always)
  private static func smaller(_ a: Float, _ b: Float) -> Float { a < b ? a : b }
}

/// The standard curve: `y = s xᵃ / (xᵃ + k)`, an S in log light.
///
/// Naka & Rushton 1966, "S-potentials from colour units in the retina of fish", the response of a receptor; used for
/// tone reproduction by Reinhard & Devlin 2005, "Dynamic range reduction inspired by photoreceptor physiology".
/// `s` puts sensor white (light `max(1, gain)`) at 1, `k` puts mid grey where a print has it.
struct FilmicShape: Sendable {
  /// Reflectance of a photographic grey card.
  static let greyIn = 0.18
  /// Display light of the grey card: about half a stop above the scene, as cameras render it.
  static let greyOut = 0.25
  /// Slope of the curve in log light in the shadows.
  static let contrast = 1.2

  private let k: Double
  private let scale: Double

  init(gain: Double) {
    let white = Elementary.power(max(1, gain), Self.contrast)
    let grey = Elementary.power(Self.greyIn, Self.contrast)
    // (white + k) / white * grey / (grey + k) = greyOut, solved for k.
    k = grey * (1 - Self.greyOut) / (Self.greyOut - grey / white)
    scale = (white + k) / white
  }

  func display(_ light: Double) -> Double {
    let x = Elementary.power(light, Self.contrast)
    return x == 0 ? 0 : min(1, scale * x / (x + k))
  }
}
