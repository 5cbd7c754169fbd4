import HDRMerge
import RawFiles
import TIFFTags

/// Holds arrived shots as long as they may be frames of a bracket whose others are still to come.
struct ShotAssembly {
  private struct Held {
    let shot: QueuedShot
    /// `nil` when the file does not say how it was exposed.
    let candidate: BracketGrouping.Candidate?
    let settings: ShotSettings
  }

  private let folder: FilePath
  private let grouping = BracketGrouping()
  private var held: [Held] = []
  private var lastArrival = 0.0

  init(folder: FilePath) { self.folder = folder }

  /// Whether nothing is held.
  var isEmpty: Bool { held.isEmpty }
  /// When what is held is let go of without another arrival, on the monotonic clock.
  var closing: Double? { held.isEmpty ? nil : lastArrival + grouping.largestGap }

  /// Takes a shot.
  ///
  /// - Returns: groups that are complete now: what the shot does not continue, and the shot itself when no bracket can
  ///   have it.
  mutating func add(_ shot: QueuedShot, _ settings: ShotSettings) -> [ShotGroup] {
    guard settings.mergesBrackets else { return [ShotGroup(leader: shot)] }
    let scanner = BracketScanner(raw: settings.readOptions, grouping: grouping)
    guard let candidate = scanner.candidate(folder.appending(shot.name)), grouping.canGroup(candidate) else {
      return [ShotGroup(leader: shot)]
    }
    lastArrival = Moment.now()
    held.append(Held(shot: shot, candidate: candidate, settings: settings))
    return close(all: false)
  }

  /// Lets go of everything that has waited long enough.
  mutating func due(everything: Bool = false) -> [ShotGroup] {
    guard let closing, everything || Moment.now() >= closing else { return [] }
    return close(all: true)
  }

  private mutating func close(all: Bool) -> [ShotGroup] {
    // In the order of their names, as the files of a folder are read.
    held.sort { $0.shot.name.lexicographicallyPrecedes($1.shot.name) }
    var series = grouping.series(among: held.compactMap(\.candidate))
    let open = all ? nil : series.popLast()
    var groups: [ShotGroup] = []
    for indices in series {
      let frames = indices.sorted().map { held[$0] }
      let sameSettings = Set(frames.map(\.settings)).count == 1
      if sameSettings, !grouping.brackets(among: frames.compactMap(\.candidate)).isEmpty {
        groups.append(ShotGroup(leader: frames[0].shot, followers: frames.dropFirst().map(\.shot)))
      } else {
        groups += frames.map { ShotGroup(leader: $0.shot) }
      }
    }
    held = (open ?? []).sorted().map { held[$0] }
    return groups.sorted { $0.leader.id < $1.leader.id }
  }
}
