import ImageCore

/// Scene light (0 black, 1 sensor white) → stored value (0...1), tabulated.
///
/// The table holds gain, tone curve and transfer function in one; one channel at a time, in the output's primaries.
struct ToneCurve: Sendable {
  /// Intervals of the fine table. It is indexed by the square root of light, which spaces it about as densely as sight
  /// does; linear interpolation is then closer than a quarter of a 16-bit step, except in the first interval.
  static let intervals = 8192
  /// Entries of the 8-bit table, indexed by light: a step is at most 0.2 codes, in the darkest part.
  static let byteEntries = 65536

  /// `intervals + 2` stored values.
  let fine: [Float]
  /// `byteEntries` codes.
  let bytes: [UInt8]

  init(options: DevelopOptions, gain: Double) {
    let transfer = options.outputSpace.transfer
    let shape = FilmicShape(gain: gain)
    func stored(_ light: Double) -> Double {
      let display =
        switch options.tone {
        case .linear: min(1, light * gain)
        case .standard: shape.display(light * gain)
        }
      return min(1, max(0, transfer.encode(display, power: Elementary.power)))
    }
    fine = (0...(Self.intervals + 1)).map { index in
      let root = Double(index) / Double(Self.intervals)
      return Float(stored(min(1, root * root)))
    }
    bytes = (0..<Self.byteEntries).map { index in
      UInt8((stored(Double(index) / Double(Self.byteEntries - 1)) * 255).rounded())
    }
  }
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
