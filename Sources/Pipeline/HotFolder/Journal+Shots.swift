import TIFFTags

extension Journal {
  private static let columns =
    "id, name, size, modified, settings, rapid, output, arrived, state, leader, digest, announced, pending"

  private static func shot(_ row: [SQLValue]) -> QueuedShot {
    var shot = QueuedShot(
      id: row[0].integer ?? 0, name: row[1].blob ?? [],
      file: FileState(size: row[2].integer ?? 0, modified: row[3].integer ?? 0), settings: row[4].integer ?? 0,
      isRapid: row[5].integer == 1, output: row[6].blob ?? [], arrived: row[7].real ?? 0)
    shot.state = row[8].text.flatMap(QueuedShot.State.init) ?? .failed
    shot.leader = row[9].integer
    shot.digest = row[10].text
    shot.announced = row[11].text
    shot.pending = row[12].text.flatMap(QueuedShot.Stage.init)
    return shot
  }

  /// The shot of a file name; `nil` when there was none.
  func shot(named name: [UInt8]) throws(JobFailure) -> QueuedShot? {
    try database.run("SELECT \(Self.columns) FROM shots WHERE name = ?", .blob(name)).first.map(Self.shot)
  }

  /// All shots in one of these states, in order of arrival.
  func shots(_ states: QueuedShot.State...) throws(JobFailure) -> [QueuedShot] {
    let list = states.map { "'\($0.rawValue)'" }.joined(separator: ",")
    return try database.run("SELECT \(Self.columns) FROM shots WHERE state IN (\(list)) ORDER BY id").map(Self.shot)
  }

  /// The name of every shot's picture, in order of arrival.
  func outputs() throws(JobFailure) -> [(id: Int, output: [UInt8])] {
    try database.run("SELECT id, output FROM shots ORDER BY id").map { ($0[0].integer ?? 0, $0[1].blob ?? []) }
  }

  /// How many shots are in each state.
  func counts() throws(JobFailure) -> [QueuedShot.State: Int] {
    var result: [QueuedShot.State: Int] = [:]
    for row in try database.run("SELECT state, count(*) FROM shots GROUP BY state") {
      if let state = row[0].text.flatMap(QueuedShot.State.init) { result[state] = row[1].integer ?? 0 }
    }
    return result
  }

  /// What is noted of an arriving file.
  struct Arrival {
    var name: [UInt8]
    var file: FileState
    var settings: Int
    var isRapid: Bool
    var arrived: Double
  }

  /// Notes an arrival.
  ///
  /// - Parameter output: the picture's name, by the number that a new shot gets.
  /// - Returns: `nil` when just this file is known already; else the shot: a new one, or the old one begun anew because
  ///   another file took its name.
  func arrive(
    _ arrival: Arrival, output: (Int) throws(JobFailure) -> [UInt8]
  ) throws(JobFailure) -> QueuedShot? {
    try monitor.withLock { () throws(JobFailure) -> QueuedShot? in
      if let known = try shot(named: arrival.name) {
        guard known.file != arrival.file else { return nil }
        try database.run(
          """
          UPDATE shots SET size = ?, modified = ?, settings = ?, rapid = ?, arrived = ?, state = 'waiting',
            leader = NULL, pending = NULL, code = NULL, message = NULL WHERE id = ?
          """, .integer(arrival.file.size), .integer(arrival.file.modified), .integer(arrival.settings),
          .integer(arrival.isRapid ? 1 : 0), .real(arrival.arrived), .integer(known.id))
        return try shot(named: arrival.name)
      }
      let next = (try database.run("SELECT max(id) FROM shots")[0][0].integer ?? 0) + 1
      try database.run(
        """
        INSERT INTO shots (id, name, size, modified, settings, rapid, output, arrived, state)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting')
        """, .integer(next), .blob(arrival.name), .integer(arrival.file.size), .integer(arrival.file.modified),
        .integer(arrival.settings), .integer(arrival.isRapid ? 1 : 0), .blob(try output(next)),
        .real(arrival.arrived))
      return try shot(named: arrival.name)
    }
  }

  /// Notes that a picture with this digest is about to get its name.
  func announce(_ stage: QueuedShot.Stage, of shot: QueuedShot, digest: String) throws(JobFailure) {
    try database.run(
      "UPDATE shots SET pending = ?, announced = ? WHERE id = ?", .text(stage.rawValue), .text(digest),
      .integer(shot.id))
  }

  /// Notes how far a shot has come. A file that was replaced meanwhile keeps waiting.
  func settle(_ shot: QueuedShot, as state: QueuedShot.State) throws(JobFailure) {
    try database.run(
      """
      UPDATE shots SET state = ?1, pending = NULL, code = NULL, message = NULL,
        digest = CASE WHEN ?1 = 'done' THEN announced ELSE digest END
        WHERE id = ?2 AND size = ?3 AND modified = ?4
      """, .text(state.rawValue), .integer(shot.id), .integer(shot.file.size), .integer(shot.file.modified))
  }

  /// Notes why a shot became no picture.
  func fail(_ shot: QueuedShot, _ failure: JobFailure) throws(JobFailure) {
    try database.run(
      """
      UPDATE shots SET state = 'failed', pending = NULL, code = ?, message = ?
        WHERE id = ? AND size = ? AND modified = ?
      """, .integer(Int(failure.status.rawValue)), .text(failure.message), .integer(shot.id),
      .integer(shot.file.size), .integer(shot.file.modified))
  }

  /// Notes that shots are the frames of one bracket.
  func join(_ group: ShotGroup) throws(JobFailure) {
    try monitor.withLock { () throws(JobFailure) in
      try database.transaction { () throws(JobFailure) in
        for follower in group.followers {
          try database.run(
            "UPDATE shots SET state = 'joined', leader = ? WHERE id = ?", .integer(group.leader.id),
            .integer(follower.id))
        }
      }
    }
  }

  /// Lets failed shots wait again.
  ///
  /// - Parameter all: else only those whose failure may be over by now: those of writing.
  func retry(all: Bool) throws(JobFailure) {
    let passing = [ExitStatus.ioError, .cannotCreate].map { "\($0.rawValue)" }.joined(separator: ",")
    try database.run(
      "UPDATE shots SET state = 'waiting' WHERE state = 'failed'" + (all ? "" : " AND code IN (\(passing))"))
  }

  /// The exit codes of failed shots.
  func failures() throws(JobFailure) -> [ExitStatus] {
    try database.run("SELECT code FROM shots WHERE state = 'failed'").compactMap { row in
      row[0].integer.flatMap { ExitStatus(rawValue: Int32($0)) }
    }
  }
}
