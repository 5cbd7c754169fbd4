public import CaptureModel
public import ImageCore
import RawFiles
public import TIFFTags

/// A chain that lays pixels and can be told how they were captured.
public protocol PlacingChain: FileChain {
  /// What is known of the capture; `nil` when nothing is.
  var capture: CaptureDecision? { get set }
}

extension TransformChain: PlacingChain {}

extension DevelopChain: PlacingChain {
  /// What is known of the capture; `nil` when nothing is.
  public var capture: CaptureDecision? {
    get { geometry.capture }
    set { geometry.capture = newValue }
  }
}

extension BracketChain: PlacingChain {
  /// What is known of the capture of single files and of brackets alike; `nil` when nothing is.
  public var capture: CaptureDecision? {
    get { merge.develop.capture }
    set { merge.develop.capture = newValue }
  }
}

/// A chain that finds out for each file how it was captured: from facts that hold for all, and from its sidecar.
public struct SituatedChain<Base: PlacingChain>: FileChain {
  private let base: Base
  private let facts: KnownSituation

  /// - Throws: usage (64) when the facts alone break a rule, so that nothing is begun then.
  public init(_ base: Base, facts: KnownSituation) throws(JobFailure) {
    self.base = base
    self.facts = facts
    // Without a camera, sidecars may still name it.
    if facts.camera != nil { _ = try Self.decision(facts) }
    if let view = facts.view, let posture = facts.posture {
      do { try posture.check(viewOn: view) } catch { throw JobFailure(error) }
    }
  }

  /// What reports call it.
  public var name: String { base.name }

  /// What the chain itself reads, and the sidecar.
  public func sources(of input: FilePath) -> [FilePath] {
    base.sources(of: input) + [KnownSituation.sidecar(of: input)]
  }

  /// As the chain itself expects.
  public func expectedMemory(of input: FilePath) -> Int { base.expectedMemory(of: input) }

  /// Runs the chain with what is known of this file.
  ///
  /// - Throws: usage (64) when facts and sidecar break a rule, else what the chain throws.
  public func run(_ input: FilePath, into descriptor: Int32, resources: Resources) throws(JobFailure) -> ChainResult {
    try situated(for: input).run(input, into: descriptor, resources: resources)
  }

  /// The chain with what is known of one file.
  func situated(for input: FilePath) throws(JobFailure) -> Base {
    var chain = base
    var known = facts.over(try KnownSituation(sidecarOf: input))
    if known.camera == nil && known != KnownSituation() { known.camera = CameraDescriptor(lensOf: input) }
    chain.capture = try Self.decision(known)
    return chain
  }

  private static func decision(_ facts: KnownSituation) throws(JobFailure) -> CaptureDecision? {
    guard let situation = try facts.situation() else { return nil }
    do { return try situation.decision() } catch { throw JobFailure(error) }
  }
}

extension CameraDescriptor {
  /// The camera by the EXIF lens name of a RAW file, as phones write it: `… back triple camera …`, `… front camera …`.
  /// It tells the side only; `nil` when there is no such word.
  init?(lensOf input: FilePath) {
    guard let lens = try? RawReader(options: RawReadOptions()).describe(input).facts.lens else { return nil }
    let words = lens.lowercased().split(separator: " ")
    if words.contains("front") {
      self = .front
    } else if words.contains("back") || words.contains("rear") {
      self = .rear
    } else {
      return nil
    }
  }
}
