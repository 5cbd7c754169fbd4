import CaptureModel
import ImageCore
import Testing

/// The table of photo sizes, row by row, and the rules about requests.
@Suite("Photo sizes and settings")
struct PhotoTableTests {
  static let rows: [(PhotoSize, [PhotoQualityPrioritization])] = [
    (.mp12, [.speed, .balanced, .quality]), (.mp18, [.quality]), (.mp24, [.quality]), (.mp48, [.balanced, .quality]),
  ]

  private func settings(
    _ size: PhotoSize, _ prioritization: PhotoQualityPrioritization, _ identifier: Int = 1
  ) -> PhotoSettings {
    PhotoSettings(identifier: identifier, maxPhotoDimensions: size, photoQualityPrioritization: prioritization)
  }

  private func camera(for size: PhotoSize) -> CameraDescriptor { size == .mp18 ? .outer : .rear }

  @Test("Each size resolves at its prioritizations and is refused at others", arguments: rows.map(\.0))
  func availability(size: PhotoSize) throws {
    let available = try #require(Self.rows.first { $0.0 == size }).1
    let capability = PhotoCapability(camera: camera(for: size))
    for prioritization in PhotoQualityPrioritization.allCases {
      if available.contains(prioritization) {
        let resolved = try ResolvedPhotoSettings(settings(size, prioritization), capability: capability)
        #expect(resolved.size == size && resolved.prioritization == prioritization && resolved.reasons.isEmpty)
      } else {
        #expect(throws: CaptureError.unavailable(size: size, at: prioritization)) {
          try ResolvedPhotoSettings(settings(size, prioritization), capability: capability)
        }
      }
    }
  }

  @Test("Sizes are made of the table's frames")
  func madeFrom() throws {
    func frames(_ size: PhotoSize, _ prioritization: PhotoQualityPrioritization) throws -> AvailableFrames {
      try ResolvedPhotoSettings(
        settings(size, prioritization), capability: PhotoCapability(camera: camera(for: size))
      ).frames
    }
    #expect(try frames(.mp12, .speed) == AvailableFrames(binned: 1, fullResolution: 0))
    #expect(try frames(.mp12, .quality).binned > 1)
    let (square, fused) = (try frames(.mp18, .quality), try frames(.mp24, .quality))
    #expect(square.binned > 1 && square.fullResolution == 0)
    #expect(fused.binned > 1 && fused.fullResolution == 1)
    #expect(try frames(.mp48, .balanced) == AvailableFrames(binned: 0, fullResolution: 1))
  }

  @Test func sizesAndDefault() {
    #expect(PhotoSize.standard == .mp24)
    let megapixels = PhotoSize.allCases.map { (Double($0.dimensions.area) / 1e6).rounded() }
    #expect(megapixels == [12, 18, 24, 49])
    let area = Double(PhotoSize.mp24.dimensions.area) / Double(PhotoSize.mp12.dimensions.area)
    #expect(abs(area - 2) < 0.01 && PhotoSize.mp24.relativeFileSize == 1.5)
    for size in PhotoSize.allCases {
      #expect(size.dimensions.width * 3 == size.dimensions.height * 4)
      #expect(PhotoSize(named: size.rawValue.lowercased()) == size)
    }
  }

  @Test("In low light, requests for 24MP and 48MP resolve to 12MP", arguments: [PhotoSize.mp24, .mp48])
  func lowLight(size: PhotoSize) throws {
    let capability = PhotoCapability(camera: .rear)
    let cases: [(SceneLight, ResolvedPhotoSettings.Reason?)] = [
      (SceneLight(iso: 100), nil), (SceneLight(iso: 800), nil), (SceneLight(iso: 3200), .noise),
      (SceneLight(iso: 100, exposureTime: 1), .motion), (SceneLight(iso: 100, exposureTime: 0.01), nil),
      (SceneLight(iso: 100, noise: SceneLight.Noise(slope: 0.01, offset: 0.001)), .noise),
      (SceneLight(iso: 6400, noise: SceneLight.Noise(slope: 1e-5, offset: 0)), nil),
    ]
    for (light, reason) in cases {
      let resolved = try ResolvedPhotoSettings(settings(size, .quality), capability: capability, light: light)
      #expect(resolved.size == (reason == nil ? size : .mp12), "\(light)")
      #expect(resolved.reasons == (reason.map { [$0] } ?? []), "\(light)")
      #expect(resolved.requested.size == size)
    }
    let twelve = try ResolvedPhotoSettings(
      settings(.mp12, .quality), capability: capability, light: SceneLight(iso: 25600))
    #expect(twelve.reasons.isEmpty)
  }

  @Test("More noise never resolves to more pixels")
  func lightIsMonotone() throws {
    var last = Int.max
    for iso in stride(from: 50.0, through: 6400, by: 50) {
      let area = try ResolvedPhotoSettings(
        settings(.mp48, .quality), capability: PhotoCapability(camera: .rear), light: SceneLight(iso: iso)
      ).photoDimensions.area
      #expect(area <= last, "ISO \(iso)")
      last = area
    }
    #expect(last == PhotoSize.mp12.dimensions.area)
  }

  @Test func tooFewFramesMake12MP() throws {
    let one = AvailableFrames(binned: 1, fullResolution: 0)
    for size in [PhotoSize.mp18, .mp24, .mp48] {
      let resolved = try ResolvedPhotoSettings(
        settings(size, .quality), capability: PhotoCapability(camera: camera(for: size)), available: one)
      #expect(resolved.size == .mp12 && resolved.reasons == [.frames], "\(size)")
    }
  }

  @Test("Fast-capture prioritization lowers quality to balanced")
  func rapid() throws {
    let expected: [(PhotoSize, CameraDescriptor, PhotoSize)] = [
      (.mp12, .rear, .mp12), (.mp18, .outer, .mp12), (.mp24, .rear, .mp12), (.mp48, .rear, .mp48),
    ]
    for (asked, camera, made) in expected {
      let resolved = try ResolvedPhotoSettings(
        settings(asked, .quality), capability: PhotoCapability(camera: camera), isRapid: true)
      #expect(resolved.size == made && resolved.prioritization == .balanced, "\(asked)")
      #expect(resolved.reasons == [.fastCapture])
    }
  }

  @Test("Illegal requests name their rule")
  func illegal() throws {
    let rear = PhotoCapability(camera: .rear)
    let capped = PhotoCapability(camera: .rear, maxPrioritization: .balanced)
    let video = PhotoCapability(camera: .rear, preset: .high)
    let cases: [(PhotoCapability, PhotoSize, PhotoQualityPrioritization, CaptureError, String)] = [
      (rear, .mp48, .speed, .unavailable(size: .mp48, at: .speed), "48MP is not made at prioritization speed"),
      (
        rear, .mp24, .balanced, .unavailable(size: .mp24, at: .balanced),
        "24MP is not made at prioritization balanced"
      ),
      (
        rear, .mp18, .quality,
        .unsupportedDimensions(requested: .mp18, camera: "rear", supported: [.mp12, .mp24, .mp48]),
        "18MP exists only on the square front cameras"
      ),
      (
        capped, .mp24, .quality, .prioritizationAboveCap(requested: .quality, cap: .balanced),
        "maxPhotoQualityPrioritization"
      ),
      (video, .mp24, .quality, .presetLacksDimensions(size: .mp24, preset: .high), "only the photo preset"),
      (video, .mp48, .quality, .presetLacksDimensions(size: .mp48, preset: .high), "only the photo preset"),
    ]
    for (capability, size, prioritization, error, rule) in cases {
      #expect(throws: error) {
        try ResolvedPhotoSettings(settings(size, prioritization), capability: capability)
      }
      #expect(error.description.contains(rule), "\(error)")
    }
    #expect(throws: CaptureError.self) {
      try ResolvedPhotoSettings(settings(.mp24, .quality), capability: PhotoCapability(camera: .outer))
    }
  }

  @Test("The cap admits what is not above it")
  func cap() throws {
    for cap in PhotoQualityPrioritization.allCases {
      for asked in PhotoQualityPrioritization.allCases {
        let capability = PhotoCapability(camera: .rear, maxPrioritization: cap)
        if asked <= cap {
          #expect(try ResolvedPhotoSettings(settings(.mp12, asked), capability: capability).prioritization == asked)
        } else {
          #expect(throws: CaptureError.prioritizationAboveCap(requested: asked, cap: cap)) {
            try ResolvedPhotoSettings(settings(.mp12, asked), capability: capability)
          }
        }
      }
    }
  }

  @Test func preparedSettingsMatchByValueAndAreNotUsedThemselves() throws {
    var book = PreparedSettings()
    let capability = PhotoCapability(camera: .rear)
    let prepared = settings(.mp24, .quality, 1)
    try book.prepare([prepared], capability: capability)
    #expect(book.reservedBytes >= PhotoSize.mp48.dimensions.area * 2)
    #expect(throws: CaptureError.settingsUsedTwice(identifier: 1)) { try book.use(prepared) }
    #expect(try book.use(settings(.mp24, .quality, 2)))
    #expect(try !book.use(settings(.mp48, .quality, 3)))
    #expect(throws: CaptureError.settingsUsedTwice(identifier: 3)) { try book.use(settings(.mp12, .speed, 3)) }
    #expect(throws: CaptureError.settingsUsedTwice(identifier: 2)) {
      try book.prepare([settings(.mp12, .speed, 2)], capability: capability)
    }
    #expect(try book.use(settings(.mp24, .quality, 4)), "a refused preparation must change nothing")
  }

  @Test func processingTimesAreLearnt() {
    var times = ProcessingTimes()
    let key = ProcessingTimes.Key(size: .mp24, prioritization: .quality)
    #expect(times.photoProcessingTimeRange(for: key) == nil)
    for seconds in [2.0, 1.5, 3.0, .nan, -1] { times.record(seconds: seconds, for: key) }
    #expect(times.photoProcessingTimeRange(for: key) == 1.5...3.0)
    for _ in 0..<ProcessingTimes.memory { times.record(seconds: 1, for: key) }
    #expect(times.photoProcessingTimeRange(for: key) == 1...1)
    let other = ProcessingTimes.Key(size: .mp12, prioritization: .speed)
    #expect(times.photoProcessingTimeRange(for: other) == nil)
  }
}
