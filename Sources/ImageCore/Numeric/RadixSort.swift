/// Sorts many floats in time that grows as their number: by eleven bits of their pattern at a time.
///
/// - Source: Knuth, "The Art of Computer Programming" volume 3, section 5.2.5, from the least significant digit on.
public enum RadixSort {
  /// Below this many values comparing them is as fast.
  private static let few = 512
  private static let digitBits: UInt32 = 11
  private static let digits = 3

  /// The values in ascending order, negative ones and zeros of both signs among them; what is not a number comes at the
  /// ends.
  ///
  /// - Complexity: O(n), four passes, 8 bytes a value.
  public static func ascending(_ values: [Float]) -> [Float] {
    if values.count < few { return values.sorted() }
    var keys = values.map { key($0) }
    var spare = [UInt32](repeating: 0, count: keys.count)
    for digit in 0..<UInt32(digits) {
      pass(keys, shift: digit * digitBits, into: &spare)
      swap(&keys, &spare)
    }
    return keys.map { value($0) }
  }

  private static func pass(_ from: [UInt32], shift: UInt32, into: inout [UInt32]) {
    let mask = UInt32(1) << digitBits - 1
    withUnsafeTemporaryAllocation(of: Int.self, capacity: Int(mask) + 1) { starts in
      starts.initialize(repeating: 0)
      for key in from { starts[Int(key >> shift & mask)] += 1 }
      var sum = 0
      for index in starts.indices {
        let count = starts[index]
        starts[index] = sum
        sum += count
      }
      into.withUnsafeMutableBufferPointer { out in
        for key in from {
          let digit = Int(key >> shift & mask)
          out[starts[digit]] = key
          starts[digit] += 1
        }
      }
    }
  }

  private static let sign: UInt32 = 1 << 31

  /// A number that rises with the value.
  private static func key(_ value: Float) -> UInt32 {
    let bits = value.bitPattern
    return bits & sign == 0 ? bits | sign : ~bits
  }

  private static func value(_ key: UInt32) -> Float { Float(bitPattern: key & sign == 0 ? ~key : key & ~sign) }
}
