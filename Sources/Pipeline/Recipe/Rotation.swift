/// How a picture is turned.
public enum Rotation: Sendable, Hashable {
  /// Pixels are laid upright; the orientation tag becomes 1.
  case apply
  /// Pixels stay as stored; the tag is kept.
  case keep
  /// Stored pixels are turned clockwise by quarter turns, whatever the tag says; the tag becomes 1.
  case quarterTurns(Int)

  /// `apply`, `keep`, `0`, `90`, `180`, `270`.
  public init?(_ text: String) {
    switch text {
    case "apply": self = .apply
    case "keep": self = .keep
    case "0": self = .quarterTurns(0)
    case "90": self = .quarterTurns(1)
    case "180": self = .quarterTurns(2)
    case "270": self = .quarterTurns(3)
    default: return nil
    }
  }

  /// As it is written on the command line.
  public var name: String {
    switch self {
    case .apply: "apply"
    case .keep: "keep"
    case .quarterTurns(let turns): "\(turns * 90)"
    }
  }
}
