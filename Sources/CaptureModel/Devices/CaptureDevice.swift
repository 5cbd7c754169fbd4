public import ImageCore

/// A camera in use: the one thing here with a state of its own. It is not sendable: an actor makes it of a
/// ``CameraDescriptor`` and keeps it.
public final class CaptureDevice {
  /// Which camera this is.
  public let descriptor: CameraDescriptor
  /// What the camera is set to.
  public private(set) var activeFormat: CaptureFormat
  /// The ratio pictures have; `nil` for sensors that have one only.
  public private(set) var dynamicAspectRatio: AspectRatio?

  /// The camera of a descriptor, set to its first format and that format's first ratio.
  public init(_ descriptor: CameraDescriptor) {
    self.descriptor = descriptor
    activeFormat = descriptor.formats[0]
    dynamicAspectRatio = activeFormat.dynamicAspectRatios.first
  }

  /// Sets the camera to another of its formats; the ratio becomes that format's first.
  public func setActiveFormat(_ format: CaptureFormat) throws(CaptureError) {
    guard descriptor.formats.contains(format) else { throw .foreignFormat(camera: descriptor.name) }
    activeFormat = format
    dynamicAspectRatio = format.dynamicAspectRatios.first
  }

  /// Chooses a ratio that the format lists, without turning the device.
  public func setDynamicAspectRatio(_ ratio: AspectRatio) throws(CaptureError) {
    try DynamicAspectRatio.check(ratio, in: activeFormat)
    dynamicAspectRatio = ratio
  }
}
