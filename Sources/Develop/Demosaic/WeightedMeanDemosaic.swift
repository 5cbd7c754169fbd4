import ImageCore

/// Interpolation for any filter array: each missing colour is the tent-weighted mean of its samples in a window.
///
/// Normalised convolution: Knutsson & Westin 1993, "Normalized and differential convolution". The sample a photosite
/// has is kept. The window is the smallest of at least 5x5 that holds every colour wherever it lies.
struct WeightedMeanDemosaic: Sendable {
  private struct Tap: Sendable {
    let offset: Int
    let weight: Float
  }

  /// Smallest half width of the window.
  static let smallestReach = 2

  private let width: Int
  private let height: Int
  private let planes: Int
  /// For each place of the cell and each colour.
  private let taps: [[Tap]]

  init(_ cfa: CFAPattern, colours: [CFAColour]) {
    width = cfa.width
    height = cfa.height
    planes = colours.count
    let present = colours.filter(cfa.colours.contains)
    var reach = Self.smallestReach
    while reach < TileGrid.halo, !Self.holdsAll(cfa, present, reach) { reach += 1 }
    var taps: [[Tap]] = []
    for y in 0..<cfa.height {
      for x in 0..<cfa.width {
        for colour in colours { taps.append(Self.taps(cfa, x, y, colour, reach)) }
      }
    }
    self.taps = taps
  }

  private static func holdsAll(_ cfa: CFAPattern, _ colours: [CFAColour], _ reach: Int) -> Bool {
    for y in 0..<cfa.height {
      for x in 0..<cfa.width {
        var seen: Set<CFAColour> = []
        for dy in -reach...reach {
          for dx in -reach...reach { seen.insert(cfa[x + dx, y + dy]) }
        }
        if !seen.isSuperset(of: colours) { return false }
      }
    }
    return true
  }

  private static func taps(_ cfa: CFAPattern, _ x: Int, _ y: Int, _ colour: CFAColour, _ reach: Int) -> [Tap] {
    if cfa[x, y] == colour { return [Tap(offset: 0, weight: 1)] }
    var found: [(offset: Int, weight: Double)] = []
    for dy in -reach...reach {
      for dx in -reach...reach where cfa[x + dx, y + dy] == colour {
        let weight = Double((reach + 1 - abs(dx)) * (reach + 1 - abs(dy)))
        found.append((dy * TileGrid.stride + dx, weight))
      }
    }
    let sum = found.reduce(0) { $0 + $1.weight }
    return found.map { Tap(offset: $0.offset, weight: Float($0.weight / sum)) }
  }

  /// One finished row, `y` counted from the tile's core.
  func row(_ y: Int, of tile: EncodedMosaicTile, into out: CameraRow) {
    let start = tile.row(y + TileGrid.halo) + TileGrid.halo
    let cellRow = (tile.core.y + y) % height
    for plane in 0..<planes {
      let target = out.plane(plane)
      for phase in 0..<min(width, out.count) {
        let cell = cellRow * width + (tile.core.x + phase) % width
        taps[cell * planes + plane].withUnsafeBufferPointer { taps in
          for x in stride(from: phase, to: out.count, by: width) {
            var sum: Float = 0
            for tap in taps { sum += tap.weight * start[x &+ tap.offset] }
            target[x] = sum * sum - MosaicEncoder.offset
          }
        }
      }
    }
  }
}
