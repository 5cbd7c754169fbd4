/// Whether the upright picture is mirrored left to right.
public enum Mirroring: String, Sendable, Hashable, Codable, CaseIterable {
  /// As the capture facts ask; without such facts, not.
  case auto
  case on, off
}
