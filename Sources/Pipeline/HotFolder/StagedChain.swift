import ImageCore
import RawFiles
import TIFFTags

/// The rest of a chain's work on one input, once that is read.
typealias ProcessingStage = @Sendable (_ descriptor: Int32, _ resources: Resources) throws(JobFailure) -> ChainResult

/// A chain that can be stopped between reading and processing, so that the next input is read meanwhile. Both stages
/// after each other are the chain's `run`.
protocol StagedChain: FileChain {
  /// Reads an input.
  func captured(_ input: FilePath, resources: Resources) throws(JobFailure) -> ProcessingStage
}

extension DevelopChain: StagedChain {
  func captured(_ input: FilePath, resources: Resources) throws(JobFailure) -> ProcessingStage {
    var clock = StageClock()
    let capture = try CaptureReader(options: raw).read(input, resources: resources)
    clock.mark("read")
    let source = raw.headerless == nil ? input : nil
    return { [clock] (descriptor, resources) throws(JobFailure) in
      try self.render(capture, metadataFrom: source, into: descriptor, resources: resources, clock: clock.resumed)
    }
  }
}

extension BracketChain: StagedChain {
  /// Frames of a bracket are read when they are merged: there is no room for those of two brackets.
  func captured(_ input: FilePath, resources: Resources) throws(JobFailure) -> ProcessingStage {
    guard merge.brackets[input] == nil else {
      return { (descriptor, resources) throws(JobFailure) in
        try self.run(input, into: descriptor, resources: resources)
      }
    }
    return try merge.develop.captured(input, resources: resources)
  }
}

extension SituatedChain: StagedChain where Base: StagedChain {
  func captured(_ input: FilePath, resources: Resources) throws(JobFailure) -> ProcessingStage {
    try situated(for: input).captured(input, resources: resources)
  }
}
