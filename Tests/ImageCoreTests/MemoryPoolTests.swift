import Testing

@testable import ImageCore

@Suite("Reserved memory")
struct MemoryPoolTests {
  @Test func reservedBlocksServeComingImages() {
    let pool = MemoryPool()
    let side = PixelSize(width: 2048, height: 1024)
    let bytes = side.area * MemoryLayout<UInt16>.stride
    #expect(pool.reserve(byteCount: bytes, count: 2) >= 2 * bytes)
    let ready = pool.retainedBytes
    do {
      let first = Image<UInt16>(uninitialized: side, in: pool)
      #expect(first.size == side && pool.retainedBytes <= ready - bytes, "the image must take what was reserved")
    }
    #expect(pool.retainedBytes == ready)
  }

  @Test("Where the system allows no arena (ulimit -v), large blocks are kept and used again all the same")
  func blocksWithoutAnArenaAreReused() {
    let pool = MemoryPool(retainLimit: 64 << 20, mayHaveArena: false)
    var first: UnsafeMutableRawPointer?
    for round in 0..<20 {
      let block = pool.take(byteCount: 5 << 20)
      #expect(first == nil || block.base == first, "round \(round) took other memory")
      first = block.base
      pool.give(block)
    }
    #expect(pool.retainedBytes == 6 << 20, "one block, in units of 2 MiB")
  }

  @Test func theLimitHolds() {
    let pool = MemoryPool(retainLimit: 5 << 20)
    #expect(pool.reserve(byteCount: 2 << 20, count: 4) == 4 << 20)
    #expect(pool.reserve(byteCount: 2 << 20, count: 0) == 0)
  }
}
