import Glibc

/// A stretch of address space in which blocks of memory lie side by side: what several of them leave serves a larger
/// one, and what a larger one leaves serves several.
///
/// Pages that were touched before are given out first, from the smallest free span that is large enough.
struct MemoryArena {
  /// Addresses that no block has.
  private struct Span {
    var start: Int
    var end: Int
    /// Whether its pages were touched and are still there.
    var isReady: Bool
    var byteCount: Int { end - start }
  }

  /// All sizes and offsets are multiples of this: a huge page of x86-64 and arm64 Linux, bytes.
  static let unit = 2 << 20
  /// Addresses that are kept for an arena, bytes. They cost nothing until they are used.
  private static let capacity = 1 << 36

  private let mapping: UnsafeMutableRawPointer
  private let base: UnsafeMutableRawPointer
  /// Offset below which memory may be used.
  private var top = 0
  /// By their starts.
  private var free: [Span] = []
  /// Bytes of free spans that are ready.
  private(set) var readyBytes = 0

  /// `nil` when the system allows no so large stretch (ulimit -v).
  init?() {
    guard
      let address = mmap(
        nil, Self.capacity + Self.unit, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
      address != MAP_FAILED
    else { return nil }
    mapping = address
    base = UnsafeMutableRawPointer(
      bitPattern: (UInt(bitPattern: address) + UInt(Self.unit) - 1) & ~UInt(Self.unit - 1))!
  }

  /// Gives the addresses up; no block may be in use.
  func unmap() { munmap(mapping, Self.capacity + Self.unit) }

  func contains(_ block: UnsafeMutableRawPointer) -> Bool { block >= base && block < base + Self.capacity }

  /// - Parameter byteCount: a multiple of ``unit``.
  /// - Returns: memory of any contents, aligned to ``unit``; `nil` when there is none.
  mutating func take(_ byteCount: Int) -> UnsafeMutableRawPointer? {
    if let index = fitting(byteCount, isReady: true) ?? lastBeforeTop(growing: byteCount)
      ?? fitting(byteCount, isReady: false)
    {
      return use(index, byteCount)
    }
    guard commit(byteCount) else { return nil }
    defer { top += byteCount }
    return base + top
  }

  /// - Parameters:
  ///   - readyLimit: ready bytes beyond which the block's pages go back to the system.
  mutating func give(_ block: UnsafeMutableRawPointer, _ byteCount: Int, readyLimit: Int) {
    let start = block - base
    let isReady = readyBytes + byteCount <= readyLimit
    if isReady { readyBytes += byteCount } else { madvise(block, byteCount, MADV_DONTNEED) }
    var span = Span(start: start, end: start + byteCount, isReady: isReady)
    var index = free.firstIndex { $0.start > start } ?? free.endIndex
    if index < free.endIndex, free[index].start == span.end, free[index].isReady == isReady {
      span.end = free.remove(at: index).end
    }
    if index > 0, free[index - 1].end == start, free[index - 1].isReady == isReady {
      index -= 1
      span.start = free.remove(at: index).start
    }
    free.insert(span, at: index)
  }

  private func fitting(_ byteCount: Int, isReady: Bool) -> Int? {
    free.indices.filter { free[$0].isReady == isReady && free[$0].byteCount >= byteCount }
      .min { free[$0].byteCount < free[$1].byteCount }
  }

  /// The ready span that ends where memory ends, made large enough.
  private mutating func lastBeforeTop(growing byteCount: Int) -> Int? {
    guard let last = free.last, last.isReady, last.end == top, commit(byteCount - last.byteCount) else { return nil }
    let missing = byteCount - last.byteCount
    readyBytes += missing
    top += missing
    free[free.count - 1].end = top
    return free.count - 1
  }

  private mutating func use(_ index: Int, _ byteCount: Int) -> UnsafeMutableRawPointer {
    let span = free[index]
    if span.isReady { readyBytes -= byteCount }
    if span.byteCount == byteCount { free.remove(at: index) } else { free[index].start += byteCount }
    return base + span.start
  }

  /// Allows the use of so many bytes more.
  private func commit(_ byteCount: Int) -> Bool {
    guard top + byteCount <= Self.capacity, mprotect(base + top, byteCount, PROT_READ | PROT_WRITE) == 0 else {
      return false
    }
    madvise(base + top, byteCount, MADV_HUGEPAGE)
    return true
  }
}
