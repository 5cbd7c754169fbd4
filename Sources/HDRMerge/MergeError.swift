public import ImageCore

/// Why frames cannot become one; one line without file names. Frames are counted from 0 in the order given.
public enum MergeError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A bracket has at least two frames.
  case tooFewFrames(found: Int)
  /// One sensor geometry: all frames have the size of the first.
  case differentSize(frame: Int, found: PixelSize, expected: PixelSize)
  /// One filter array: all frames have that of the first.
  case differentPattern(frame: Int, found: String, expected: String)
  /// One camera.
  case differentCamera(frame: Int, found: String, expected: String)
  /// The option names a frame that is not there.
  case noSuchReference(number: Int, count: Int)
  /// Nothing of the frame is above its noise and below saturation.
  case noUsableLight(frame: Int)
  /// The exposure ratio to the neighbouring exposure cannot be found from the pixels, and no facts tell it.
  case unknownRatio(frame: Int)
  /// The frame shows something else.
  case unrelated(frame: Int, correlation: Double)

  /// The frame that is to blame, when one is.
  public var frame: Int? {
    switch self {
    case .tooFewFrames, .noSuchReference: nil
    case .differentSize(let frame, _, _), .differentPattern(let frame, _, _), .differentCamera(let frame, _, _),
      .noUsableLight(let frame), .unknownRatio(let frame), .unrelated(let frame, _):
      frame
    }
  }

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .tooFewFrames(let found): "a bracket needs two frames or more, \(found) given"
    case .differentSize(_, let found, let expected):
      "is \(found) pixels, the first frame \(expected): merge frames of one size"
    case .differentPattern(_, let found, let expected):
      "has the pixel pattern \(found), the first frame \(expected): merge frames of one sensor mode"
    case .differentCamera(_, let found, let expected): "was taken by \(found), the first frame by \(expected)"
    case .noSuchReference(let number, let count): "--reference \(number) is not in 1...\(count)"
    case .noUsableLight: "is black or saturated all over: leave it out"
    case .unknownRatio:
      "shares no usable light with the next exposure and records no exposure time: its exposure cannot be told"
    case .unrelated(_, let correlation):
      "shows another scene than the reference (similarity \((correlation * 100).rounded() / 100)): leave it out, or use --align none"
    }
  }
}
