public import ImageCore
public import TIFFTags

/// A folder's files → pictures: exposure brackets are merged, all others developed.
public struct BracketChain: FileChain {
  /// What reports call it.
  public let name = "develop"
  /// Merges the files that stand for a bracket; develops all others.
  public var merge: MergeChain

  /// A chain of these settings; nothing is read yet.
  public init(merge: MergeChain) { self.merge = merge }

  /// All frames of a bracket.
  public func sources(of input: FilePath) -> [FilePath] { merge.sources(of: input) }

  /// See ``MergeChain`` and ``DevelopChain``.
  public func expectedMemory(of input: FilePath) -> Int {
    merge.brackets[input] == nil ? merge.develop.expectedMemory(of: input) : merge.expectedMemory(of: input)
  }

  /// See ``MergeChain`` and ``DevelopChain``.
  public func run(_ input: FilePath, into descriptor: Int32, resources: Resources) throws(JobFailure) -> ChainResult {
    guard merge.brackets[input] != nil else {
      return try merge.develop.run(input, into: descriptor, resources: resources)
    }
    do { return try merge.run(input, into: descriptor, resources: resources) } catch {
      throw JobFailure(
        error.status, "\(error.message) (taken for an exposure bracket; --brackets separate develops each frame)")
    }
  }
}
