import Glibc

/// Lets files start while their expected memory fits; one file always may.
final class MemoryGate: @unchecked Sendable {
  private var mutex = pthread_mutex_t()
  private var changed = pthread_cond_t()
  private var used = 0
  private var inside = 0
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
    pthread_mutex_init(&mutex, nil)
    pthread_cond_init(&changed, nil)
  }

  deinit {
    pthread_cond_destroy(&changed)
    pthread_mutex_destroy(&mutex)
  }

  func enter(_ amount: Int) {
    pthread_mutex_lock(&mutex)
    while inside > 0 && used + amount > limit { pthread_cond_wait(&changed, &mutex) }
    used += amount
    inside += 1
    pthread_mutex_unlock(&mutex)
  }

  func leave(_ amount: Int) {
    pthread_mutex_lock(&mutex)
    used -= amount
    inside -= 1
    pthread_cond_broadcast(&changed)
    pthread_mutex_unlock(&mutex)
  }
}
