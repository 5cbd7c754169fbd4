public import CaptureModel
public import ImageCore
public import TIFFTags

/// A folder's files → pictures: shots are fused, exposure brackets merged, all others developed.
public struct ShotChain: PlacingChain {
  /// What reports call it.
  public let name = "develop"
  /// Fuses the files that stand for a shot.
  public var fuse: FuseChain
  /// What becomes of the rest.
  public var rest: BracketChain

  /// A chain of these settings; nothing is read yet.
  public init(fuse: FuseChain, rest: BracketChain) { (self.fuse, self.rest) = (fuse, rest) }

  /// What is known of the capture of all files; `nil` when nothing is.
  public var capture: CaptureDecision? {
    get { rest.capture }
    set { (rest.capture, fuse.capture) = (newValue, newValue) }
  }

  /// All frames of a shot or a bracket.
  public func sources(of input: FilePath) -> [FilePath] {
    fuse.shots[input] == nil ? rest.sources(of: input) : fuse.sources(of: input)
  }

  /// See ``FuseChain`` and ``BracketChain``.
  public func expectedMemory(of input: FilePath) -> Int {
    fuse.shots[input] == nil ? rest.expectedMemory(of: input) : fuse.expectedMemory(of: input)
  }

  /// See ``FuseChain`` and ``BracketChain``.
  public func run(_ input: FilePath, into descriptor: Int32, resources: Resources) throws(JobFailure) -> ChainResult {
    guard fuse.shots[input] != nil else { return try rest.run(input, into: descriptor, resources: resources) }
    do { return try fuse.run(input, into: descriptor, resources: resources) } catch {
      throw JobFailure(
        error.status, "\(error.message) (taken for one shot of several frames; --shots separate develops each frame)")
    }
  }
}
