public import ImageCore
import PhotoFiles
public import RawFiles
public import TIFFTags

/// What a compared file is.
public struct ComparedFile: Sendable, Hashable, Encodable {
  /// The file's name as shown in messages.
  public var path: String
  /// `TIFF`, `DNG` …
  public var kind: String
  /// Pixels as stored.
  public var storedSize: PixelSize
  /// Channels and samples as stored, `rgb/uint16`; `nil` for captures.
  public var samples: String?
  /// What makes the stored pixels upright (EXIF numbers).
  public var orientation: Int
  /// What stored values mean; `nil` for captures.
  public var profile: String?
  /// The colour filter array of a mosaic.
  public var cfa: String?
}

/// How two files differ.
public struct FileComparison: Sendable, Encodable {
  /// The first file.
  public var left: ComparedFile
  /// The second one.
  public var right: ComparedFile
  /// What their pixels show.
  public var comparison: Comparison
  /// What is said about the pixels and differs, one line each: orientation, profile, levels. No verdict minds them.
  public var differences: [String] = []
}

/// Compares two files of any kind that can be read: two pictures, or two captures.
///
/// Pictures are compared as they are shown: where their orientation tags differ, both are laid upright first, in memory;
/// otherwise they are streamed. A file without a profile is taken for sRGB, which the notes say.
public struct FileComparer: Sendable {
  /// What is computed; nothing else is.
  public var metrics: Set<Metric>
  /// How captures are read.
  public var rawOptions: RawReadOptions
  /// Threads and memory.
  public var resources: Resources

  /// A comparer of these metrics.
  public init(
    metrics: Set<Metric> = Metric.all, rawOptions: RawReadOptions = RawReadOptions(),
    resources: Resources = Resources()
  ) {
    (self.metrics, self.rawOptions, self.resources) = (metrics, rawOptions, resources)
  }

  /// A comparer of these metrics that takes mosaics for having this filter array, whatever their files say.
  public init(metrics: Set<Metric>, cfa: CFAPattern?, resources: Resources) {
    self.init(metrics: metrics, resources: resources)
    rawOptions.cfa = cfa
  }

  /// Takes rows of a ``ImageCore/DifferenceMap``: the picture's size as compared, the first row's number, values.
  public typealias MapWriter = (PixelSize, Int, UnsafeBufferPointer<Float>) -> Void

  /// Compares two files.
  ///
  /// - Parameters:
  ///   - map: what is drawn of each pixel of two pictures; captures are not drawn.
  ///   - writeMap: takes its rows from top to bottom.
  /// - Throws: what reading throws; bad data (65) when the two cannot be compared.
  public func compare(
    _ left: FilePath, _ right: FilePath, map: DifferenceMap? = nil, writeMap: MapWriter? = nil
  ) throws(JobFailure) -> FileComparison {
    let (left, right) = (try opened(left), try opened(right))
    let sides = [try kind(left), try kind(right)]
    if sides[0].isCapture != sides[1].isCapture {
      throw JobFailure(ComparisonError.kinds(sides[0].kind.description, sides[1].kind.description))
    }
    if sides[0].isCapture { return try captures(left, right, sides.map(\.kind)) }
    return try pictures(left, right, map, writeMap)
  }

  /// Standard input becomes a file.
  private func opened(_ path: FilePath) throws(JobFailure) -> FilePath {
    path == FilePath("-") ? try StandardInput.path(spoolingIn: SpoolFile.usualFolder) : path
  }

  private func kind(_ path: FilePath) throws(JobFailure) -> (kind: FileKind, isCapture: Bool) {
    let kind: FileKind
    do { kind = try FileSniffer.kind(ofFileAt: path) } catch { throw JobFailure(naming: path, JobFailure(error)) }
    switch kind {
    case .dng, .raw: return (kind, true)
    default: return (kind, false)
    }
  }

