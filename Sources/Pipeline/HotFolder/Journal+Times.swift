public import CaptureModel

extension Journal {
  /// Runs of each kind that are kept.
  private static let kept = ProcessingTimes.memory

  /// Takes note of how long a stage took.
  func record(_ stage: QueuedShot.Stage, _ key: ProcessingTimes.Key, seconds: Double) throws(JobFailure) {
    let values: [SQLValue] = [.text(key.size.rawValue), .text(key.prioritization.rawValue), .text(stage.rawValue)]
    try database.run(
      "INSERT INTO runs (size, prioritization, stage, seconds) VALUES (?, ?, ?, ?)", values[0], values[1], values[2],
      .real(seconds))
    try database.run(
      """
      DELETE FROM runs WHERE size = ?1 AND prioritization = ?2 AND stage = ?3 AND id NOT IN (
        SELECT id FROM runs WHERE size = ?1 AND prioritization = ?2 AND stage = ?3 ORDER BY id DESC LIMIT \(Self.kept))
      """, values[0], values[1], values[2])
  }

  /// What past finished pictures took; proxies are not among them. Finals are read in that time, others before it.
  public func processingTimes() throws(JobFailure) -> ProcessingTimes {
    try times(of: "stage <> 'proxy'")
  }

  /// What past proxies took.
  func proxyTimes() throws(JobFailure) -> ProcessingTimes { try times(of: "stage = 'proxy'") }

  private func times(of condition: String) throws(JobFailure) -> ProcessingTimes {
    var times = ProcessingTimes()
    let rows = try database.run("SELECT size, prioritization, seconds FROM runs WHERE \(condition) ORDER BY id")
    for row in rows {
      guard let size = row[0].text.flatMap(PhotoSize.init(named:)), let seconds = row[2].real,
        let prioritization = row[1].text.flatMap(PhotoQualityPrioritization.init)
      else { continue }
      times.record(seconds: seconds, for: ProcessingTimes.Key(size: size, prioritization: prioritization))
    }
    return times
  }
}
