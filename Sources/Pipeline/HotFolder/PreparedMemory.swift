import CaptureModel
import ImageCore

/// Memory set aside for coming shots, and the book of what it was set aside for.
struct PreparedMemory {
  /// Bytes that are ready.
  private(set) var bytes = 0
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
  init(
    _ kind: ProcessingTimes.Key?, source: PixelSize?, mosaics: Int, in pool: MemoryPool
  ) throws(JobFailure) {
    guard let kind else { return }
    let settings = nextSettings(kind)
    let camera: CameraDescriptor = kind.size == .mp18 ? .outer : .rear
    do { try book.prepare([settings], capability: PhotoCapability(camera: camera)) } catch { throw JobFailure(error) }
    let full = kind.size.needsFullResolutionFrame ? PhotoSize.mp48.dimensions : kind.size.dimensions
    let photosites = (source ?? full).area
    func padded(_ bytes: Int) -> Int { bytes + bytes / Self.slack }
    let bytesOfPhotosite = 2
    // Pictures need none: they are written in stripes.
    bytes = pool.reserve(byteCount: padded(photosites * bytesOfPhotosite), count: mosaics)
  }

  /// Whether the memory for a shot of a kind was set aside. Each shot has settings of its own, as the rule is.
  mutating func use(_ kind: ProcessingTimes.Key) -> Bool {
    let settings = nextSettings(kind)
    return bytes > 0 && ((try? book.use(settings)) ?? false)
  }

  /// Settings that were never used. What a file's size and a recipe's silence amount to need not be a pair of the model's
  /// table: quality makes every size.
  private mutating func nextSettings(_ kind: ProcessingTimes.Key) -> PhotoSettings {
    lastIdentifier += 1
    let isPair = kind.size.prioritizations.contains(kind.prioritization)
    return PhotoSettings(
      identifier: lastIdentifier, maxPhotoDimensions: kind.size,
      photoQualityPrioritization: isPair ? kind.prioritization : .quality)
  }
}
