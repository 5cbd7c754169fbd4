import ImageCore
import Synchronization

/// Runs cases side by side and hands results on in their order.
struct GoldenLanes: Sendable {
  /// Cases under way at once.
  let count: Int

  private struct State {
    var results: [GoldenResult?]
    var next = 0
  }

  func run(
    _ cases: [GoldenCase], _ one: @Sendable (GoldenCase) -> GoldenResult,
    finished: @Sendable (GoldenResult) -> Void
  ) -> [GoldenResult] {
    let state = Mutex(State(results: Array(repeating: nil, count: cases.count)))
    Workers(count: count).forEach(tiles: cases.count) { index in
      let result = one(cases[index])
      state.withLock { state in
        state.results[index] = result
        while state.next < state.results.count, let ready = state.results[state.next] {
          state.next += 1
          finished(ready)
        }
      }
    }
    return state.withLock { $0.results.compactMap { $0 } }
  }
}
