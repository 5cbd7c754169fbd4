public import CaptureModel
import Glibc
public import ImageCore
import TIFFTags

/// What is known of how a picture was taken, as far as somebody said it.
public struct KnownSituation: Sendable, Hashable {
  /// The camera.
  public var camera: CameraDescriptor?
  /// How the device was held.
  public var posture: Posture?
  /// The display that the photographer looked at.
  public var view: Display?
  /// How the device was turned, as the photographer saw it.
  public var deviceOrientation: DeviceOrientation?
  /// The ratio that was chosen on a square sensor.
  public var aspectRatio: AspectRatio?

  /// Nothing is known.
  public init() {}

  /// Sidecars larger than this are none of ours, bytes.
  private static let largestSidecar = 1 << 20
  private static let keys: Set<String> = ["camera", "posture", "view", "deviceOrientation", "aspectRatio"]

  /// These facts, and others where these say nothing.
  func over(_ other: KnownSituation) -> KnownSituation {
    var result = self
    result.camera = camera ?? other.camera
    result.posture = posture ?? other.posture
    result.view = view ?? other.view
    result.deviceOrientation = deviceOrientation ?? other.deviceOrientation
    result.aspectRatio = aspectRatio ?? other.aspectRatio
    return result
  }

  /// The situation, with what follows from the rest filled in: a view on the inner display and its camera need an open
  /// device; without a word about it the device is closed.
  ///
  /// - Returns: `nil` when nothing is known.
  /// - Throws: usage (64) when something is known but not the camera.
  func situation() throws(JobFailure) -> CaptureSituation? {
    if self == KnownSituation() { return nil }
    guard let camera else {
      throw JobFailure(
        .usage, "something is said of how the picture was taken, but not with which camera: give --camera too")
    }
    let needsOpen = view == .inner || camera == .inner
    return CaptureSituation(
      camera: camera, posture: posture ?? (needsOpen ? .open : .closed), view: view,
      deviceOrientation: deviceOrientation, aspectRatio: aspectRatio)
  }

  /// `NAME.EXT.json` beside a picture.
  static func sidecar(of picture: FilePath) -> FilePath { FilePath(bytes: picture.bytes + Array(".json".utf8)) }

  /// What the file `NAME.EXT.json` beside a picture says: an object of these keys, or one that has them under
  /// `capture`. Other programs' sidecars, which have none of them, are left alone.
  ///
  /// - Throws: usage (64) when a value is not acceptable or an unknown key stands among known ones.
  init(sidecarOf picture: FilePath) throws(JobFailure) {
    let path = Self.sidecar(of: picture)
    guard let bytes = path.contents(atMost: Self.largestSidecar), bytes.count < Self.largestSidecar,
      let json = JSONValue(parsing: bytes), case .object(let all) = json
    else { return }
    let isOurs = all["capture"] != nil || !Self.keys.isDisjoint(with: all.keys)
    guard isOurs else { return }
    var members = try JSONMembers(all["capture"] ?? json, at: path.string)
    camera = try members.take("camera", CameraDescriptor.all.map(\.name).joined(separator: ", ")) { value in
      value.word.flatMap { CameraDescriptor(named: $0) }
    }
    posture = try members.take("posture", as: Posture.self)
    view = try members.take("view", as: Display.self)
    deviceOrientation = try members.take("deviceOrientation", as: DeviceOrientation.self)
    let ratios = DynamicAspectRatio.all.map(\.description).joined(separator: ", ")
    aspectRatio = try members.take("aspectRatio", ratios) { value in value.word.flatMap { AspectRatio($0) } }
    try members.finish()
  }
}
