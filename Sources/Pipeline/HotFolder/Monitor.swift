import Glibc

/// A lock with a condition to wait for, on the clock that nobody sets.
final class Monitor: @unchecked Sendable {
  private var mutex = pthread_mutex_t()
  private var changed = pthread_cond_t()

  init() {
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_mutex_init(&mutex, nil)
    pthread_cond_init(&changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(&changed)
    pthread_mutex_destroy(&mutex)
  }

  func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    pthread_mutex_lock(&mutex)
    defer { pthread_mutex_unlock(&mutex) }
    return try body()
  }

  /// Lets others in until something changes, or for so many seconds. Call inside ``withLock(_:)``.
  func wait(seconds: Double? = nil) {
    guard let seconds else {
      pthread_cond_wait(&changed, &mutex)
      return
    }
    let end = Moment.now() + max(0, seconds)
    var time = timespec()
    time.tv_sec = Int(end)
    time.tv_nsec = Int((end - Double(Int(end))) * 1e9)
    pthread_cond_timedwait(&changed, &mutex, &time)
  }

  /// Wakes all who wait. Call inside ``withLock(_:)``.
  func broadcast() { pthread_cond_broadcast(&changed) }
}

/// Clocks, in seconds.
enum Moment {
  /// Since some fixed moment; nobody sets this clock.
  static func now() -> Double { read(CLOCK_MONOTONIC) }
  /// Since 1970; this clock can be set.
  static func wall() -> Double { read(CLOCK_REALTIME) }
  /// CPU time of the calling thread.
  static func ownCPU() -> Double { read(CLOCK_THREAD_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

/// A thread of the system that runs one closure. Not one of Dispatch's, which never run more side by side than there
/// are cores, so that some that wait for each other would wait for ever.
final class Lane: @unchecked Sendable {
  private var thread = pthread_t()

  /// What a thread is handed when it starts.
  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// - Parameter niceness: 0 is usual, 19 the least urgent; of this thread alone.
  init(niceness: Int32 = 0, _ body: @escaping @Sendable () -> Void) {
    let work = Work {
      if niceness > 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
      body()
    }
    let handed = Unmanaged.passRetained(work).toOpaque()
    let failure = pthread_create(
      &thread, nil,
      { handed in
        guard let handed else { return nil }
        Unmanaged<Work>.fromOpaque(handed).takeRetainedValue().body()
        return nil
      }, handed)
    guard failure == 0 else { fatalError("out of threads: \(String(cString: strerror(failure)))") }
  }

  /// Waits until the closure has returned.
  func join() { pthread_join(thread, nil) }
}
