import ImageCore

/// How noise of neighbouring samples and of the colours of a linear picture belongs together. Nothing records it: linear
/// pictures were demosaiced, enlarged or fused, which makes noise coarser than the independent samples that a noise
/// profile speaks of.
struct NoiseTexture: Sendable, Equatable {
  /// Correlation with the neighbour in the row and in the column.
  var (across, down) = (0.0, 0.0)
  /// Correlation of red's and blue's noise with green's.
  var (red, blue) = (0.0, 0.0)

  /// Independent samples.
  static let white = NoiseTexture()

  /// Side of the patches looked at, samples.
  private static let side = 16
  /// Patches looked at, at most, evenly spread.
  private static let mostPatches = 2048
  /// Fewer flat patches tell nothing.
  private static let fewestPatches = 64
  /// Variance of a flat patch in parts of what the profile says: less is clipped or no noise, more is texture.
  private static let flat = 0.25...1.25
  /// Light of patches that are neither clipped nor all black, parts of white.
  private static let usable = 0.003...0.9
  /// The most that ``kernel(_:)`` can make: 1/√2.
  private static let most = 0.7
}

extension NoiseTexture {
  /// Measures flat patches; ``white`` when there are too few of them.
  ///
  /// - Complexity: half a million samples at most.
  init(of picture: LinearPicture, _ profile: NoiseProfile) {
    self = .white
    let size = picture.samples.size
    let (columns, rows) = (size.width / Self.side, size.height / Self.side)
    guard columns > 0, rows > 0 else { return }
    let step = max(1, Int((Double(columns * rows) / Double(Self.mostPatches)).squareRoot().rounded(.up)))
    let patches = PatchReader(picture, profile, side: Self.side)
    var sums = PatchSums()
    var count = 0
    for row in stride(from: 0, to: rows, by: step) {
      for column in stride(from: 0, to: columns, by: step) {
        guard let found = patches.sums(column * Self.side, row * Self.side, light: Self.usable, flat: Self.flat)
        else {
          continue
        }
        sums.add(found)
        count += 1
      }
    }
    guard count >= Self.fewestPatches else { return }
    func share(_ product: Double, _ square: Double) -> Double { square > 0 ? min(1, max(-1, product / square)) : 0 }
    func bounded(_ value: Double) -> Double { min(Self.most, max(-Self.most, value)) }
    across = bounded(share(sums.across, sums.green))
    down = bounded(share(sums.down, sums.green))
    red = share(sums.redGreen, (sums.red * sums.green).squareRoot())
    blue = share(sums.blueGreen, (sums.blue * sums.green).squareRoot())
  }

  /// The outer weight of the filter (a, 1, a) that gives independent samples the correlation `2a / (1 + 2a²)`.
  private static func kernel(_ correlation: Double) -> Double {
    guard correlation != 0 else { return 0 }
    return (1 - (1 - 2 * correlation * correlation).squareRoot()) / (2 * correlation)
  }

  /// Noise of this texture for red, green and blue, variance 1, row by row.
  func field(_ size: PixelSize, _ noise: inout PatchNoise) -> [[Double]] {
    let green = plane(size, &noise)
    func mixed(_ correlation: Double) -> [Double] {
      let own = (1 - correlation * correlation).squareRoot()
      return zip(green, plane(size, &noise)).map { correlation * $0 + own * $1 }
    }
    let others = [mixed(red), mixed(blue)]
    return [others[0], green, others[1]]
  }

  private func plane(_ size: PixelSize, _ noise: inout PatchNoise) -> [Double] {
    let (width, height) = (size.width, size.height)
    let (a, b) = (Self.kernel(across), Self.kernel(down))
    let raw = (0..<(width + 2) * (height + 2)).map { _ in noise.next() }
    let unit = 1 / ((1 + 2 * a * a) * (1 + 2 * b * b)).squareRoot()
    return (0..<width * height).map { index in
      let at = (index / width + 1) * (width + 2) + index % width + 1
      func filtered(_ at: Int) -> Double { raw[at] + a * (raw[at - 1] + raw[at + 1]) }
      return unit * (filtered(at) + b * (filtered(at - width - 2) + filtered(at + width + 2)))
    }
  }
}

