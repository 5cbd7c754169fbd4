import Dispatch
import Synchronization

/// How many threads a stage may use. Passed in by the caller; serial unless told otherwise.
///
/// Work is cut into tiles by the image size alone, never by the number of threads, and each tile writes only what is
/// its own: results are the same for any count.
public struct Workers: Sendable, Hashable {
  /// Threads used at most, at least 1.
  public let count: Int

  /// One thread: the caller's own.
  public static let serial = Workers(count: 1)

  /// - Parameter count: at least 1.
  public init(count: Int) {
    self.count = max(1, count)
  }

  /// Runs `body` once for each tile index `0 ..< tileCount`, in any order, and returns when all are done.
  public func forEach(tiles tileCount: Int, _ body: @Sendable (Int) -> Void) {
    forEach(tiles: tileCount, scratch: { () }, { index, _ in body(index) })
  }

  /// The same with one scratch value for each thread, made on that thread, for buffers that tiles reuse.
  public func forEach<Scratch>(
    tiles tileCount: Int, scratch: @Sendable () -> Scratch, _ body: @Sendable (Int, inout Scratch) -> Void
  ) {
    let threads = min(count, tileCount)
    if threads <= 1 {
      var own = scratch()
      for index in 0..<max(0, tileCount) { body(index, &own) }
      return
    }
    let next = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      var own = scratch()
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        if index >= tileCount { return }
        body(index, &own)
      }
    }
  }

  /// Runs `body` for bands of `rowsPerBand` rows (the last may be shorter) that together cover `0 ..< height`.
  public func forEachBand(of height: Int, rowsPerBand: Int, _ body: @Sendable (Range<Int>) -> Void) {
    precondition(rowsPerBand > 0, "a band has at least one row")
    forEach(tiles: (height + rowsPerBand - 1) / rowsPerBand) { index in
      body(index * rowsPerBand..<min(height, (index + 1) * rowsPerBand))
    }
  }
}

/// What a stage may use: threads and pooled memory. Values, so that a caller can lend a part of what it has.
public struct Resources: Sendable {
  /// Threads the stage may use.
  public var workers: Workers
  /// Where buffers come from and go back to; `nil` asks the system each time.
  public var pool: MemoryPool?

  /// One thread and no pool unless told otherwise.
  public init(workers: Workers = .serial, pool: MemoryPool? = nil) {
    self.workers = workers
    self.pool = pool
  }
}
