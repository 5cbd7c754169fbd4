public import ImageCore
public import TIFFTags

/// What turns one input file into one output file. ``Batch`` runs it over many.
public protocol FileChain: Sendable {
  /// What reports call it.
  var name: String { get }

  /// Every file that the output of `input` depends on, in a fixed order; sidecars that would count are named even when
  /// they are not there.
  func sources(of input: FilePath) -> [FilePath]

  /// Expected peak memory of one input, bytes; asked before it is started.
  func expectedMemory(of input: FilePath) -> Int

  /// Writes what `input` becomes into an open file, which is seekable and readable.
  func run(_ input: FilePath, into descriptor: Int32, resources: Resources) throws(JobFailure) -> ChainResult
}

extension FileChain {
  /// The input itself.
  public func sources(of input: FilePath) -> [FilePath] { [input] }

  /// Nothing to speak of.
  public func expectedMemory(of input: FilePath) -> Int { 0 }
}
