/// What `best` adds to the network: the class stage, then medians of chroma where luma has the structure.
///
/// The median is that of Freeman 1988 (US patent 4,724,395, expired), "Median filter for reconstructing missing color
/// samples", gated here: where chroma itself has structure it would only blur.
struct ClassRefinement: Sendable {
  /// Pixels of the network's result around a pixel that its refinement depends on, as whole blocks: the medians reach
  /// two pixels of the class stage, whose tensor reaches four.
  static let margin = 8
  /// The part of the margin at which the class stage is needed, by the median after it.
  private static let inner = ClassRefinement.margin - ChromaMedian.reach
  /// Chroma's share of structure at which the median fades, and over which range (`Training/README.md`).
  private static let gate: Float = 0.5
  private static let softness: Float = 0.25

  private let stage: ClassStage
  private let pattern: TrainedPattern
  /// Whether chroma is smoothed: only where the white is known is grey flat in chroma, and noise needs no median.
  private let smoothsChroma: Bool

  /// - Parameter whiteIsKnown: whether white balance is the file's or the user's, not a guess.
  init(_ table: ClassTable, _ pattern: TrainedPattern, whiteIsKnown: Bool = true) {
    stage = ClassStage(table, pattern)
    self.pattern = pattern
    smoothsChroma = whiteIsKnown && !table.predictsMeasured
  }

  /// Refines all of `first` but ``margin`` pixels at its borders into the same places of `out`.
  ///
  /// - Parameter codes: the mosaic's code of the first pixel of `first`, which starts a block.
  func run(
    _ first: ColourTile, width: Int, height: Int, codes: UnsafePointer<Int16>, codeStride: Int, into out: ColourTile,
    scratch: RefinementScratch
  ) {
    scratch.start(at: Self.inner - 1)
    let columns = Self.inner..<width - Self.inner
    for y in Self.inner..<height - Self.inner {
      let channels = scratch.channels(around: y, of: first, width: width)
      scratch.tensor.find(y, of: first, width: width)
      StructureClass.find(scratch.tensor.row, columns, stage.turns(y), into: scratch.classes)
      Self.weigh(scratch.tensor.row, columns, into: scratch.weights(y))
      stage.correct(
        y, columns, codes: codes + y * codeStride, codeStride: codeStride, channels: channels,
        classes: scratch.classes, picture: first, into: out)
    }
    guard smoothsChroma else { return }
    for median in scratch.medians { median.start(at: Self.inner) }
    for y in Self.margin..<height - Self.margin {
      for (index, median) in scratch.medians.enumerated() {
        median.find(y, 2 * index, of: out, width: width, into: scratch.chroma[index])
      }
      smooth(y, Self.margin..<width - Self.margin, codes + y * codeStride, scratch, out)
    }
  }

  /// How much the median counts.
  @inline(__always)
  private static func weigh(_ row: TensorRow, _ range: Range<Int>, into out: UnsafeMutablePointer<Float>) {
    for x in range {
      let ratio = (row.chroma[x] / (row.xx[x] + row.yy[x] + 1)).squareRoot()
      let weight = (gate - ratio) / softness
      let positive = weight > 0 ? weight : 0
      out[x] = positive < 1 ? positive : 1
    }
  }

  /// Blends one row with what the medians make of it; the measured colour stays.
  private func smooth(
    _ y: Int, _ range: Range<Int>, _ codes: UnsafePointer<Int16>, _ scratch: RefinementScratch, _ out: ColourTile
  ) {
    let (red, green, blue) = (out.row(0, y), out.row(1, y), out.row(2, y))
    let weights = scratch.weights(y)
    for phase in 0..<NetworkTable.blockSide {
      let first = range.lowerBound + ((phase - range.lowerBound) & 3)
      let measured = pattern.colour(ofSite: (y & 3) * NetworkTable.blockSide + phase)
      for x in stride(from: first, to: range.upperBound, by: NetworkTable.blockSide) {
        let (toRed, toBlue) = (Int32(scratch.chroma[0][x]), Int32(scratch.chroma[1][x]))
        let code = Int32(codes[x])
        let smoothGreen = measured == 0 ? code &- toRed : (measured == 2 ? code &- toBlue : code)
        red[x] = Self.blend(red[x], smoothGreen &+ toRed, weights[x])
        green[x] = Self.blend(green[x], smoothGreen, weights[x])
        blue[x] = Self.blend(blue[x], smoothGreen &+ toBlue, weights[x])
      }
    }
  }

