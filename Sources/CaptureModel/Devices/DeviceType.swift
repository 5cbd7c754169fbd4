/// Where a camera sits on the device: on the side of a display, or on the back.
public enum CameraPosition: String, Sendable, Hashable, Codable, CaseIterable {
  case front, back
}

/// The kinds of camera, as AVFoundation names them.
public enum DeviceType: String, Sendable, Hashable, Codable, CaseIterable {
  /// Beside the outer display.
  case builtInOuterUltraWideCamera
  /// Under the inner display.
  case builtInInnerUltraWideCamera
  /// On the back: a quad 48MP wide and an ultra-wide camera.
  case builtInDualWideCamera
  /// Any single wide camera; at the front, the virtual one.
  case builtInWideAngleCamera
  /// Any single ultra-wide camera; at the front, the virtual one.
  case builtInUltraWideCamera
}

/// Names one camera. A value that any actor may hold; the ``CaptureDevice`` is made of it on the camera's own actor.
public struct CameraDescriptor: Sendable, Hashable, Codable {
  /// Short and unique: `outer`, `inner`, `rear`, `front`.
  public let name: String
  /// The kind of camera.
  public let deviceType: DeviceType
  /// Where it sits, which does not tell whom it faces.
  public let position: CameraPosition
  /// The cameras that a virtual one switches between by itself; empty for a physical one.
  public let constituents: [DeviceType]

  /// Whether the camera is one of others.
  public var isVirtual: Bool { !constituents.isEmpty }

  init(_ name: String, _ type: DeviceType, _ position: CameraPosition, constituents: [DeviceType] = []) {
    self.name = name
    deviceType = type
    self.position = position
    self.constituents = constituents
  }

  /// The camera beside the outer display.
  public static let outer = CameraDescriptor("outer", .builtInOuterUltraWideCamera, .front)
  /// The camera under the inner display.
  public static let inner = CameraDescriptor("inner", .builtInInnerUltraWideCamera, .front)
  /// The cameras on the back.
  public static let rear = CameraDescriptor("rear", .builtInDualWideCamera, .back)
  /// The virtual front camera: inner when the device is open, outer when it is closed.
  public static let front = CameraDescriptor(
    "front", .builtInUltraWideCamera, .front,
    constituents: [.builtInOuterUltraWideCamera, .builtInInnerUltraWideCamera])

  /// Every camera of the device, physical ones first.
  public static let all: [CameraDescriptor] = [.outer, .inner, .rear, .front]

  /// The camera of a name or of a device type's name; `nil` when there is none.
  public init?(named name: String) {
    let found = Self.all.first { $0.name == name.lowercased() || $0.deviceType.rawValue == name }
    guard let found else { return nil }
    self = found
  }

  /// The camera that really sees: itself, or the constituent that is in use in a posture.
  public func active(in posture: Posture) -> CameraDescriptor {
    guard isVirtual else { return self }
    return posture.fold == .open ? .inner : .outer
  }
}
