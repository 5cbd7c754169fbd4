/// What one shot asks for. Each value has an identity: it is good for one shot, or for one preparation.
public struct PhotoSettings: Sendable, Hashable, Codable {
  /// Tells these settings from others with the same values.
  public let identifier: Int
  /// The largest photo asked for: a request, not a promise.
  public var maxPhotoDimensions: PhotoSize
  /// Speed or quality.
  public var photoQualityPrioritization: PhotoQualityPrioritization
  /// What is delivered.
  public var kind: PhotoKind

  /// Settings for one shot.
  public init(
    identifier: Int, maxPhotoDimensions: PhotoSize = .standard,
    photoQualityPrioritization: PhotoQualityPrioritization = .quality, kind: PhotoKind = .processed
  ) {
    self.identifier = identifier
    self.maxPhotoDimensions = maxPhotoDimensions
    self.photoQualityPrioritization = photoQualityPrioritization
    self.kind = kind
  }

  /// The values without the identity: what preparations are matched by.
  public var values: Values {
    Values(size: maxPhotoDimensions, prioritization: photoQualityPrioritization, kind: kind)
  }

  /// What two settings that match have in common.
  public struct Values: Sendable, Hashable, Codable {
    /// The size asked for.
    public let size: PhotoSize
    /// The prioritization asked for.
    public let prioritization: PhotoQualityPrioritization
    /// What is delivered.
    public let kind: PhotoKind
  }
}

/// Frames that the camera can give for one shot.
public struct AvailableFrames: Sendable, Hashable, Codable {
  /// Binned 12MP frames.
  public var binned: Int
  /// Frames at full resolution.
  public var fullResolution: Int

  /// So many frames of each kind.
  public init(binned: Int, fullResolution: Int) {
    self.binned = binned
    self.fullResolution = fullResolution
  }

  /// As many as any photo takes.
  public static let ample = AvailableFrames(binned: 4, fullResolution: 1)
  /// Fewer are not a multi-frame photo.
  static let multiFrame = 2
}

/// What the camera is set to and what the session allows.
public struct PhotoCapability: Sendable, Hashable {
  /// For messages.
  public var camera: CameraDescriptor
  /// What the camera is set to.
  public var format: CaptureFormat
  /// What the session is set up for.
  public var preset: SessionPreset
  /// The highest prioritization of any shot: maxPhotoQualityPrioritization.
  public var maxPrioritization: PhotoQualityPrioritization

  /// A camera at its first format, in a photo session without a cap.
  public init(
    camera: CameraDescriptor, format: CaptureFormat? = nil, preset: SessionPreset = .photo,
    maxPrioritization: PhotoQualityPrioritization = .quality
  ) {
    self.camera = camera
    self.format = format ?? camera.formats[0]
    self.preset = preset
    self.maxPrioritization = maxPrioritization
  }

  /// The sizes that can be asked for in this session.
  public var supportedMaxPhotoDimensions: [PhotoSize] {
    format.supportedMaxPhotoDimensions.filter { preset == .photo || !$0.needsPhotoPreset }
  }

  /// - Throws: when the settings break a rule.
  public func check(_ settings: PhotoSettings) throws(CaptureError) {
    let size = settings.maxPhotoDimensions
    let prioritization = settings.photoQualityPrioritization
    guard prioritization <= maxPrioritization else {
      throw .prioritizationAboveCap(requested: prioritization, cap: maxPrioritization)
    }
    guard format.supportedMaxPhotoDimensions.contains(size) else {
      throw .unsupportedDimensions(
        requested: size, camera: camera.name, supported: format.supportedMaxPhotoDimensions)
    }
    guard supportedMaxPhotoDimensions.contains(size) else {
      throw .presetLacksDimensions(size: size, preset: preset)
    }
    guard size.prioritizations.contains(prioritization) else { throw .unavailable(size: size, at: prioritization) }
  }
}
