import CVector

/// Where one row of a convolution's inputs lies: for each input tensor and each place of the 3x3 window and each pair
/// of channels, the address of the first block.
///
/// A row holds, for each pair of channels, the two values of block 0, of block 1 and so on, so that one instruction
/// multiplies and adds both channels of eight blocks.
struct BlockRows {
  let addresses: UnsafeMutablePointer<UnsafePointer<Int16>>

  /// Notes the addresses of one tensor, whose rows under the window start at `rows`.
  func set(from first: Int, pairs: Int, stride: Int, rows: (Int) -> UnsafePointer<Int16>) {
    for ky in 0..<3 {
      let row = rows(ky)
      for kx in 0..<3 {
        for pair in 0..<pairs {
          addresses[first + (ky * 3 + kx) * pairs + pair] = row + (pair * stride + kx) * 2
        }
      }
    }
  }
}

/// A 3x3 convolution packed for the kernel: outputs in groups of four, only the taps that are not zero.
struct BlockConvolution: Sendable {
  /// Which loop computes the sums. Both give the same bits.
  enum Flavour: Sendable, CaseIterable {
    /// Eight blocks an instruction, on every CPU.
    case common
    /// Sixteen blocks an instruction, multiplied and added at once: AVX-512 VNNI.
    case wide

    var isAvailable: Bool { self == .common || cv_has_wide_convolution() != 0 }
    /// The faster one of this CPU.
    static let fastest: Flavour = Flavour.wide.isAvailable ? .wide : .common
  }

  /// Outputs that share the loading of inputs.
  static let groupSize = 4
  /// Blocks that are computed together.
  static let lanes = 16

  private struct Group: Sendable {
    /// Indices into ``BlockRows/addresses``.
    let taps: [Int32]
    /// `[tap][output of the group][channel of the pair]`.
    let weights: [Int16]
    let bias: [Int32]
  }

  let outputs: Int
  let shift: Int32
  private let groups: [Group]
  private let flavour: Flavour

  /// - Parameters:
  ///   - tensors: weights of one convolution for each input tensor, whose sums are added:
  ///     `[output][row][column][input]`; addresses of the tensors follow each other in ``BlockRows``.
  ///   - flavour: one that is available.
  init(
    outputs: Int, shift: Int32, bias: [Int32], tensors: [(inputs: Int, weights: [Int16])],
    flavour: Flavour = .fastest
  ) {
    self.outputs = outputs
    self.shift = shift
    self.flavour = flavour
    groups = stride(from: 0, to: outputs, by: Self.groupSize).map { first in
      var taps: [Int32] = []
      var packed: [Int16] = []
      var base = 0
      for (inputs, weights) in tensors {
        for place in 0..<9 {
          for pair in 0..<inputs / 2 {
            let values = (0..<Self.groupSize).flatMap { lane in
              (0..<2).map { channel -> Int16 in
                let output = first + lane
                return output < outputs ? weights[(output * 9 + place) * inputs + 2 * pair + channel] : 0
              }
            }
            if values.contains(where: { $0 != 0 }) {
              taps.append(Int32(base + place * (inputs / 2) + pair))
              packed += values
            }
          }
        }
        base += 9 * (inputs / 2)
      }
      let biases = (0..<Self.groupSize).map { first + $0 < outputs ? bias[first + $0] : 0 }
      return Group(taps: taps, weights: packed, bias: biases)
    }
  }

  /// Sums of four outputs for sixteen blocks.
  private struct Sums {
    var low: (SIMD8<Int32>, SIMD8<Int32>, SIMD8<Int32>, SIMD8<Int32>)
    var high: (SIMD8<Int32>, SIMD8<Int32>, SIMD8<Int32>, SIMD8<Int32>)
  }

