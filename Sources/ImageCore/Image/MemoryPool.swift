import Glibc
import Synchronization

/// Keeps large blocks of memory for reuse between images.
///
/// Touching a fresh 97 MB buffer costs more than most pixel kernels do on it; memory that was used before costs
/// nothing. Blocks of 2 MiB and more lie side by side, are aligned to 2 MiB and marked for huge pages, so that images of
/// any size find the memory of others. Contents of a taken block are unspecified. Safe to use from several threads.
public final class MemoryPool: Sendable {
  /// A block of memory and its real size, which may exceed what was asked for. Has one owner at a time.
  struct Block: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let byteCount: Int
  }

  private struct State: @unchecked Sendable {
    /// Small blocks, and large ones that no arena had room for.
    var free: [Block] = []
    var freeBytes = 0
    /// Large ones; made when the first is wanted.
    var arena: MemoryArena?
    var mayHaveArena: Bool

    var retainedBytes: Int { freeBytes + (arena?.readyBytes ?? 0) }
  }

  /// Alignment of small blocks: one cache line, bytes.
  static let cacheLine = 64

  private let state: Mutex<State>
  private let retainLimit: Int

  /// - Parameter retainLimit: how many bytes of unused blocks to keep at most; blocks beyond it go back to the system.
  public convenience init(retainLimit: Int = 512 << 20) {
    self.init(retainLimit: retainLimit, mayHaveArena: true)
  }

  /// - Parameter mayHaveArena: `false` for a pool as it is where the system allows no arena.
  init(retainLimit: Int, mayHaveArena: Bool) {
    self.retainLimit = retainLimit
    state = Mutex(State(mayHaveArena: mayHaveArena))
  }

  deinit {
    state.withLock { state in
      for block in state.free { free(block.base) }
      state.arena?.unmap()
    }
  }

  /// Takes a block of at least `byteCount` bytes, of memory that was used before as far as there is enough in one piece.
  func take(byteCount: Int) -> Block {
    let size = Self.roundedSize(byteCount)
    let reused: Block? = state.withLock { state in
      if size >= MemoryArena.unit, let block = Self.takeLarge(size, &state) { return block }
      // Without wasting more than a quarter.
      let fitting = state.free.indices.filter {
        state.free[$0].byteCount >= size && state.free[$0].byteCount <= size + size / 4
      }
      guard let best = fitting.min(by: { state.free[$0].byteCount < state.free[$1].byteCount }) else { return nil }
      let block = state.free.remove(at: best)
      state.freeBytes -= block.byteCount
      return block
    }
    return reused ?? Self.allocate(size)
  }

  private static func takeLarge(_ size: Int, _ state: inout State) -> Block? {
    if state.arena == nil, state.mayHaveArena {
      state.arena = MemoryArena()
      state.mayHaveArena = state.arena != nil
    }
    return state.arena?.take(size).map { Block(base: $0, byteCount: size) }
  }

  /// Gives a block back.
  func give(_ block: Block) {
    let surplus: Block? = state.withLock { state in
      if state.arena?.contains(block.base) == true {
        state.arena?.give(block.base, block.byteCount, readyLimit: retainLimit - state.freeBytes)
        return nil
      }
      guard state.retainedBytes + block.byteCount <= retainLimit else { return block }
      state.free.append(block)
      state.freeBytes += block.byteCount
      return nil
    }
    if let surplus { free(surplus.base) }
  }

  /// Bytes of unused blocks that are kept.
  public var retainedBytes: Int { state.withLock { $0.retainedBytes } }

  static func roundedSize(_ byteCount: Int) -> Int {
    let unit = byteCount >= MemoryArena.unit ? MemoryArena.unit : cacheLine
    return max(unit, (byteCount + unit - 1) / unit * unit)
  }

  static func allocate(_ byteCount: Int) -> Block {
    var base: UnsafeMutableRawPointer?
    let isLarge = byteCount >= MemoryArena.unit
    guard posix_memalign(&base, isLarge ? MemoryArena.unit : cacheLine, byteCount) == 0, let base else {
      fatalError("out of memory: \(byteCount) bytes for an image")
    }
    if isLarge { madvise(base, byteCount, MADV_HUGEPAGE) }
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
