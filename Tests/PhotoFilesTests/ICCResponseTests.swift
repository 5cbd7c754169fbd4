import ImageCore
import PhotoFiles
import Testing

/// Curves and colours of profiles.
@Suite struct ICCResponseTests {
  @Test(
    "Profiles of our own spaces say their own transfer function and primaries", arguments: OutputColourSpace.allCases)
  func spaces(space: OutputColourSpace) throws {
    let response = try #require(ICCResponse(ICCProfile.bytes(for: space, linear: false)))
    for step in 0...64 {
      let light = Double(step) / 64
      let stored = space.transfer.encode(light, power: Elementary.power)
      for colour in 0..<3 {
        let found = response.light(stored, colour: colour)
        #expect(abs(found - light) < 2e-4, "stored \(stored): \(found) instead of \(light)")
      }
    }
    let matrix = try #require(response.toXYZ)
    // White of the profile's connection space: D50.
    for (row, expected) in [0.9642, 1, 0.8249].enumerated() {
      let sum = (0..<3).reduce(0) { $0 + matrix[row, $1] }
      #expect(abs(sum - expected) < 2e-3, "row \(row) sums to \(sum)")
    }
  }

  @Test func linear() throws {
    let response = try #require(ICCResponse(ICCProfile.bytes(for: .sRGB, linear: true)))
    #expect(abs(response.light(0.25, colour: 1) - 0.25) < 1e-4)
  }

  @Test func grey() throws {
    let response = try #require(ICCResponse(ICCProfile.bytes(for: .sRGB, linear: false, grey: true)))
    #expect(response.toXYZ == nil)
    #expect(abs(response.light(0.5, colour: 2) - 0.2140) < 1e-3)
  }

  @Test("What is no profile of curves is none, whatever the bytes")
  func damage() {
    #expect(ICCResponse([]) == nil)
    let whole = ICCProfile.bytes(for: .displayP3, linear: false)
    for count in stride(from: 1, to: whole.count - 1, by: 13) { _ = ICCResponse(Array(whole.prefix(count))) }
    for index in stride(from: 0, to: whole.count, by: 5) {
      var bytes = whole
      bytes[index] ^= 0xFF
      if let response = ICCResponse(bytes) {
        #expect(response.curves.allSatisfy { $0.allSatisfy { $0 >= 0 && $0 <= 1 } })
      }
    }
  }
}