  @inline(__always)
  private static func sums(_ group: borrowing Group, _ rows: BlockRows, at block: Int) -> Sums {
    group.bias.withUnsafeBufferPointer { bias in
      group.weights.withUnsafeBufferPointer { weights in
        group.taps.withUnsafeBufferPointer { taps in
          var a0 = cv_splat_i32(bias[0])
          var a1 = cv_splat_i32(bias[1])
          var a2 = cv_splat_i32(bias[2])
          var a3 = cv_splat_i32(bias[3])
          var b0 = a0
          var b1 = a1
          var b2 = a2
          var b3 = a3
          guard var weight = weights.baseAddress else { return Sums(low: (a0, a1, a2, a3), high: (b0, b1, b2, b3)) }
          let offset = 2 &* block
          for tap in taps {
            let from = rows.addresses[Int(tap)] + offset
            let low = cv_load_i16x16(from)
            let high = cv_load_i16x16(from + 16)
            let w0 = cv_broadcast_pair(weight)
            a0 = cv_multiply_add_pairs(a0, low, w0)
            b0 = cv_multiply_add_pairs(b0, high, w0)
            let w1 = cv_broadcast_pair(weight + 2)
            a1 = cv_multiply_add_pairs(a1, low, w1)
            b1 = cv_multiply_add_pairs(b1, high, w1)
            let w2 = cv_broadcast_pair(weight + 4)
            a2 = cv_multiply_add_pairs(a2, low, w2)
            b2 = cv_multiply_add_pairs(b2, high, w2)
            let w3 = cv_broadcast_pair(weight + 6)
            a3 = cv_multiply_add_pairs(a3, low, w3)
            b3 = cv_multiply_add_pairs(b3, high, w3)
            weight += 2 * groupSize
          }
          return Sums(low: (a0, a1, a2, a3), high: (b0, b1, b2, b3))
        }
      }
    }
  }

  /// One row of activations: shifted sums, clamped to `0 ... Int16.max`, in pairs of channels `stride` blocks long.
  func activate(_ rows: BlockRows, blocks: Int, into out: UnsafeMutablePointer<Int16>, stride: Int) {
    for (index, group) in groups.enumerated() {
      let first = out + index * Self.groupSize * stride
      if flavour == .wide {
        withWide(group, rows) { cv_convolve_pairs_wide($0, Int64(blocks), first, Int64(stride)) }
        continue
      }
      var block = 0
      while block < blocks {
        let sums = Self.sums(group, rows, at: block)
        let to = first + 2 &* block
        store(sums.low.0, sums.low.1, to)
        store(sums.high.0, sums.high.1, to + 16)
        store(sums.low.2, sums.low.3, to + 2 &* stride)
        store(sums.high.2, sums.high.3, to + 2 &* stride + 16)
        block &+= Self.lanes
      }
    }
  }

  @inline(__always)
  private func store(_ a: SIMD8<Int32>, _ b: SIMD8<Int32>, _ to: UnsafeMutablePointer<Int16>) {
    let top = Int32(Int16.max)
    cv_store_pairs(
      to, cv_clamp_i32(cv_shift_right_i32(a, shift), 0, top), cv_clamp_i32(cv_shift_right_i32(b, shift), 0, top))
  }

  /// One row of shifted sums, clamped to `Int16`, output by output, `stride` blocks long.
  func plain(_ rows: BlockRows, blocks: Int, into out: UnsafeMutablePointer<Int16>, stride: Int) {
    for (index, group) in groups.enumerated() {
      let first = out + index * Self.groupSize * stride
      if flavour == .wide {
        withWide(group, rows) { cv_convolve_wide($0, Int64(blocks), first, Int64(stride)) }
        continue
      }
      var block = 0
      while block < blocks {
        let sums = Self.sums(group, rows, at: block)
        let to = first + block
        storePlain(sums.low.0, to)
        storePlain(sums.high.0, to + 8)
        storePlain(sums.low.1, to + stride)
        storePlain(sums.high.1, to + stride + 8)
        storePlain(sums.low.2, to + 2 &* stride)
        storePlain(sums.high.2, to + 2 &* stride + 8)
        storePlain(sums.low.3, to + 3 &* stride)
        storePlain(sums.high.3, to + 3 &* stride + 8)
        block &+= Self.lanes
      }
    }
  }

  @inline(__always)
  private func storePlain(_ a: SIMD8<Int32>, _ to: UnsafeMutablePointer<Int16>) {
    cv_store_halves(to, cv_clamp_i32(cv_shift_right_i32(a, shift), Int32(Int16.min), Int32(Int16.max)))
  }

  private func withWide(
    _ group: borrowing Group, _ rows: BlockRows, _ body: (UnsafePointer<cv_convolution>) -> Void
  ) {
    group.bias.withUnsafeBufferPointer { bias in
      group.weights.withUnsafeBufferPointer { weights in
        group.taps.withUnsafeBufferPointer { taps in
          var convolution = cv_convolution(
            rows: rows.addresses, taps: taps.baseAddress, tap_count: Int64(taps.count), weights: weights.baseAddress,
            bias: bias.baseAddress, shift: shift)
          body(&convolution)
        }
      }
    }
  }
}
