/// Overlapping discs whose sizes follow a power law: texture at all scales, as in photographs of nature.
///
/// - Source: Cao, Guichard, Hornung: "Measuring texture sharpness of a digital camera", SPIE 7250, 2009.
struct DeadLeaves: Sendable {
  private struct Leaf {
    var x: Double
    var y: Double
    var squaredRadius: Double
    var colour: SIMD3<Double>
  }

  private var leaves: [Leaf] = []
  /// Leaves that touch a cell, front to back; `starts` has one entry more than there are cells.
  private var members: [Int32] = []
  private var starts: [Int] = []
  private let cell: Double
  private let columns: Int
  private let rows: Int

  private static let coverage = 5.0
  private static let background = SIMD3(0.2, 0.2, 0.2)

  init(width: Double, height: Double, seed: UInt64) {
    let side = max(8, min(width, height))
    let smallest = max(1.5, side / 200)
    let largest = max(smallest * 2, side / 8)
    cell = smallest * 4
    columns = max(1, Int((width / cell).rounded(.up)))
    rows = max(1, Int((height / cell).rounded(.up)))
    // Density r⁻³ between the limits: mean squared radius 2·ln(R/r)·r²R²/(R² − r²).
    let (a, b) = (1 / (smallest * smallest), 1 / (largest * largest))
    let meanArea = 3.14159265 * 2 * ExactMath.log(largest / smallest) / (a - b)
    let count = Int(Self.coverage * width * height / meanArea) + 16
    var lists = [[Int32]](repeating: [], count: columns * rows)
    var full = [Bool](repeating: false, count: columns * rows)
    for index in 0..<count {
      var random = CounterRandom(seed: seed, x: index, stream: 101)
      let squared = 1 / (a - random.uniform() * (a - b))
      let (x, y) = (random.uniform() * width, random.uniform() * height)
      let grey = 0.04 + 0.7 * random.uniform()
      let tint = SIMD3(random.uniform(), random.uniform(), random.uniform()) * 0.7 + 0.65
      leaves.append(Leaf(x: x, y: y, squaredRadius: squared, colour: tint * grey))
      place(index, into: &lists, full: &full)
    }
    for list in lists {
      starts.append(members.count)
      members += list
    }
    starts.append(members.count)
  }

  private func place(_ index: Int, into lists: inout [[Int32]], full: inout [Bool]) {
    let leaf = leaves[index]
    let radius = leaf.squaredRadius.squareRoot()
    for row in clamp(leaf.y - radius, rows)...clamp(leaf.y + radius, rows) {
      for column in clamp(leaf.x - radius, columns)...clamp(leaf.x + radius, columns) {
        let at = row * columns + column
        if full[at] { continue }
        lists[at].append(Int32(index))
        let dx = abs(leaf.x - (Double(column) + 0.5) * cell) + cell * 0.5
        let dy = abs(leaf.y - (Double(row) + 0.5) * cell) + cell * 0.5
        full[at] = dx * dx + dy * dy <= leaf.squaredRadius
      }
    }
  }

  private func clamp(_ position: Double, _ count: Int) -> Int { max(0, min(count - 1, Int(position / cell))) }

  /// The colour at a point of the area.
  func colour(_ x: Double, _ y: Double) -> SIMD3<Double> {
    let at = clamp(y, rows) * columns + clamp(x, columns)
    for member in starts[at]..<starts[at + 1] {
      let leaf = leaves[Int(members[member])]
      let (dx, dy) = (x - leaf.x, y - leaf.y)
      if dx * dx + dy * dy <= leaf.squaredRadius { return leaf.colour }
    }
    return Self.background
  }
}
