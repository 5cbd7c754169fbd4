import CSQLite
import TIFFTags

/// A value of a column.
enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int)
  case real(Double)
  case text(String)
  case blob([UInt8])

  var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  var text: String? { if case .text(let value) = self { value } else { nil } }
  var blob: [UInt8]? { if case .blob(let value) = self { value } else { nil } }
  var real: Double? {
    switch self {
    case .real(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }
}

/// One connection to one SQLite file. SQLite itself lets one thread in at a time (its serialised mode); what several
/// statements do together is for the caller to guard.
final class SQLiteDatabase: @unchecked Sendable {
  private let handle: OpaquePointer
  private let path: FilePath

  /// Waits for other processes' transactions up to this, milliseconds.
  private static let patience: Int32 = 10_000

  /// Opens a file, and makes it unless it is only to be read.
  ///
  /// - Throws: no input (66) when it is not there, cannot create (73) when it cannot be made, else as statements do.
  init(_ path: FilePath, readOnly: Bool = false) throws(JobFailure) {
    var opened: OpaquePointer?
    let access = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let code = path.withCString { sqlite3_open_v2($0, &opened, access | SQLITE_OPEN_FULLMUTEX, nil) }
    guard code == SQLITE_OK, let opened else {
      let text = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(opened)
      throw JobFailure(readOnly ? .noInput : .cannotCreate, "the journal \(path.string) cannot be opened: \(text)")
    }
    handle = opened
    self.path = path
    sqlite3_busy_timeout(handle, Self.patience)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs one statement.
  ///
  /// - Returns: its rows.
  /// - Throws: an I/O error (74) when the disk fails or is full, bad data (65) when the file is damaged or foreign.
  @discardableResult func run(_ sql: String, _ values: SQLValue...) throws(JobFailure) -> [[SQLValue]] {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK, let statement = prepared else {
      throw failure()
    }
    defer { sqlite3_finalize(statement) }
    for (index, value) in values.enumerated() { bind(value, to: statement, at: Int32(index + 1)) }
    var rows: [[SQLValue]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: rows.append((0..<sqlite3_column_count(statement)).map { Self.column(statement, $0) })
      case SQLITE_DONE: return rows
      default: throw failure()
      }
    }
  }

  /// Runs statements so that all of them count or none.
  func transaction<Result>(_ body: () throws(JobFailure) -> Result) throws(JobFailure) -> Result {
    try run("BEGIN IMMEDIATE")
    do throws(JobFailure) {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      _ = try? run("ROLLBACK")
      throw error
    }
  }

  /// The key of the last row that was added.
  var lastRow: Int { Int(sqlite3_last_insert_rowid(handle)) }

  /// SQLite is to copy what it is given (SQLITE_TRANSIENT, which the module map cannot express).
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  private func bind(_ value: SQLValue, to statement: OpaquePointer, at index: Int32) {
    switch value {
    case .null: sqlite3_bind_null(statement, index)
    case .integer(let value): sqlite3_bind_int64(statement, index, Int64(value))
    case .real(let value): sqlite3_bind_double(statement, index, value)
    case .text(let value): sqlite3_bind_text(statement, index, value, -1, Self.copied)
    case .blob(let value):
      _ = value.withUnsafeBytes { bytes in
        // An empty array may have no address, which would mean NULL.
        if bytes.isEmpty {
          return sqlite3_bind_zeroblob(statement, index, 0)
        } else {
          return sqlite3_bind_blob(statement, index, bytes.baseAddress, Int32(bytes.count), Self.copied)
        }
      }
    }
  }

  private static func column(_ statement: OpaquePointer, _ index: Int32) -> SQLValue {
    switch sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER: return .integer(Int(sqlite3_column_int64(statement, index)))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, index))
    case SQLITE_TEXT:
      guard let text = sqlite3_column_text(statement, index) else { return .null }
      return .text(String(cString: text))
    case SQLITE_BLOB:
      let count = Int(sqlite3_column_bytes(statement, index))
      guard count > 0, let base = sqlite3_column_blob(statement, index) else { return .blob([]) }
      return .blob([UInt8](UnsafeRawBufferPointer(start: base, count: count)))
    default: return .null
    }
  }

  private func failure() -> JobFailure {
    let code = sqlite3_errcode(handle)
    let status: ExitStatus = code == SQLITE_CORRUPT || code == SQLITE_NOTADB ? .badData : .ioError
    return JobFailure(
      status,
      "the journal \(path.string): \(String(cString: sqlite3_errmsg(handle)))"
        + (status == .badData ? "; move it away to begin anew" : ""))
  }
}
