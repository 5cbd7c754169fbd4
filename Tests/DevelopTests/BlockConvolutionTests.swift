import Testing

@testable import Develop

/// Every flavour of the convolution's loop against sums written out, at widths around its steps.
struct BlockConvolutionTests {
  /// Inputs of two tensors, weights, and the sums written out.
  private struct Case {
    let inputs = [6, 4]
    let outputs: Int
    let blocks: Int
    let stride: Int
    var tensors: [(inputs: Int, weights: [Int16])] = []
    var bias: [Int32] = []
    /// For each tensor and row, pairs of channels, `stride` blocks each.
    var rows: [[[Int16]]] = []
    let shift: Int32 = 9

    init(outputs: Int, blocks: Int) {
      (self.outputs, self.blocks) = (outputs, blocks)
      stride = (blocks + 15) / 16 * 16 + 16
      var random = RandomWords(state: UInt64(outputs * 1000 + blocks))
      for count in inputs {
        // Every third place has no weight, so that there are taps to leave out.
        tensors.append(
          (
            count,
            (0..<outputs * 9 * count).map {
              $0 / count % 3 == 1 ? 0 : Int16(truncatingIfNeeded: random.next() % 4001) - 2000
            }
          ))
        rows.append((0..<3).map { _ in (0..<count * stride).map { _ in Int16(truncatingIfNeeded: random.next()) } })
      }
      bias = (0..<outputs).map { _ in Int32(truncatingIfNeeded: random.next() % 200_001) - 100_000 }
    }

    func sum(_ output: Int, _ block: Int) -> Int32 {
      var sum = bias[output]
      for (tensor, (count, weights)) in tensors.enumerated() {
        for ky in 0..<3 {
          for kx in 0..<3 {
            for channel in 0..<count {
              let value = rows[tensor][ky][(channel / 2 * stride + block + kx) * 2 + channel % 2]
              sum &+= Int32(value) &* Int32(weights[(output * 9 + ky * 3 + kx) * count + channel])
            }
          }
        }
      }
      return sum >> shift
    }

    /// What a flavour computes: activations and plain sums, output by output.
    func run(_ flavour: BlockConvolution.Flavour) -> (activated: [[Int16]], plain: [[Int16]]) {
      let convolution = BlockConvolution(
        outputs: outputs, shift: shift, bias: bias, tensors: tensors, flavour: flavour)
      let pairs = inputs.map { $0 / 2 }
      let addresses = UnsafeMutablePointer<UnsafePointer<Int16>>.allocate(capacity: 9 * pairs.reduce(0, +))
      let memory = rows.map { rows in rows.map { UnsafeMutableBufferPointer<Int16>.allocate(capacity: $0.count) } }
      for (tensor, tensorRows) in rows.enumerated() {
        for (row, values) in tensorRows.enumerated() { _ = memory[tensor][row].initialize(from: values) }
      }
      let planes = (outputs + BlockConvolution.groupSize) * stride
      let out = UnsafeMutablePointer<Int16>.allocate(capacity: planes)
      out.initialize(repeating: 0, count: planes)
      defer {
        addresses.deallocate()
        out.deallocate()
        for part in memory.joined() { part.deallocate() }
      }
      let blockRows = BlockRows(addresses: addresses)
      var first = 0
      for (tensor, count) in pairs.enumerated() {
        blockRows.set(from: first, pairs: count, stride: stride) { UnsafePointer(memory[tensor][$0].baseAddress!) }
        first += 9 * count
      }
      convolution.activate(blockRows, blocks: blocks, into: out, stride: stride)
      let activated = (0..<outputs).map { output in
        (0..<blocks).map { out[output / 2 * 2 * stride + 2 * $0 + output % 2] }
      }
      convolution.plain(blockRows, blocks: blocks, into: out, stride: stride)
      let plain = (0..<outputs).map { output in (0..<blocks).map { out[output * stride + $0] } }
      return (activated, plain)
    }
  }

  @Test(
    "Sums are those written out", arguments: BlockConvolution.Flavour.allCases.filter(\.isAvailable),
    [1, 15, 16, 17, 32, 33, 47, 49])
  func sums(flavour: BlockConvolution.Flavour, blocks: Int) {
    for outputs in [1, 4, 6] {
      let problem = Case(outputs: outputs, blocks: blocks)
      let (activated, plain) = problem.run(flavour)
      for output in 0..<outputs {
        for block in 0..<blocks {
          let sum = problem.sum(output, block)
          let place = "\(flavour), output \(output) of \(outputs), block \(block) of \(blocks)"
          #expect(plain[output][block] == Int16(clamping: sum), "\(place)")
          #expect(activated[output][block] == Int16(clamping: max(0, sum)), "\(place)")
        }
      }
    }
  }
}

/// Words by a congruence, the same in every run.
private struct RandomWords {
  var state: UInt64

  mutating func next() -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33)
  }
}
