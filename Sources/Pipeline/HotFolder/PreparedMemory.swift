import CaptureModel
import ImageCore

/// Memory set aside for coming shots, and the book of what it was set aside for.
struct PreparedMemory {
  /// Bytes that are ready.
  let bytes: Int
  private let values: PhotoSettings.Values?
  private var book = PreparedSettings()
  private var lastIdentifier = 0

  /// A part of this size is added to blocks: rows are padded, and sensors have more photosites than pixels are shown.
  private static let slack = 16

  /// Fills `pool` for shots of a kind.
  ///
  /// - Parameters:
  ///   - kind: `nil` when nothing is known of coming shots: nothing is set aside then.
  ///   - source: photosites of a coming file, when known from the last one; else the model's for the kind.
  ///   - mosaics: files that are in memory at the same time.
  ///   - pictureBytes: bytes of a finished pixel; 0 when no finished picture of full size is made.
  init(
    _ kind: ProcessingTimes.Key?, source: PixelSize?, mosaics: Int, pictureBytes: Int, in pool: MemoryPool
  ) throws(JobFailure) {
    guard let kind, kind.size.prioritizations.contains(kind.prioritization) else {
      (bytes, values) = (0, nil)
      return
    }
    lastIdentifier = 1
    let settings = PhotoSettings(
      identifier: lastIdentifier, maxPhotoDimensions: kind.size, photoQualityPrioritization: kind.prioritization)
    let camera: CameraDescriptor = kind.size == .mp18 ? .outer : .rear
    do { try book.prepare([settings], capability: PhotoCapability(camera: camera)) } catch { throw JobFailure(error) }
    let full = kind.size.needsFullResolutionFrame ? PhotoSize.mp48.dimensions : kind.size.dimensions
    let photosites = (source ?? full).area
    func padded(_ bytes: Int) -> Int { bytes + bytes / Self.slack }
    let bytesOfPhotosite = 2
    var ready = pool.reserve(byteCount: padded(photosites * bytesOfPhotosite), count: mosaics)
    if pictureBytes > 0 {
      let pixels = min(kind.size.dimensions.area, photosites)
      ready += pool.reserve(byteCount: padded(pixels * pictureBytes), count: 1)
    }
    bytes = ready
    values = settings.values
  }

  /// Whether the memory for a shot of a kind was set aside. Each shot has settings of its own, as the rule is.
  mutating func use(_ kind: ProcessingTimes.Key) -> Bool {
    lastIdentifier += 1
    let settings = PhotoSettings(
      identifier: lastIdentifier, maxPhotoDimensions: kind.size, photoQualityPrioritization: kind.prioritization)
    return bytes > 0 && ((try? book.use(settings)) ?? false)
  }
}
