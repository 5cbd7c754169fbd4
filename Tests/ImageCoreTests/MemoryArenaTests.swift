import Testing

@testable import ImageCore

/// Blocks against a plain book of who owns which byte.
struct MemoryArenaTests {
  private let unit = MemoryArena.unit

  /// A block that must be there.
  private func take(_ byteCount: Int, _ arena: inout MemoryArena) throws -> UnsafeMutableRawPointer {
    let block = arena.take(byteCount)
    return try #require(block)
  }

  @Test func whatSeveralBlocksLeaveServesALargerOne() throws {
    var arena = try #require(MemoryArena())
    defer { arena.unmap() }
    let small = try (0..<4).map { _ in try take(unit, &arena) }
    #expect((1..<4).allSatisfy { small[$0] == small[0] + $0 * unit }, "blocks lie side by side")
    for index in [2, 0, 3, 1] { arena.give(small[index], unit, readyLimit: .max) }
    #expect(arena.readyBytes == 4 * unit)
    let large = try take(3 * unit, &arena)
    #expect(large == small[0] && arena.readyBytes == unit)
    // What is left at the end grows to what is wanted.
    #expect(try take(2 * unit, &arena) == small[3] && arena.readyBytes == 0)
  }

  @Test func pagesBeyondTheLimitGoBack() throws {
    var arena = try #require(MemoryArena())
    defer { arena.unmap() }
    let (first, second) = (try take(unit, &arena), try take(unit, &arena))
    for block in [first, second] { block.storeBytes(of: 77, as: UInt8.self) }
    arena.give(first, unit, readyLimit: unit)
    arena.give(second, unit, readyLimit: unit)
    #expect(arena.readyBytes == unit)
    #expect(try take(unit, &arena) == first, "ready pages come first")
    #expect(try take(unit, &arena) == second, "then addresses that were used before")
    #expect(first.load(as: UInt8.self) == 77 && second.load(as: UInt8.self) == 0)
  }

  @Test func blocksNeverOverlap() throws {
    var arena = try #require(MemoryArena())
    defer { arena.unmap() }
    var owned: [(block: UnsafeMutableRawPointer, units: Int, mark: UInt64)] = []
    var random: UInt64 = 5
    func next(_ bound: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % bound
    }
    for step in 0..<600 {
      if owned.count > 12 || (!owned.isEmpty && next(2) == 0) {
        let (block, units, mark) = owned.remove(at: next(owned.count))
        for part in 0..<units {
          #expect(
            (block + part * unit).load(as: UInt64.self) == mark, "step \(step): part \(part) of a block changed")
        }
        arena.give(block, units * unit, readyLimit: 20 * unit)
        #expect(arena.readyBytes <= 20 * unit)
      } else {
        let units = 1 + next(5)
        let block = try take(units * unit, &arena)
        for part in 0..<units { (block + part * unit).storeBytes(of: UInt64(step), as: UInt64.self) }
        owned.append((block, units, UInt64(step)))
      }
    }
  }
}
