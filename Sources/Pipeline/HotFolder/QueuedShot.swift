import TIFFTags

/// One arrived file, as the journal knows it.
struct QueuedShot: Sendable, Hashable {
  /// How far it has come.
  enum State: String, Sendable {
    /// Nothing was delivered yet.
    case waiting
    /// Its proxy was delivered; the final is still to be made.
    case proxied
    /// A frame of a bracket that another shot stands for.
    case joined
    case done
    /// Its output was there already and is left.
    case skipped
    case failed
  }

  /// What is being delivered.
  enum Stage: String, Sendable, Encodable {
    /// A finished picture at once.
    case photo
    /// A light picture at once.
    case proxy
    /// The finished picture of a shot that was delivered as a proxy.
    case final
  }

  /// Counts arrivals from 1.
  let id: Int
  /// The file's name in the watched folder.
  let name: [UInt8]
  /// What the file was when it arrived.
  let file: FileState
  /// The settings it arrived under: a key of the journal.
  let settings: Int
  /// Whether it belongs to a rapid series, so that fast-capture prioritization lowers its quality.
  let isRapid: Bool
  /// The finished picture's name in the output folder.
  let output: [UInt8]
  /// When it was complete, seconds since 1970.
  let arrived: Double
  var state = State.waiting
  /// The shot that stands for its bracket.
  var leader: Int?
  /// SHA-256 of the finished picture that was delivered.
  var digest: String?
  /// SHA-256 of what was last announced.
  var announced: String?
  /// What was announced and not yet noted as delivered; `nil` when nothing was.
  var pending: Stage?

  /// The proxy's name: never that of another shot's.
  var proxyName: [UInt8] {
    let suffix = Array(".jpg".utf8)
    return output.suffix(suffix.count) == suffix[...] ? output : output + suffix
  }
}

/// The files that become one picture: a shot, or the frames of a bracket in the order of their names.
struct ShotGroup: Sendable, Hashable {
  /// The first, by whose name the picture goes.
  let leader: QueuedShot
  /// The others.
  var followers: [QueuedShot] = []

  /// All of them, in order.
  var shots: [QueuedShot] { [leader] + followers }
}

/// The places of a hot folder.
struct HotFolderPlaces: Sendable, Hashable {
  /// Where files arrive.
  let input: FilePath
  /// Where pictures are put.
  let output: FilePath

  func source(of shot: QueuedShot) -> FilePath { input.appending(shot.name) }
  func picture(of shot: QueuedShot) -> FilePath { output.appending(shot.output) }
  /// Where proxies wait for their finals.
  var proxies: FilePath { output.appending(Array("proxies".utf8)) }
  func proxy(of shot: QueuedShot) -> FilePath { proxies.appending(shot.proxyName) }
  /// The queue's file: hidden, so that nobody takes it for a picture.
  var journal: FilePath { Self.journal(in: output) }
  static func journal(in output: FilePath) -> FilePath {
    output.appending(Array(".duo-process.sqlite".utf8))
  }
}
