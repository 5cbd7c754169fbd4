import Glibc
import Synchronization

/// Keeps large blocks of memory for reuse between images.
///
/// Touching a fresh 97 MB buffer costs more than most pixel kernels do on it; a block that was used before costs
/// nothing. Blocks of 2 MiB and more are aligned to 2 MiB and marked for huge pages. Contents of a taken block are
/// unspecified. Safe to use from several threads.
public final class MemoryPool: Sendable {
  /// A block of memory and its real size, which may exceed what was asked for. Has one owner at a time.
  struct Block: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let byteCount: Int
  }

  private struct State {
    var free: [Block] = []
    var retainedBytes = 0
  }

  /// The size of a huge page on x86-64 and arm64 Linux, bytes.
  static let hugePage = 2 << 20
  /// Alignment of smaller blocks: one cache line, bytes.
  static let cacheLine = 64

  private let state = Mutex<State>(State())
  private let retainLimit: Int

  /// - Parameter retainLimit: how many bytes of unused blocks to keep at most; blocks beyond it go back to the system.
  public init(retainLimit: Int = 512 << 20) {
    self.retainLimit = retainLimit
  }

  deinit {
    state.withLock { state in
      for block in state.free { free(block.base) }
    }
  }

  /// Takes a block of at least `byteCount` bytes, reused when one fits without wasting more than a quarter.
  func take(byteCount: Int) -> Block {
    let size = Self.roundedSize(byteCount)
    let reused: Block? = state.withLock { state in
      var best: Int?
      for (index, block) in state.free.enumerated()
      where block.byteCount >= size && block.byteCount <= size + size / 4 {
        if best == nil || block.byteCount < state.free[best!].byteCount { best = index }
      }
      guard let best else { return nil }
      let block = state.free.remove(at: best)
      state.retainedBytes -= block.byteCount
      return block
    }
    return reused ?? Self.allocate(size)
  }

  /// Gives a block back.
  func give(_ block: Block) {
    let surplus: Block? = state.withLock { state in
      guard state.retainedBytes + block.byteCount <= retainLimit else { return block }
      state.free.append(block)
      state.retainedBytes += block.byteCount
      return nil
    }
    if let surplus { free(surplus.base) }
  }

  /// Bytes of unused blocks that are kept.
  public var retainedBytes: Int { state.withLock { $0.retainedBytes } }

  static func roundedSize(_ byteCount: Int) -> Int {
    let unit = byteCount >= hugePage ? hugePage : cacheLine
    return max(unit, (byteCount + unit - 1) / unit * unit)
  }

  static func allocate(_ byteCount: Int) -> Block {
    var base: UnsafeMutableRawPointer?
    let alignment = byteCount >= hugePage ? hugePage : cacheLine
    guard posix_memalign(&base, alignment, byteCount) == 0, let base else {
      fatalError("out of memory: \(byteCount) bytes for an image")
    }
    if byteCount >= hugePage { madvise(base, byteCount, MADV_HUGEPAGE) }
    return Block(base: base, byteCount: byteCount)
  }
}

/// Sole owner of one block; gives it back to its pool, or to the system, when the last image lets go.
final class PixelStorage: @unchecked Sendable {
  let block: MemoryPool.Block
  let pool: MemoryPool?

  init(byteCount: Int, pool: MemoryPool?) {
    self.pool = pool
    block = pool?.take(byteCount: byteCount) ?? MemoryPool.allocate(MemoryPool.roundedSize(byteCount))
  }

  deinit {
    if let pool { pool.give(block) } else { free(block.base) }
  }
}
