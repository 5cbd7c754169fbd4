import FoundationEssentials

/// One line of a journal.
enum JournalEvent: Sendable {
  /// A run began: with these settings outputs are made from here on.
  case run(JournalRun)
  /// An output is complete and about to get its name.
  case output(JournalOutput)
}

/// What the outputs of a run depend on besides their inputs.
struct JournalRun: Codable, Sendable, Hashable {
  /// Of the journal's lines.
  var format = JournalEvent.format
  /// Digest of ``settings``.
  var digest: String
  /// Everything that was asked for.
  var settings: JSONValue
}

/// An output and what it was made from.
struct JournalOutput: Codable, Sendable, Hashable {
  /// Below the journal's folder, or from the root; ``FilePath/journalText``.
  var output: String
  /// ``JournalRun/digest`` of the run.
  var settings: String
  /// The files that were read, sidecars that were looked for included.
  var sources: [FileStamp]
  /// The output itself.
  var result: FileStamp
  /// What had its name until then.
  var replaces: FileStamp?
}

/// A line is a JSON object whose last member, `check`, is the beginning of the SHA-256 of the object without it.
extension JournalEvent {
  /// Changes when lines change their meaning.
  static let format = 1
  private static let checkDigits = 16
  private static let checkKey = ",\"check\":\""

  private struct Line: Codable {
    var run: JournalRun?
    var output: JournalOutput?
  }

  /// The event as a line, with its line break.
  var line: [UInt8] {
    let line: Line
    switch self {
    case .run(let run): line = Line(run: run, output: nil)
    case .output(let output): line = Line(run: nil, output: output)
    }
    let body = Self.json(line)
    return body.dropLast() + Array((Self.checkKey + Self.check(body) + "\"}\n").utf8)
  }

  /// An event from a line without its line break; `nil` when the line is not one, or its check is wrong.
  init?(line: some Collection<UInt8>) {
    let tail = Self.checkKey.utf8.count + Self.checkDigits + 2
    guard line.count > tail else { return nil }
    let body = Array(line.dropLast(tail)) + [UInt8(ascii: "}")]
    let end = Array((Self.checkKey + Self.check(body) + "\"}").utf8)
    guard line.suffix(tail).elementsEqual(end), let read = try? JSONDecoder().decode(Line.self, from: Data(body))
    else { return nil }
    if let run = read.run {
      self = .run(run)
    } else if let output = read.output {
      self = .output(output)
    } else {
      return nil
    }
  }

  /// The same bytes for the same value.
  static func json(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map(Array.init) ?? Array("{}".utf8)
  }

  private static func check(_ body: [UInt8]) -> String { String(FileDigest.sha256(of: body).prefix(checkDigits)) }
}
