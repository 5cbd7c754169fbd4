public import ImageCore

extension NoiseProfile {
  /// Noise of a photo from its pixels alone, one line for all colours: the lower envelope of local variance over local
  /// mean.
  ///
  /// - Returns: `nil` when the photo has too few quiet patches.
  /// - Complexity: a third of a pass over the samples.
  public init?(estimatedFrom photo: RawPhoto) {
    guard let plane = SourceFrame(photo).estimatedNoise else { return nil }
    self.init(planes: [plane])
  }
}
