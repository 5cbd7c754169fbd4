extension BracketGrouping {
  /// Whether a capture says enough to be a frame of a bracket.
  public func canGroup(_ candidate: Candidate) -> Bool {
    Self.second(candidate.facts) != nil && exposure(candidate) != nil
  }

  /// Runs of captures that continue each other, in order of time: each is a bracket, or its captures stand alone. Only
  /// the last one can be continued by a later capture, so that all others are complete when captures come one by one.
  ///
  /// - Parameter candidates: each of which ``canGroup(_:)``.
  /// - Returns: indices into `candidates`.
  public func series(among candidates: [Candidate]) -> [[Int]] {
    let ordered = candidates.indices.filter { canGroup(candidates[$0]) }.sorted { a, b in
      (Self.second(candidates[a].facts) ?? 0, a) < (Self.second(candidates[b].facts) ?? 0, b)
    }
    var series: [[Int]] = []
    for index in ordered {
      if let last = series.last, continues(last.map { candidates[$0] }, candidates[index]) {
        series[series.count - 1].append(index)
      } else {
        series.append([index])
      }
    }
    return series
  }
}
