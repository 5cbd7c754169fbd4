import CaptureModel
public import TIFFTags

/// The queue of a hot folder: one SQLite file beside the output.
///
/// Every step is on the disk before the next one is begun (write-ahead log, `synchronous = FULL`), so that kill -9 and
/// power loss lose nothing. What a stage is about to deliver is noted with its digest before the file gets its name: after
/// a crash in between, the digest tells whether the file was delivered, so nothing is done twice either.
public final class Journal: Sendable {
  let database: SQLiteDatabase
  /// What several statements do together happens inside.
  let monitor = Monitor()

  /// Tells our files from other programs' databases: “DUOQ”.
  private static let applicationID = 0x4455_4F51
  private static let version = 1
  /// Bytes set aside at the start, so that a full disk can still be noted.
  private static let ballast = 512 << 10
  /// Pages of the log after which it is written back and begun anew: less than the ballast holds.
  private static let checkpoint = 64

  private static let tables = """
    CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value);
    CREATE TABLE IF NOT EXISTS settings (id INTEGER PRIMARY KEY, json TEXT NOT NULL UNIQUE);
    CREATE TABLE IF NOT EXISTS shots (
      id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, size INTEGER NOT NULL, modified INTEGER NOT NULL,
      settings INTEGER NOT NULL, rapid INTEGER NOT NULL, output BLOB NOT NULL, arrived REAL NOT NULL,
      state TEXT NOT NULL, leader INTEGER, digest TEXT, announced TEXT, pending TEXT, code INTEGER, message TEXT);
    CREATE INDEX IF NOT EXISTS shots_by_state ON shots (state);
    CREATE TABLE IF NOT EXISTS runs (
      id INTEGER PRIMARY KEY, size TEXT NOT NULL, prioritization TEXT NOT NULL, stage TEXT NOT NULL,
      seconds REAL NOT NULL);
    """

  /// Opens the journal of an output folder and makes it when there is none.
  ///
  /// - Throws: cannot create (73), an I/O error (74), or bad data (65) when the file is damaged or another program's.
  init(writing output: FilePath) throws(JobFailure) {
    database = try SQLiteDatabase(HotFolderPlaces.journal(in: output))
    let found = try database.run("PRAGMA application_id")[0][0].integer ?? 0
    let tables = try database.run("SELECT count(*) FROM sqlite_master")[0][0].integer ?? 0
    try Self.check(found, isEmpty: tables == 0, database: database, output: output)
    try database.run("PRAGMA journal_mode = WAL")
    try database.run("PRAGMA synchronous = FULL")
    try database.run("PRAGMA wal_autocheckpoint = \(Self.checkpoint)")
    try database.run("PRAGMA application_id = \(Self.applicationID)")
    try database.run("PRAGMA user_version = \(Self.version)")
    for statement in Self.tables.split(separator: ";") where statement.contains("CREATE") {
      try database.run(String(statement))
    }
    let value = SQLValue.blob([UInt8](repeating: 0, count: Self.ballast))
    try database.run("INSERT OR REPLACE INTO meta VALUES ('ballast', ?)", value)
    try database.run("DELETE FROM meta WHERE key = 'ballast'")
    try database.run("PRAGMA wal_checkpoint(RESTART)")
  }

  /// Opens the journal of an output folder to look something up.
  ///
  /// - Throws: no input (66) when there is none, else as the other way of opening.
  public init(reading output: FilePath) throws(JobFailure) {
    let path = HotFolderPlaces.journal(in: output)
    guard path.exists else {
      throw JobFailure(.noInput, "\(output.string) has no journal: give the output folder of a watch")
    }
    // Not read-only: a log that a crash left must be played back first.
    database = try SQLiteDatabase(path)
    let found = try database.run("PRAGMA application_id")[0][0].integer ?? 0
    try Self.check(found, isEmpty: false, database: database, output: output)
  }

  private static func check(
    _ found: Int, isEmpty: Bool, database: SQLiteDatabase, output: FilePath
  ) throws(JobFailure) {
    if isEmpty && found == 0 { return }
    guard found == applicationID else {
      throw JobFailure(.badData, "\(HotFolderPlaces.journal(in: output).string) is no journal of watch; move it away")
    }
    let version = try database.run("PRAGMA user_version")[0][0].integer ?? 0
    guard version == Self.version else {
      throw JobFailure(
        .badData,
        "\(HotFolderPlaces.journal(in: output).string) is a journal of version \(version), "
          + "this program writes \(Self.version); finish it with the program that began it, or move it away")
    }
  }

  // MARK: settings

  /// The key of settings; they are added when they are new.
  func key(of settings: ShotSettings) throws(JobFailure) -> Int {
    let text = settings.json.line
    return try monitor.withLock { () throws(JobFailure) in
      try database.run("INSERT OR IGNORE INTO settings (json) VALUES (?)", .text(text))
      return try database.run("SELECT id FROM settings WHERE json = ?", .text(text))[0][0].integer ?? 0
    }
  }

  /// The settings of a key.
  func settings(_ key: Int) throws(JobFailure) -> ShotSettings {
    let rows = try database.run("SELECT json FROM settings WHERE id = ?", .integer(key))
    guard let text = rows.first?[0].text, let json = JSONValue(parsing: Array(text.utf8)) else {
      throw JobFailure(.badData, "the journal has no settings \(key): it is damaged")
    }
    return try ShotSettings(json: json)
  }

  // MARK: facts about the folder

  func note(_ key: String, _ value: SQLValue) throws(JobFailure) {
    try database.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", .text(key), value)
  }

  func noted(_ key: String) throws(JobFailure) -> SQLValue {
    try database.run("SELECT value FROM meta WHERE key = ?", .text(key)).first?[0] ?? .null
  }
}
