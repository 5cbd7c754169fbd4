import CaptureModel
public import ImageCore

/// How a file's pixels were laid, for reports and metadata.
public struct AppliedTransform: Sendable, Hashable, Encodable {
  /// What was done to the pixels taken, as the EXIF orientation that asks for it.
  public let orientation: Int
  /// The tag that the result carries.
  public let tag: Int
  /// Whether the picture is seen mirrored, compared with the pixels as stored.
  public let mirrored: Bool
  /// The stored pixels that were taken.
  public let crop: PixelRect
  /// The camera that really saw, and what it was decided by; `nil` when nothing was known.
  public let camera: String?
  /// How the device was held.
  public let posture: String?
  /// The display that the photographer looked at.
  public let view: String?
  /// Where the camera pointed, relative to the photographer.
  public let direction: String?
  /// How the device was turned; `nil` when the file's tag decided.
  public let deviceOrientation: String?

  init(_ placement: Placement, _ capture: CaptureDecision?) {
    orientation = Int(placement.lay.rawValue)
    tag = Int(placement.tag.rawValue)
    mirrored = placement.lay.then(placement.tag).isMirror
    crop = placement.source
    camera = capture?.activeCamera.name
    posture = capture?.situation.posture.rawValue
    view = capture?.situation.view.rawValue
    direction = capture?.direction.rawValue
    deviceOrientation = capture?.situation.deviceOrientation?.rawValue
  }

  /// The name under which the record stands in XMP.
  static let namespace = "urn:duo-process:capture#"
  private static let end = Array("</rdf:RDF>".utf8)

  /// An XMP packet (ISO 16684-1) with this record in it. Without facts of the capture it stays as it was; so does one
  /// that has a record already, since it tells of the capture itself.
  func recorded(in xmp: [UInt8]) -> [UInt8] {
    guard camera != nil, xmp.firstRange(of: Array(Self.namespace.utf8)) == nil else { return xmp }
    let record = Array((description + "\n").utf8)
    if xmp.isEmpty {
      let head =
        "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
      return Array(head.utf8) + record + Self.end + Array("\n</x:xmpmeta>".utf8)
    }
    guard let place = xmp.firstRange(of: Self.end) else { return xmp }
    return xmp[..<place.lowerBound] + record + xmp[place.lowerBound...]
  }

  private var description: String {
    let values: [(String, String?)] = [
      ("Camera", camera), ("Posture", posture), ("View", view), ("Direction", direction),
      ("DeviceOrientation", deviceOrientation), ("AppliedOrientation", "\(orientation)"),
      ("Mirrored", mirrored ? "True" : "False"), ("Crop", crop.description),
    ]
    let attributes = values.compactMap { name, value in value.map { " duo:\(name)=\"\($0)\"" } }.joined()
    return "<rdf:Description rdf:about=\"\" xmlns:duo=\"\(Self.namespace)\"\(attributes)/>"
  }
}
