/// One window of two pictures, and their middle frequencies.
struct EvidenceWindow {
  /// Pixels along the side of what is read.
  let span: Int
  /// Pixels around what is compared.
  let reach: Int
  var detail: [Float]
  var composite: [Float]
  private var scratch: [Float]
  private var smooth: [Float]

  init(span: Int, reach: Int) {
    (self.span, self.reach) = (span, reach)
    detail = [Float](repeating: 0, count: span * span)
    (composite, scratch, smooth) = (detail, detail, detail)
  }

  /// Moves the composite by parts of a pixel along straight lines, and blurs the detail frame by as much as that does.
  mutating func shift(x: Float, y: Float) {
    for (part, step) in [(x, 1), (y, span)] where part > 0 {
      for i in 0..<composite.count - step { composite[i] += part * (composite[i + step] - composite[i]) }
      // Of equal strength at low frequencies, without a shift.
      let side = part * (1 - part) / 2
      scratch = detail
      for i in step..<detail.count - step {
        detail[i] += side * ((scratch[i - step] - scratch[i]) + (scratch[i + step] - scratch[i]))
      }
    }
  }

  /// What two bands have in common.
  struct Comparison {
    /// Mean product of both, and mean squares of the composite's and of the detail frame's.
    var product = 0.0
    var square = 0.0
    var detailSquare = 0.0
    /// Mean roots of the composite and of the detail frame.
    var level = 0.0
    var detailLevel = 0.0
  }

  /// Compares the frequencies about 0.17 of a pixel's, where pictures of any scene have energy and interpolation already
  /// loses it.
  mutating func compared(side: Int) -> Comparison {
    var result = Comparison()
    let first = (span - side) / 2
    let places = first..<first + side
    for y in places {
      for x in places {
        result.level += Double(composite[y * span + x])
        result.detailLevel += Double(detail[y * span + x])
      }
    }
    band(\.detail)
    band(\.composite)
    for y in places {
      for x in places {
        let (a, b) = (Double(detail[y * span + x]), Double(composite[y * span + x]))
        result.product += a * b
        result.square += b * b
        result.detailSquare += a * a
      }
    }
    let share = 1 / Double(side * side)
    return Comparison(
      product: result.product * share, square: result.square * share, detailSquare: result.detailSquare * share,
      level: result.level * share, detailLevel: result.detailLevel * share)
  }

  /// A plane smoothed a little, less itself smoothed much: binomial 3 and, at every other pixel, 5 taps.
  private mutating func band(_ path: WritableKeyPath<EvidenceWindow, [Float]>) {
    // Taken out while it is worked on, so that it is not copied.
    var plane = self[keyPath: path]
    self[keyPath: path] = []
    for step in [1, span] {
      scratch = plane
      for i in step..<plane.count - step {
        plane[i] = 0.25 * (scratch[i - step] + scratch[i + step]) + 0.5 * scratch[i]
      }
    }
    smooth = plane
    for step in [2, 2 * span] {
      scratch = smooth
      for i in 2 * step..<smooth.count - 2 * step {
        let (near, far) = (scratch[i - step] + scratch[i + step], scratch[i - 2 * step] + scratch[i + 2 * step])
        smooth[i] = (far + 4 * near + 6 * scratch[i]) * 0.0625
      }
    }
    for i in plane.indices { plane[i] -= smooth[i] }
    self[keyPath: path] = plane
  }
}
