/// Which of the two colours beside green is red: no pattern of differences tells, but scenes do, once the camera's white
/// is known.
///
/// Most surfaces are nearly grey. With red and blue exchanged the white's own imbalance is applied the wrong way round
/// and everything turns coloured, so the order under which the scene is less coloured is the likely one. This is the
/// grey-edge family's assumption (van de Weijer, Gevers & Gijsenij 2007, "Edge-based color constancy") turned round:
/// the light is given and the order is asked for.
public enum RedBlueOrder {
  /// Windows across and down.
  private static let windows = PixelSize(width: 64, height: 48)
  /// Photosites along a window's side: whole periods of 2, 4 and 8, nearly of 6.
  private static let side = 24
  /// Signal below which a window says nothing, as a share of full scale: noise and black level rule there.
  private static let darkest = 0.01
  /// Share of full scale from which a window may be clipped.
  private static let brightest = 0.9
  /// Natural logarithm of a colour ratio beyond which a window counts no more: one strong colour is no evidence.
  private static let strongest = 0.7
  /// Windows needed for a judgement.
  private static let fewest = 24

  /// How much less coloured the scene is with the pattern's red and blue exchanged, as a share of its colour now:
  /// above 0 speaks for the exchange, below against it. `nil` when the scene shows too little.
  ///
  /// - Parameters:
  ///   - mosaic: with a pattern of red, green and blue.
  ///   - white: camera values of a neutral grey: red, green, blue.
  /// - Complexity: reads at most 64 x 48 windows of 24 x 24 photosites.
  public static func evidenceForExchange(_ mosaic: Mosaic, white: [Double]) -> Double? {
    guard Set(mosaic.cfa.colours) == [.red, .green, .blue], white.count == 3, white.allSatisfy({ $0 > 0 }) else {
      return nil
    }
    let neutral = (red: Self.log(white[0] / white[1]), blue: Self.log(white[2] / white[1]))
    var plain = 0.0
    var exchanged = 0.0
    var count = 0
    for row in 0..<windows.height {
      for column in 0..<windows.width {
        let x = (mosaic.size.width - side) * column / (windows.width - 1)
        let y = (mosaic.size.height - side) * row / (windows.height - 1)
        guard x >= 0, y >= 0, let ratios = ratios(mosaic, x, y) else { continue }
        plain += colour(ratios.red - neutral.red, ratios.blue - neutral.blue)
        exchanged += colour(ratios.blue - neutral.red, ratios.red - neutral.blue)
        count += 1
      }
    }
    guard count >= fewest, plain > 0 else { return nil }
    return (plain - exchanged) / plain
  }

  private static func colour(_ red: Double, _ blue: Double) -> Double {
    min(abs(red), strongest) + min(abs(blue), strongest)
  }

  /// Logarithms of red and blue over green of a window, `nil` where it is dark, clipped or empty.
  private static func ratios(_ mosaic: Mosaic, _ left: Int, _ top: Int) -> (red: Double, blue: Double)? {
    var sums = [0.0, 0, 0]
    var counts = [0.0, 0, 0]
    let levels = mosaic.levels
    mosaic.samples.withRows { rows in
      for y in top..<top + side {
        for x in left..<left + side {
          let colour = Int(mosaic.cfa[x, y].rawValue)
          sums[colour] += Double(Float(rows.row(y)[x]) - levels.black.value(x: x, y: y))
          counts[colour] += 1
        }
      }
    }
    let scale = Double(levels.white[0] - levels.black.mean)
    let means = zip(sums, counts).map { $0 / $1 / scale }
    guard means.allSatisfy({ $0 > darkest && $0 < brightest }) else { return nil }
    return (log(means[0] / means[1]), log(means[2] / means[1]))
  }

  /// Natural logarithm by halving and a series, exact to 1e-6: no library's rounding may change a decision.
  private static func log(_ value: Double) -> Double {
    let exponent = Double(value.exponent)
    let x = (value.significand - 1) / (value.significand + 1)
    let square = x * x
    let series =
      x * (2 + square * (2.0 / 3 + square * (2.0 / 5 + square * (2.0 / 7 + square * (2.0 / 9 + square * 2 / 11)))))
    return exponent * 0.6931471805599453 + series
  }
}

extension CFAPattern {
  /// The same with red and blue exchanged.
  public var exchangingRedAndBlue: CFAPattern {
    let colours = colours.map { $0 == .red ? CFAColour.blue : $0 == .blue ? .red : $0 }
    return CFAPattern(width: width, height: height, colours: colours)!
  }
}
