internal import CJXL
internal import ImageCore
internal import Synchronization

/// Lends ``Workers`` to libjxl.
final class WorkersRunner {
  private let workers: Workers

  init(_ workers: Workers) { self.workers = workers }

  /// Calls `body` with what libjxl's functions take; the runner lives until it returns.
  func lend<Result>(_ body: (cjxl_runner?, UnsafeMutableRawPointer?) -> Result) -> Result {
    withExtendedLifetime(self) { body(Self.run, Unmanaged.passUnretained(self).toOpaque()) }
  }

  private static let run: cjxl_runner = { runner, context, begin, body, first, end in
    guard let runner, let begin, let body else { return -1 }
    let workers = Unmanaged<WorkersRunner>.fromOpaque(runner).takeUnretainedValue().workers
    let status = begin(context, workers.count)
    guard status == 0, end > first else { return status }
    // libjxl's own contract: its function may run on any thread that has a number of its own.
    nonisolated(unsafe) let (shared, function) = (context, body)
    let numbers = Atomic<Int>(0)
    workers.forEach(
      tiles: Int(end - first), scratch: { numbers.wrappingAdd(1, ordering: .relaxed).oldValue },
      { index, thread in function(shared, first + UInt32(index), thread) })
    return 0
  }
}