  private func pictures(
    _ left: FilePath, _ right: FilePath, _ map: DifferenceMap?, _ writeMap: MapWriter?
  ) throws(JobFailure) -> FileComparison {
    let sources = [try PictureSource(left), try PictureSource(right)]
    if sources[0].file.orientation != sources[1].file.orientation {
      for source in sources { try source.layUpright(resources) }
    }
    let comparison: PictureComparison
    do {
      comparison = try PictureComparison(
        sources[0].picture, sources[1].picture, metrics: metrics, resources: resources)
    } catch { throw JobFailure(error) }
    let size = sources[0].picture.size
    let sink: PictureComparison.MapWriter? = writeMap.map { write in { y, rows in write(size, y, rows) } }
    var result = try comparison.run(left: sources[0], right: sources[1], map: map, writeMap: sink)
    let files = sources.map(\.file)
    result.notes += zip(["left", "right"], sources).compactMap { side, source in source.note.map { "\(side) \($0)" } }
    if files[0].orientation == files[1].orientation && files[0].orientation != 1 {
      result.notes.append("places are those of the stored pixels, before the orientation tag turns them")
    }
    var report = FileComparison(left: files[0], right: files[1], comparison: result)
    report.note("orientation tag", "\(files[0].orientation)", "\(files[1].orientation)")
    report.note("profile", files[0].profile ?? "none", files[1].profile ?? "none")
    return report
  }

  private func captures(_ left: FilePath, _ right: FilePath, _ kinds: [FileKind]) throws(JobFailure)
    -> FileComparison
  {
    let photos = [try capture(left), try capture(right)]
    let files = zip(zip([left, right], kinds), photos).map { side, photo in
      var file = ComparedFile(
        path: side.0.string, kind: side.1.description, storedSize: photo.pixels.size,
        orientation: Int(photo.orientation.rawValue))
      if case .mosaic(let mosaic) = photo.pixels { file.cfa = mosaic.cfa.description }
      return file
    }
    var report: FileComparison
    do {
      switch (photos[0].pixels, photos[1].pixels) {
      case (.mosaic(let a), .mosaic(let b)):
        let comparison = try MosaicComparison(a, b, metrics: metrics, resources: resources).run()
        report = FileComparison(left: files[0], right: files[1], comparison: comparison)
        report.note("black level", "\(a.levels.black.mean)", "\(b.levels.black.mean)")
        report.note("white level", "\(a.levels.white[0])", "\(b.levels.white[0])")
      case (.linear(let a), .linear(let b)):
        let defined = metrics.intersection(Metric.ofSamples.union([.psnrMu, .alignment]))
        let comparison = try Comparison(
          a.samples, b.samples, metrics: defined, encoding: .linearSRGB, resources: resources)
        report = FileComparison(left: files[0], right: files[1], comparison: comparison)
        report.note("black levels", "\(a.levels.black.values)", "\(b.levels.black.values)")
        report.note("white levels", "\(a.levels.white)", "\(b.levels.white)")
      case (.mosaic, .linear): throw ComparisonError.kinds("a mosaic", "a linear picture")
      case (.linear, .mosaic): throw ComparisonError.kinds("a linear picture", "a mosaic")
      }
    } catch let error as ComparisonError { throw JobFailure(error) } catch {
      throw JobFailure(.badData, "\(error)")
    }
    report.note("orientation tag", "\(files[0].orientation)", "\(files[1].orientation)")
    let seen: Set<Metric> = [.ssim, .msSSIM, .colour, .flip]
    if !metrics.isDisjoint(with: seen) {
      report.comparison.notes.append(
        "captures have no colours before they are developed: ssim, ms-ssim, de and flip are left out")
    }
    return report
  }

  private func capture(_ path: FilePath) throws(JobFailure) -> RawPhoto {
    do { return try RawReader(options: rawOptions).read(path, resources: resources) } catch {
      throw JobFailure(naming: path, JobFailure(error))
    }
  }
}

extension FileComparison {
  fileprivate mutating func note(_ what: String, _ left: String, _ right: String) {
    if left != right { differences.append("\(what): \(left) and \(right)") }
  }
}

extension JobFailure {
  init(_ error: ComparisonError) { self.init(.badData, error.description) }

  /// The failure of one of several files: its name goes in front.
  init(naming path: FilePath, _ failure: JobFailure) {
    self.init(failure.status, "\(path.string): \(failure.message)")
  }
}
