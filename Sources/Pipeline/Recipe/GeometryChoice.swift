public import CaptureModel
public import ImageCore

/// How pixels are laid: rotation, mirroring and crop, decided together so that pixels move once.
public struct GeometryChoice: Sendable, Hashable {
  /// How pixels are turned.
  public var rotation: Rotation
  /// Whether the upright picture is mirrored.
  public var mirroring: Mirroring
  /// The exact ratio to crop to, as the picture is seen upright; `nil` for no crop.
  public var aspectRatio: AspectRatio?
  /// Which part a crop keeps.
  public var gravity: Gravity
  /// What is known of the capture: its tag goes over the file's, and it decides mirroring and ratio where they are not
  /// said.
  public var capture: CaptureDecision?

  /// Upright, not mirrored, not cropped, unless told otherwise.
  public init(
    rotation: Rotation = .apply, mirroring: Mirroring = .auto, aspectRatio: AspectRatio? = nil,
    gravity: Gravity = .center
  ) {
    self.rotation = rotation
    self.mirroring = mirroring
    self.aspectRatio = aspectRatio
    self.gravity = gravity
  }

  /// What to do with stored pixels of size `stored` and orientation tag `tag`.
  ///
  /// - Parameter period: of the colour filter array when the result is a mosaic again, whose crop then keeps whole
  ///   periods; `nil` for pictures.
  /// - Throws: bad data (65) when the picture is too small for the exact aspect ratio.
  func placement(
    of stored: PixelSize, tag: Orientation, period: PixelSize? = nil
  ) throws(JobFailure) -> Placement {
    let tag = capture?.uprightTag(fallingBackTo: tag) ?? tag
    let isMirrored = mirroring == .on || mirroring == .auto && capture?.isMirrored == true
    let mirror: Orientation = isMirrored ? .upMirrored : .up
    let lay: Orientation
    let resultTag: Orientation
    let display: Orientation
    switch rotation {
    case .apply: (lay, resultTag, display) = (tag.then(mirror), .up, tag.then(mirror))
    case .keep: (lay, resultTag, display) = (.up, tag.then(mirror), tag.then(mirror))
    case .quarterTurns(let turns):
      let turn = Orientation(clockwiseQuarterTurns: turns).then(mirror)
      (lay, resultTag, display) = (turn, .up, turn)
    }
    var rect = PixelRect(stored)
    if let aspectRatio = aspectRatio ?? capture?.aspectRatio {
      let upright = display.applied(to: stored)
      let crop = AspectCrop.storedRect(
        in: stored, orientation: display, ratio: aspectRatio, gravity: gravity,
        period: period ?? PixelSize(width: 1, height: 1))
      guard let crop else {
        throw JobFailure(.badData, "\(upright) is too small for an exact \(aspectRatio) crop")
      }
      rect = crop
    }
    return Placement(source: rect, lay: lay, tag: resultTag)
  }
}
