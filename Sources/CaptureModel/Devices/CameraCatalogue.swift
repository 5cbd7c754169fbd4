import ImageCore

extension CameraDescriptor {
  /// What the camera can be set to. A virtual camera's formats are computed from those of its constituents.
  public var formats: [CaptureFormat] {
    if isVirtual {
      let lists = constituents.map { CameraDescriptor(physical: $0).formats }
      return lists.dropFirst().reduce(lists.first ?? []) { common, next in
        common.flatMap { format in next.compactMap(format.intersection) }
      }
    }
    switch deviceType {
    case .builtInOuterUltraWideCamera:
      return [VideoMode.hd, VideoMode.uhd4K].map {
        Self.square(deviceType, VideoMode(dimensions: $0, maxFrameRate: 120))
      }
    case .builtInInnerUltraWideCamera:
      return [Self.square(deviceType, VideoMode(dimensions: VideoMode.hd, maxFrameRate: 60))]
    default:
      return [
        CaptureFormat(
          sensorDimensions: PhotoSize.mp48.dimensions, video: nil, depth: [], dynamicAspectRatios: [],
          supportedMaxPhotoDimensions: [.mp12, .mp24, .mp48])
      ]
    }
  }

  /// How the sensor is mounted. Of a virtual camera, both constituents are mounted alike.
  public var mount: SensorMount { position == .front ? .square : .classic }

  private init(physical type: DeviceType) {
    self = Self.all.first { $0.deviceType == type && !$0.isVirtual } ?? .rear
  }

  /// The width of the square sensors, photosites: that of the largest picture they make, 18MP in 4:3.
  private static let squareSide = PhotoSize.mp18.dimensions.width

  private static func square(_ type: DeviceType, _ video: VideoMode) -> CaptureFormat {
    CaptureFormat(
      sensorDimensions: PixelSize(width: squareSide, height: squareSide), video: video,
      depth: [DepthFormat(calibratedFor: type)], dynamicAspectRatios: DynamicAspectRatio.all,
      supportedMaxPhotoDimensions: [.mp12, .mp18])
  }
}

/// Finds cameras by kind and place.
public enum CameraDiscovery {
  /// The cameras of these types at a position, in the order of ``CameraDescriptor/all``.
  ///
  /// At the front a wide or ultra-wide type finds the virtual camera, so that software that knows one front camera
  /// keeps working.
  ///
  /// - Parameter position: `nil` for any.
  public static func cameras(_ types: [DeviceType], position: CameraPosition? = nil) -> [CameraDescriptor] {
    CameraDescriptor.all.filter { camera in
      guard position == nil || camera.position == position else { return false }
      if types.contains(camera.deviceType) { return true }
      return camera.isVirtual && types.contains(.builtInWideAngleCamera)
    }
  }
}
