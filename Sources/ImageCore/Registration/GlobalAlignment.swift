/// How a whole picture lies on another.
public struct GlobalAlignment: Sendable, Hashable {
  /// In pixels of the finest level.
  public let motion: SimilarityMotion
  /// Correlation of gradients, -1...1, with the motion undone.
  public let similarity: Double
  /// The same as the pictures lie.
  public let similarityAtRest: Double
  /// Mean squared gradient of the less structured picture where similarity was judged; noise is a part of it.
  public let structure: Double
  /// How often the judged level is half of the finest.
  public let judgedLevel: Int
  /// For motions of a pixel or two, which noise can feign: how much better the motion fits than its reverse, at a
  /// fine level. 1 for larger motions.
  public let preference: Double
  /// The same against no motion.
  public let gain: Double

  /// Coarsest levels have no side longer than this: every shift is tried there.
  private static let coarseSide = 96
  /// Shifts up to this part of a side are tried.
  private static let searchShare = 0.25
  /// Similarity is judged where noise is small and structure is left: at a level no longer than this.
  private static let judgedSide = 400
  /// Motions below this many pixels of the finest level are tried in reverse too.
  private static let smallMotion = 2.0
  private static let fineArea = 800_000
  /// Rows are skipped so that about this many pixels are looked at: at the finest level, and at those before it.
  private static let enoughPixels = (finest: 200_000, coarse: 80_000)
  /// A fit may turn and scale a picture by this much; beyond it the fit has gone astray.
  private static let largestTurn = 0.1

  /// Finds shift, turn and scale of `other` relative to `reference`.
  ///
  /// Every whole shift up to a quarter of the picture is tried at the coarsest level; Gauss–Newton steps refine it level
  /// by level. No motion at all is kept when it explains the pictures as well.
  ///
  /// - Parameters: pyramids of one size.
  /// - Complexity: a few dozen passes over 200 000 pixels.
  public init(reference: GreyPyramid, other: GreyPyramid, workers: Workers = .serial) {
    precondition(
      reference.levels[0].size == other.levels[0].size, "pictures of two sizes cannot be laid on each other")
    let levels = reference.levels.count
    let first = reference.levels.firstIndex { max($0.width, $0.height) <= Self.coarseSide } ?? levels - 1
    var motion = Self.searched(reference.levels[first], other.levels[first]).scaled(by: Double(1 << first))
    for level in (0...first).reversed() {
      let (a, b) = (reference.levels[level], other.levels[level])
      let scale = 1 / Double(1 << level)
      let start = motion.scaled(by: scale)
      let next = a.withRows { p in
        b.withRows { q in
          SimilarityFit(
            reference: p, other: q, workers: workers,
            rowStep: max(1, a.size.area / (level > 0 ? Self.enoughPixels.coarse : Self.enoughPixels.finest)),
            isRefined: level > 0
          ).refined(start, translationOnly: level == first && first > 1)
        }
      }
      guard let next, abs(next.turn) < Self.largestTurn, abs(next.stretch) < Self.largestTurn else { continue }
      motion = next.scaled(by: 1 / scale)
    }
    func similarity(_ motion: SimilarityMotion, level: Int) -> Double {
      let scale = 1 / Double(1 << level)
      return reference.levels[level].withRows { p in
        other.levels[level].withRows { q in
          GradientCorrelation(reference: p, other: q).value(motion.scaled(by: scale)) ?? 0
        }
      }
    }
    let judged = reference.levels.firstIndex { max($0.width, $0.height) <= Self.judgedSide } ?? levels - 1
    self.motion = motion
    judgedLevel = judged
    structure = min(Self.energy(reference.levels[judged]), Self.energy(other.levels[judged]))
    self.similarity = similarity(motion, level: judged)
    similarityAtRest = similarity(.identity, level: judged)
    if motion.largestDisplacement(in: reference.levels[0].size) < Self.smallMotion {
      // Interpolation smooths noise and so raises the similarity of any motion; its reverse gains as much by that.
      let fine = reference.levels.firstIndex { $0.size.area <= Self.fineArea } ?? levels - 1
      let reverse = SimilarityMotion(
        shiftX: -motion.shiftX, shiftY: -motion.shiftY, stretch: -motion.stretch, turn: -motion.turn)
      let moved = similarity(motion, level: fine)
      preference = moved - similarity(reverse, level: fine)
      gain = moved - similarity(.identity, level: fine)
    } else {
      (preference, gain) = (1, 1)
    }
  }

  /// Mean of squared central differences in both directions.
  private static func energy(_ image: Image<Float>) -> Double {
    var sum = 0.0
    image.withRows { rows in
      for y in 1..<rows.height - 1 {
        let (here, up, down) = (rows.row(y), rows.row(y - 1), rows.row(y + 1))
        var line: Float = 0
        for x in 1..<rows.width - 1 {
          let (dx, dy) = (here[x + 1] - here[x - 1], down[x] - up[x])
          line += dx * dx + dy * dy
        }
        sum += Double(line)
      }
    }
    return sum / Double(max(1, (image.width - 2) * (image.height - 2)))
  }

  private static func searched(_ reference: Image<Float>, _ other: Image<Float>) -> SimilarityMotion {
    let (rangeX, rangeY) = (
      Int(Double(reference.width) * searchShare), Int(Double(reference.height) * searchShare)
    )
    var best = (value: -Double.infinity, x: 0, y: 0)
    reference.withRows { a in
      other.withRows { b in
        let correlation = GradientCorrelation(reference: a, other: b)
        for y in -rangeY...rangeY {
          for x in -rangeX...rangeX {
            if let value = correlation.value(shiftX: x, shiftY: y), value > best.value { best = (value, x, y) }
          }
        }
      }
    }
    return SimilarityMotion(shiftX: Double(best.x), shiftY: Double(best.y))
  }
}
