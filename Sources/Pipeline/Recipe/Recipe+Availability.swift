public import CaptureModel

extension Recipe {
  /// Checks the request against the capture system's table of sizes and prioritizations, and against what a known camera
  /// makes.
  ///
  /// Only what is said is checked: a size without a prioritization, or `WxH`, stays a request that light and scene may
  /// lower without a word.
  ///
  /// - Parameter camera: that took all pictures; `nil` when it is not known.
  /// - Throws: usage (64); the message names the rule.
  public func checkAvailability(camera: CameraDescriptor? = nil) throws(JobFailure) {
    guard let size = photoSize, let prioritization = photoQualityPrioritization else { return }
    // Without a word about the camera, one that makes the size: the table alone decides then.
    let asked = camera ?? (size == .mp18 ? .outer : .rear)
    let settings = PhotoSettings(
      identifier: 1, maxPhotoDimensions: size, photoQualityPrioritization: prioritization)
    do { try PhotoCapability(camera: asked).check(settings) } catch { throw JobFailure(error) }
  }
}
