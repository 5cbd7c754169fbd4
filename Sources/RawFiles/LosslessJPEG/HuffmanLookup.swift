/// Decodes the categories of one ``HuffmanCode``: a table for short codes, a search for long ones.
struct HuffmanLookup {
  /// Codes up to this length are found with one look; longer ones have a probability below 2^-11.
  static let fastBits = 11

  /// By the next ``fastBits`` bits: bits of code and magnitude together, bits of the code << 8, bits of the
  /// magnitude << 16. 0 where the code is longer, does not exist, or needs care (category 16).
  private(set) var fast: [UInt32]
  private let codes: [(code: UInt32, length: Int, category: Int)]
  /// Magnitude bits that follow category 16: none, or 16 in DNG files older than version 1.1.
  private let bitsOfLongest: Int

  init(_ code: HuffmanCode, isBeforeDNG11: Bool) {
    bitsOfLongest = isBeforeDNG11 ? HuffmanCode.maxLength : 0
    fast = Array(repeating: 0, count: 1 << Self.fastBits)
    var listed: [(code: UInt32, length: Int, category: Int)] = []
    for (category, entry) in code.codes.enumerated() where entry.length > 0 {
      listed.append((entry.code, entry.length, category))
      guard entry.length <= Self.fastBits, category < HuffmanCode.categories - 1 else { continue }
      let value = UInt32(entry.length + category) | UInt32(entry.length) << 8 | UInt32(category) << 16
      let first = Int(entry.code) << (Self.fastBits - entry.length)
      for index in first..<first + 1 << (Self.fastBits - entry.length) { fast[index] = value }
    }
    codes = listed
  }

  /// The code at the top of `window`, which holds at least 32 bits; `nil` when there is none.
  ///
  /// - Returns: the difference, and how many bits it took.
  func search(_ window: UInt64) -> (difference: Int, bits: Int)? {
    let width = UInt64.bitWidth
    guard let match = codes.first(where: { window >> UInt64(width - $0.length) == UInt64($0.code) }) else {
      return nil
    }
    let isLongest = match.category == HuffmanCode.categories - 1
    let bits = isLongest ? bitsOfLongest : match.category
    if isLongest && bits == 0 { return (1 << 15, match.length) }
    if bits == 0 { return (0, match.length) }
    let magnitude = Int((window << UInt64(match.length)) >> UInt64(width - bits))
    let isNegative = magnitude >> (bits - 1) == 0
    return (isNegative ? magnitude - (1 << bits) + 1 : magnitude, match.length + bits)
  }
}
