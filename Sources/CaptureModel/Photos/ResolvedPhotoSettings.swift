public import ImageCore

/// What a shot will really be.
public struct ResolvedPhotoSettings: Sendable, Hashable, Codable {
  /// The settings that were resolved.
  public let identifier: Int
  /// What was asked for.
  public let requested: PhotoSettings.Values
  /// The size that is made.
  public let size: PhotoSize
  /// The prioritization that is used.
  public let prioritization: PhotoQualityPrioritization
  /// The frames that go into it.
  public let frames: AvailableFrames
  /// Why it is less than what was asked for, in the order in which it became less; empty when it is not.
  public let reasons: [Reason]

  /// Pixels of the photo in landscape.
  public var photoDimensions: PixelSize { size.dimensions }

  /// Why a request was not met in full.
  public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
    /// A rapid series: quality was lowered so that the rate holds.
    case fastCapture = "fast-capture"
    /// Single photosites would be too noisy.
    case noise = "low-light-noise"
    /// The exposure is too long for single photosites.
    case motion = "low-light-motion"
    /// The camera has too few frames for the size.
    case frames = "too-few-frames"
  }

  /// Resolves a request.
  ///
  /// - Parameters:
  ///   - light: in too little of it, photos with a full-resolution frame become 12MP.
  ///   - available: frames there are; too few for a size make it 12MP.
  ///   - isRapid: fast-capture prioritization lowers quality to balanced.
  /// - Throws: when the request breaks a rule; see ``PhotoCapability/check(_:)``.
  public init(
    _ settings: PhotoSettings, capability: PhotoCapability, light: SceneLight = .bright,
    available: AvailableFrames = .ample, isRapid: Bool = false
  ) throws(CaptureError) {
    try capability.check(settings)
    var (size, prioritization) = (settings.maxPhotoDimensions, settings.photoQualityPrioritization)
    var reasons: [Reason] = []
    if isRapid && prioritization == .quality {
      prioritization = .balanced
      size = size.largest(at: prioritization, of: capability.supportedMaxPhotoDimensions)
      reasons.append(.fastCapture)
    }
    if size.needsFullResolutionFrame, let lowLight = light.lowLight {
      size = .mp12
      reasons.append(lowLight == .noise ? .noise : .motion)
    }
    if !Self.suffices(available, for: size) {
      size = .mp12
      reasons.append(.frames)
    }
    identifier = settings.identifier
    requested = settings.values
    self.size = size
    self.prioritization = prioritization
    self.reasons = reasons
    frames = Self.frames(for: size, at: prioritization, of: available)
  }

  private static func suffices(_ available: AvailableFrames, for size: PhotoSize) -> Bool {
    switch size {
    case .mp12: true
    case .mp18: available.binned >= AvailableFrames.multiFrame
    case .mp24: available.binned >= AvailableFrames.multiFrame && available.fullResolution >= 1
    case .mp48: available.fullResolution >= 1
    }
  }

  /// 12MP at speed is one frame; more prioritization takes the frames there are.
  private static func frames(
    for size: PhotoSize, at prioritization: PhotoQualityPrioritization, of available: AvailableFrames
  ) -> AvailableFrames {
    switch size {
    case .mp48: AvailableFrames(binned: 0, fullResolution: 1)
    case .mp24: AvailableFrames(binned: min(available.binned, AvailableFrames.ample.binned), fullResolution: 1)
    case .mp18: AvailableFrames(binned: min(available.binned, AvailableFrames.ample.binned), fullResolution: 0)
    case .mp12:
      AvailableFrames(
        binned: prioritization == .quality ? max(1, min(available.binned, AvailableFrames.ample.binned)) : 1,
        fullResolution: 0)
    }
  }

  /// Whether binned frames are fused with the detail of one at full resolution.
  public var isFused: Bool { frames.binned > 0 && frames.fullResolution > 0 }

  /// Bytes that the shot's frames and result take: 16-bit photosites and 16-bit RGB.
  public var memory: Int {
    let photosite = 2
    let pixel = 6
    return frames.binned * PhotoSize.mp12.dimensions.area * photosite
      + frames.fullResolution * PhotoSize.mp48.dimensions.area * photosite + size.dimensions.area * pixel
  }
}
