/// A Huffman code of difference categories, as a DHT segment carries it. ITU-T T.81, clauses C.2 and H.1.2.2.
///
/// A category is the number of bits of a difference's magnitude, 0...16.
struct HuffmanCode: Equatable {
  /// Categories 0...16: T.81 table H.2.
  static let categories = 17
  /// The longest code, bits. T.81 C.2.
  static let maxLength = 16

  /// How many codes have 1, 2 … 16 bits.
  let counts: [Int]
  /// The categories in the order of their codes.
  let symbols: [UInt8]

  /// A code as read; `nil` when it is none: more codes than fit, or categories that do not exist.
  init?(counts: [Int], symbols: [UInt8]) {
    guard counts.count == Self.maxLength, counts.reduce(0, +) == symbols.count, !symbols.isEmpty,
      symbols.allSatisfy({ $0 < Self.categories })
    else { return nil }
    var next = 0
    for (index, count) in counts.enumerated() {
      next += count
      if next > 1 << (index + 1) { return nil }
      next <<= 1
    }
    self.counts = counts
    self.symbols = symbols
  }

  /// The shortest code for categories that occur this often. The all-ones code stays unused, as C.2 demands.
  init(frequencies: [Int]) {
    precondition(frequencies.count == Self.categories, "one frequency a category")
    var used = frequencies.indices.filter { frequencies[$0] > 0 }
    if used.isEmpty { used = [0] }
    var weights = used.map { max(1, frequencies[$0]) }
    var lengths = Self.lengths(weights)
    // Only weights that grow like Fibonacci numbers need more than 16 bits; flatten them until they fit.
    while lengths.contains(where: { $0 > Self.maxLength }) {
      weights = weights.map { ($0 + 1) / 2 }
      lengths = Self.lengths(weights)
    }
    let ordered = zip(used, lengths).sorted { ($0.1, $0.0) < ($1.1, $1.0) }
    symbols = ordered.map { UInt8($0.0) }
    counts = (1...Self.maxLength).map { length in lengths.count { $0 == length } }
  }

  /// Code lengths of an optimal prefix code for the weights plus one that never occurs and gets the longest code.
  private static func lengths(_ weights: [Int]) -> [Int] {
    struct Node {
      let weight: Int
      let leaves: [Int]
    }
    var depth = [Int](repeating: 0, count: weights.count + 1)
    var nodes = (weights + [0]).enumerated().map { Node(weight: $0.element, leaves: [$0.offset]) }
    while nodes.count > 1 {
      // Two lightest to the end; equal weights keep their order, so that the result is the same everywhere.
      let order = nodes.indices.sorted { (nodes[$0].weight, $0) < (nodes[$1].weight, $1) }
      let (first, second) = (nodes[order[0]], nodes[order[1]])
      let joined = Node(weight: first.weight + second.weight, leaves: first.leaves + second.leaves)
      for leaf in joined.leaves { depth[leaf] += 1 }
      nodes = nodes.indices.filter { $0 != order[0] && $0 != order[1] }.map { nodes[$0] } + [joined]
    }
    return Array(depth.dropLast())
  }

  /// Code and length of each category; length 0 for those without one.
  var codes: [(code: UInt32, length: Int)] {
    var result = [(code: UInt32, length: Int)](repeating: (0, 0), count: Self.categories)
    var code: UInt32 = 0
    var index = 0
    for (position, count) in counts.enumerated() {
      for _ in 0..<count {
        result[Int(symbols[index])] = (code, position + 1)
        code += 1
        index += 1
      }
      code <<= 1
    }
    return result
  }
}
