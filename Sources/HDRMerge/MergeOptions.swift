/// What merging may be told; saved beside each result.
public struct MergeOptions: Sendable, Hashable, Codable {
  /// How frames are brought into register with the reference.
  public enum Alignment: String, Sendable, Hashable, Codable, CaseIterable {
    /// Shift, rotation and scale of the whole frame, then small local shifts.
    case auto
    /// Shift, rotation and scale of the whole frame.
    case global
    /// Frames are taken as they lie.
    case none
  }

  /// What happens where a frame disagrees with the reference.
  public enum Deghosting: String, Sendable, Hashable, Codable, CaseIterable {
    /// The frame counts the less the more it disagrees.
    case auto
    /// Nothing: for scenes that are known not to move.
    case none
  }

  /// How frames of one exposure are averaged.
  public enum Averaging: String, Sendable, Hashable, Codable, CaseIterable {
    /// By the frequencies of overlapping blocks, before they meet other exposures.
    case blocks
    /// By the motion test alone, as frames of different exposures are.
    case samples
  }

  /// How the frames' values came to be.
  public enum Response: String, Sendable, Hashable, Codable, CaseIterable {
    /// In proportion to light, as sensors and linear DNG have it.
    case linear
    /// Finished pictures whose curve was undone as far as it is known.
    case rendered
  }

  /// How frames are brought into register.
  public var alignment = Alignment.auto
  /// What happens to things that moved.
  public var deghosting = Deghosting.auto
  /// How frames of one exposure are averaged.
  public var averaging = Averaging.blocks
  /// The frame whose moment and place the result shows, counted from 0 in the order given; `nil` chooses.
  public var reference: Int?
  /// How the frames' values came to be; decides how much they may differ without anything having moved.
  public var response = Response.linear
  /// Whether a map of what was left out is made.
  public var wantsGhostMap = false

  /// The standard options.
  public init() {}
}
