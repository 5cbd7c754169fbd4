/// Where a camera points, relative to the person who looks at a view.
public enum Direction: String, Sendable, Hashable, Codable, CaseIterable {
  /// Towards that person.
  case forward
  /// Away, the way that person looks.
  case backward
}

extension CameraDescriptor {
  /// Where the camera points relative to the person looking at `view`; `nil` when the camera is covered.
  ///
  /// A camera on a face that points the same way as the view's display looks at whoever looks at the display.
  ///
  /// - Throws: when no view can be on that display.
  public func direction(from view: Display, in posture: Posture) throws(CaptureError) -> Direction? {
    try posture.check(viewOn: view)
    guard let mine = face(in: posture).normal(posture.fold), let its = view.face.normal(posture.fold) else {
      return nil
    }
    return mine == its ? .forward : .backward
  }

  /// The same for a camera that is to take a picture.
  ///
  /// - Throws: when the camera is covered.
  public func requiredDirection(from view: Display, in posture: Posture) throws(CaptureError) -> Direction {
    guard let direction = try direction(from: view, in: posture) else {
      throw .cameraCovered(camera: name, posture)
    }
    return direction
  }
}

/// Which cameras face the person at a view, and which face away.
public struct DirectionMap: Sendable, Hashable, Codable {
  /// Cameras that face the person looking at the view.
  public let forward: [CameraDescriptor]
  /// Cameras that face the other way.
  public let backward: [CameraDescriptor]

  /// Nothing is known yet.
  public static let empty = DirectionMap(forward: [], backward: [])

  private init(forward: [CameraDescriptor], backward: [CameraDescriptor]) {
    self.forward = forward
    self.backward = backward
  }

  /// The physical cameras of the device.
  public static let physicalTypes: [DeviceType] = CameraDescriptor.all.filter { !$0.isVirtual }.map(\.deviceType)

  /// The cameras of these types, sorted by direction; covered ones are in neither list.
  ///
  /// - Throws: when no view can be on that display.
  public init(
    posture: Posture, view: Display, deviceTypes: [DeviceType] = DirectionMap.physicalTypes
  ) throws(CaptureError) {
    var lists: [Direction: [CameraDescriptor]] = [:]
    for camera in CameraDiscovery.cameras(deviceTypes) {
      if let direction = try camera.direction(from: view, in: posture) {
        lists[direction, default: []].append(camera)
      }
    }
    self.init(forward: lists[.forward] ?? [], backward: lists[.backward] ?? [])
  }

  /// The cameras of one direction.
  public subscript(direction: Direction) -> [CameraDescriptor] { direction == .forward ? forward : backward }
}
