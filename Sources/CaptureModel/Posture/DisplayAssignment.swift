/// What a view is for.
public enum ViewRole: String, Sendable, Hashable, Codable, CaseIterable {
  /// Shows what the camera sees.
  case preview
  /// Shutter and settings.
  case controls
  /// Something for the person in front of the camera: a countdown, the framing, a toy for a child.
  case accessory
}

/// Which view is on which display. Each view has a direction coordinator of its own.
public struct DisplayAssignment: Sendable, Hashable, Codable {
  /// Roles by display; a display without an entry is dark.
  public let roles: [Display: ViewRole]

  /// - Throws: when a role is given to a display that is folded away.
  public init(_ roles: [Display: ViewRole], posture: Posture) throws(CaptureError) {
    for display in Display.allCases where roles[display] != nil { try posture.check(viewOn: display) }
    self.roles = roles
  }

  /// What each view's coordinator reports.
  public func directions(in posture: Posture) throws(CaptureError) -> [Display: DirectionMap] {
    var maps: [Display: DirectionMap] = [:]
    for display in Display.allCases where roles[display] != nil {
      maps[display] = try DirectionMap(posture: posture, view: display)
    }
    return maps
  }
}
