/// Whether the two halves of the device lie on each other.
public enum Fold: String, Sendable, Hashable, Codable, CaseIterable {
  case closed, open
}

/// How the device is held: folded or not, and which side of it is looked at.
public enum Posture: String, Sendable, Hashable, Codable, CaseIterable {
  /// Folded; the outer display is looked at.
  case closed
  /// Unfolded; the inner display is looked at.
  case open
  /// Unfolded and turned round; the outer display is looked at.
  case openFlipped = "open-flipped"

  /// Whether the device is folded.
  public var fold: Fold { self == .closed ? .closed : .open }

  /// The display that the person holding the device looks at.
  public var mainDisplay: Display { self == .open ? .inner : .outer }

  /// Displays that can show something. Of an open device both can, one to each side.
  public var displays: [Display] { fold == .open ? [.outer, .inner] : [.outer] }

  /// - Throws: when a view cannot be there.
  public func check(viewOn display: Display) throws(CaptureError) {
    guard displays.contains(display) else { throw .viewOnCoveredDisplay(display, self) }
  }
}

/// The displays of the device. A view lies on one of them.
public enum Display: String, Sendable, Hashable, Codable, CaseIterable {
  case outer, inner
}

/// What is looked at or looks out: three faces of the folding body.
///
/// Half A carries the rear cameras on its back and half of the inner display; half B carries the outer display on its
/// back and the other half of the inner display. Folding turns half B round.
enum Face {
  case outerDisplay, innerDisplay, back

  /// Which way the face points: 1 and −1 are opposite, `nil` is covered by the other half.
  func normal(_ fold: Fold) -> Int? {
    switch (self, fold) {
    case (.outerDisplay, .closed): 1
    case (.back, .closed): -1
    case (.innerDisplay, .closed): nil
    case (.innerDisplay, .open): 1
    case (.outerDisplay, .open), (.back, .open): -1
    }
  }
}

extension Display {
  var face: Face { self == .outer ? .outerDisplay : .innerDisplay }

  /// Whether two displays are seen from the same side of an open device.
  public func isOpposite(to other: Display) -> Bool { self != other }
}

extension CameraDescriptor {
  func face(in posture: Posture) -> Face {
    switch active(in: posture).deviceType {
    case .builtInOuterUltraWideCamera: .outerDisplay
    case .builtInInnerUltraWideCamera: .innerDisplay
    default: .back
    }
  }
}
