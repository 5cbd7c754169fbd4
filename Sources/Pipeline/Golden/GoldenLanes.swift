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

  /// - Parameter body: what is done for a case, with its share of the threads; what it throws fails the case.
  func run(
    _ cases: [GoldenCase], by production: GoldenProduction, finished: @Sendable (GoldenResult) -> Void,
    _ body: @Sendable (GoldenCase, GoldenProduction, inout GoldenResult) throws(JobFailure) -> Void
  ) -> [GoldenResult] {
    var production = production
    // Threads that no case is left for go to the cases there are; results do not depend on them.
    production.threads = max(1, count / max(1, cases.count))
    let shared = production
    let state = Mutex(State(results: Array(repeating: nil, count: cases.count)))
    Workers(count: count).forEach(tiles: cases.count) { index in
      let result = Self.timed(cases[index], shared, body)
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

  private static func timed(
    _ item: GoldenCase, _ production: GoldenProduction,
    _ body: @Sendable (GoldenCase, GoldenProduction, inout GoldenResult) throws(JobFailure) -> Void
  ) -> GoldenResult {
    let started = StageClock.now()
    var result = GoldenResult(item, golden: production.suite.golden(of: item))
    do throws(JobFailure) { try body(item, production, &result) } catch {
      result.verdict = .failed
      result.reasons.append(error.message)
    }
    result.seconds = StageClock.now() - started
    return result
  }
}