/// Sums over flat patches of squares and products of noise, in parts of the variance that the profile says.
private struct PatchSums {
  var (red, green, blue) = (0.0, 0.0, 0.0)
  /// Products of neighbours of green, for as many pairs as there are samples.
  var (across, down) = (0.0, 0.0)
  var (redGreen, blueGreen) = (0.0, 0.0)

  mutating func add(_ other: PatchSums) {
    red += other.red
    green += other.green
    blue += other.blue
    across += other.across
    down += other.down
    redGreen += other.redGreen
    blueGreen += other.blueGreen
  }
}

/// Reads patches of a picture less their best planes, so that shading does not count.
private struct PatchReader {
  let picture: LinearPicture
  let profile: NoiseProfile
  let side: Int

  init(_ picture: LinearPicture, _ profile: NoiseProfile, side: Int) {
    (self.picture, self.profile, self.side) = (picture, profile, side)
  }

  /// `nil` for a patch that is not flat.
  func sums(_ x: Int, _ y: Int, light: ClosedRange<Double>, flat: ClosedRange<Double>) -> PatchSums? {
    var residuals: [[Double]] = []
    var sums = PatchSums()
    var squares: [Double] = []
    for plane in 0..<3 {
      var values = samples(x, y, plane)
      let mean = values.reduce(0, +) / Double(values.count)
      let expected = profile.plane(plane).scale * mean + profile.plane(plane).offset
      guard light.contains(mean), expected > 0 else { return nil }
      flatten(&values, mean)
      let unit = 1 / expected.squareRoot()
      for index in values.indices { values[index] *= unit }
      let square = values.reduce(0) { $0 + $1 * $1 } / Double(values.count)
      guard flat.contains(square) else { return nil }
      squares.append(square)
      residuals.append(values)
    }
    (sums.red, sums.green, sums.blue) = (squares[0], squares[1], squares[2])
    let green = residuals[1]
    let (count, pairs) = (Double(side * side), Double(side * (side - 1)))
    for row in 0..<side {
      for column in 0..<side {
        let at = row * side + column
        if column + 1 < side { sums.across += green[at] * green[at + 1] / pairs }
        if row + 1 < side { sums.down += green[at] * green[at + side] / pairs }
        sums.redGreen += green[at] * residuals[0][at] / count
        sums.blueGreen += green[at] * residuals[2][at] / count
      }
    }
    return sums
  }

  /// Light of one colour, parts of white.
  private func samples(_ x: Int, _ y: Int, _ plane: Int) -> [Double] {
    let white = Double(picture.levels.white[min(plane, picture.levels.white.count - 1)])
    return (0..<side * side).map { index in
      let (column, row) = (x + index % side, y + index / side)
      let sample = picture.samples[column, row]
      let count = plane == 0 ? sample.red : plane == 1 ? sample.green : sample.blue
      let black = Double(picture.levels.black.value(x: column, y: row, plane: plane))
      return (Double(count) - black) / (white - black)
    }
  }

  /// Takes the mean and the best slopes off.
  private func flatten(_ values: inout [Double], _ mean: Double) {
    let middle = Double(side - 1) / 2
    var (x, y, unit) = (0.0, 0.0, 0.0)
    for index in values.indices {
      let (dx, dy) = (Double(index % side) - middle, Double(index / side) - middle)
      x += dx * values[index]
      y += dy * values[index]
      unit += dx * dx
    }
    for index in values.indices {
      let (dx, dy) = (Double(index % side) - middle, Double(index / side) - middle)
      values[index] -= mean + (dx * x + dy * y) / unit
    }
  }
}