  @inline(__always)
  private static func blend(_ plain: Int16, _ smooth: Int32, _ weight: Float) -> Int16 {
    let mixed = (Float(plain) + weight * (Float(smooth) - Float(plain)) + 0.5).rounded(.down)
    return Int16(truncatingIfNeeded: Int32(min(max(mixed, 0), Float(Int16.max))))
  }
}

/// Buffers of one thread for ``ClassRefinement``.
final class RefinementScratch {
  private static let keptRows = 4

  let tensor: StructureTensor
  let medians: [ChromaMedian]
  let chroma: [UnsafeMutablePointer<Int16>]
  let classes: UnsafeMutablePointer<Int32>
  private let rows: UnsafeMutablePointer<Int16>
  private let weightPlane: UnsafeMutablePointer<Float>
  private let stride: Int
  private let count: Int
  private var done = 0

  init(width: Int, height: Int) {
    stride = width + 2 * 16  // vectors of 16 reach beyond the last column
    count = height
    tensor = StructureTensor(width: width)
    medians = [ChromaMedian(width: width), ChromaMedian(width: width)]
    let stride = stride
    chroma = (0..<2).map { _ in
      let row = UnsafeMutablePointer<Int16>.allocate(capacity: stride)
      row.initialize(repeating: 0, count: stride)
      return row
    }
    classes = .allocate(capacity: stride)
    classes.initialize(repeating: 0, count: stride)
    let channelCount = Self.keptRows * ClassTable.channels * stride
    rows = .allocate(capacity: channelCount)
    rows.initialize(repeating: 0, count: channelCount)
    weightPlane = .allocate(capacity: stride * height)
    weightPlane.initialize(repeating: 0, count: stride * height)
  }

  deinit {
    for row in chroma { row.deallocate() }
    classes.deallocate()
    rows.deallocate()
    weightPlane.deallocate()
  }

  /// Forgets the last tile; rows of channels are made from `row` on.
  func start(at row: Int) {
    done = row
    tensor.start()
    for median in medians { median.start(at: row - ChromaMedian.reach) }
  }

  func weights(_ y: Int) -> UnsafeMutablePointer<Float> { weightPlane + y * stride }

  /// Interleaved colours and medians of three rows.
  func channels(
    around y: Int, of picture: ColourTile, width: Int
  ) -> (UnsafePointer<Int16>, UnsafePointer<Int16>, UnsafePointer<Int16>) {
    while done <= y + 1 {
      for (index, median) in medians.enumerated() {
        median.find(done, 2 * index, of: picture, width: width, into: chroma[index])
      }
      interleave(done, picture, width)
      done += 1
    }
    return (UnsafePointer(row(y - 1)), UnsafePointer(row(y)), UnsafePointer(row(y + 1)))
  }

  private func row(_ y: Int) -> UnsafeMutablePointer<Int16> {
    rows + y % Self.keptRows * ClassTable.channels * stride
  }

  private func interleave(_ y: Int, _ picture: ColourTile, _ width: Int) {
    let out = row(y)
    let (red, green, blue) = (picture.row(0, y), picture.row(1, y), picture.row(2, y))
    let (toRed, toBlue) = (chroma[0], chroma[1])
    for x in 0..<width {
      out[5 &* x] = red[x]
      out[5 &* x &+ 1] = green[x]
      out[5 &* x &+ 2] = blue[x]
      out[5 &* x &+ 3] = toRed[x]
      out[5 &* x &+ 4] = toBlue[x]
    }
  }
}
