public import ImageCore

/// Speed or quality, where both cannot be had; also how far a session lets a shot go.
public enum PhotoQualityPrioritization: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
  case speed, balanced, quality

  /// Less time before more quality.
  public static func < (a: Self, b: Self) -> Bool { rank(a) < rank(b) }

  private static func rank(_ value: Self) -> Int { allCases.firstIndex(of: value) ?? 0 }
}

/// What a session is set up for.
public enum SessionPreset: String, Sendable, Hashable, Codable, CaseIterable {
  case photo, high
}

/// The sizes that go by a name.
public enum PhotoSize: String, Sendable, Hashable, Codable, CaseIterable, Comparable, CustomStringConvertible {
  /// Binned quad pixels, one frame or several.
  case mp12 = "12MP"
  /// Several frames; only on the square front cameras.
  case mp18 = "18MP"
  /// Several binned 12MP frames, fused with the detail of one full-resolution frame.
  case mp24 = "24MP"
  /// One full-resolution frame.
  case mp48 = "48MP"

  /// Pixels in landscape, 4:3.
  public var dimensions: PixelSize {
    switch self {
    case .mp12: PixelSize(width: 4032, height: 3024)
    case .mp18: PixelSize(width: 4896, height: 3672)
    case .mp24: PixelSize(width: 5712, height: 4284)
    case .mp48: PixelSize(width: 8064, height: 6048)
    }
  }

  /// The prioritizations at which the size is made.
  public var prioritizations: [PhotoQualityPrioritization] {
    switch self {
    case .mp12: [.speed, .balanced, .quality]
    case .mp18, .mp24: [.quality]
    case .mp48: [.balanced, .quality]
    }
  }

  /// Whether only the photo preset offers it.
  public var needsPhotoPreset: Bool { self == .mp24 || self == .mp48 }
  /// Whether one frame at the sensor's full resolution goes into it, which needs light.
  public var needsFullResolutionFrame: Bool { self == .mp24 || self == .mp48 }

  /// The bytes of a file compared with 12MP, in halves: 24MP takes about 1.5 times, others go with their pixels.
  public var relativeFileSize: Double {
    self == .mp24 ? 1.5 : Double(dimensions.area) / Double(Self.mp12.dimensions.area)
  }

  /// The default since iPhone 15.
  public static let standard = PhotoSize.mp24

  /// `12MP`; case does not matter.
  public init?(named name: String) { self.init(rawValue: name.uppercased()) }

  /// As `24MP`.
  public var description: String { rawValue }

  /// By pixels.
  public static func < (a: Self, b: Self) -> Bool { a.dimensions.area < b.dimensions.area }

  /// The largest of `sizes` that is made at a prioritization and does not exceed this one; 12MP when there is none.
  func largest(at prioritization: PhotoQualityPrioritization, of sizes: [PhotoSize]) -> PhotoSize {
    sizes.filter { $0 <= self && $0.prioritizations.contains(prioritization) }.max() ?? .mp12
  }
}
