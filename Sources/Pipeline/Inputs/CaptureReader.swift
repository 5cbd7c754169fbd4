public import ImageCore
public import RawFiles
public import TIFFTags

/// What is known about a capture's colour filter array, for the report.
public struct CFAFinding: Sendable, Hashable, Codable {
  /// Why the used pattern is used.
  public enum Source: String, Sendable, Hashable, Codable {
    /// The user gave it.
    case given
    /// The file declares it.
    case declared
    /// The pixels show it, against the file's declaration.
    case measured
  }

  /// What the file declares; `nil` when the user's word replaced it.
  public var declared: String?
  /// What the pixels show; `nil` when they show nothing or were not asked.
  public var measured: String?
  /// Of the measurement, 0...1: see ``ImageCore/CFAMeasurement/confidence``.
  public var confidence: Double?
  /// What the capture is read with.
  public var used: String
  /// Why.
  public var source: Source
}

/// A capture that is read, and what was found out about its sensor.
public struct ReadCapture: Sendable {
  /// Its pixels and facts, with the settled pattern.
  public var photo: RawPhoto
  /// `nil` for linear pictures.
  public var cfa: CFAFinding?
  /// What the user should know; one line without the file's name.
  public var warning: String?
}

/// What a file declares and what its pixels show.
public struct CaptureSurvey: Sendable {
  /// What the file declares.
  public var description: RawDescription
  /// Black and white; `nil` when neither tags nor pixels could tell.
  public var levels: SensorLevels?
  /// `nil` when the pixels were not read or are no mosaic.
  public var cfa: CFAMeasurement?
  /// What the user should know; one line without the file's name.
  public var warning: String?
}

/// Reads captures and settles their colour filter array: what the user gives, else what the file declares, except that
/// a 2x2 tag on pixels that are certainly clusters is not believed.
public struct CaptureReader: Sendable {
  /// How the file is read; a pattern that is given here is not questioned.
  public var options: RawReadOptions

  /// A reader; nothing is read yet.
  public init(options: RawReadOptions = RawReadOptions()) {
    self.options = options
  }

  /// Decodes a capture and settles its pattern.
  public func read(_ path: FilePath, resources: Resources = Resources()) throws(JobFailure) -> ReadCapture {
    let photo: RawPhoto
    do { photo = try RawReader(options: options).read(path, resources: resources) } catch { throw JobFailure(error) }
    guard case .mosaic(var mosaic) = photo.pixels else { return ReadCapture(photo: photo) }
    let name = mosaic.cfa.description
    guard options.cfa == nil else {
      return ReadCapture(photo: photo, cfa: CFAFinding(used: name, source: .given))
    }
    let measurement = CFAProbe().measure(mosaic, workers: resources.workers)
    var capture = ReadCapture(
      photo: photo,
      cfa: CFAFinding(
        declared: name, measured: measurement.pattern?.description, confidence: measurement.confidence, used: name,
        source: .declared))
    guard let found = Self.contradiction(of: measurement, to: mosaic.cfa) else { return capture }
    capture.warning = found.warning
    if found.isActedOn {
      mosaic.cfa = found.pattern
      capture.photo.pixels = .mosaic(mosaic)
      capture.cfa?.used = found.pattern.description
      capture.cfa?.source = .measured
    }
    return capture
  }

  /// What a file declares and, as far as its pixels can be read, what they show.
  public func survey(_ path: FilePath, resources: Resources = Resources()) throws(JobFailure) -> CaptureSurvey {
    let reader = RawReader(options: options)
    let description: RawDescription
    do { description = try reader.describe(path) } catch { throw JobFailure(error) }
    var survey = CaptureSurvey(description: description, levels: description.levels)
    do throws(RawReadError) {
      switch try reader.read(path, resources: resources).pixels {
      case .linear(let picture): survey.levels = picture.levels
      case .mosaic(let mosaic):
        survey.levels = mosaic.levels
        let measurement = CFAProbe().measure(mosaic, workers: resources.workers)
        survey.cfa = measurement
        survey.warning = Self.contradiction(of: measurement, to: mosaic.cfa)?.warning
      }
    } catch { survey.warning = "the pixels were not looked at: it \(error.description)" }
    return survey
  }

  private struct Contradiction {
    let pattern: CFAPattern
    /// Whether the pixels win.
    let isActedOn: Bool
    let warning: String
  }

  private static func contradiction(of measurement: CFAMeasurement, to declared: CFAPattern) -> Contradiction? {
    guard measurement.isCertain, let pattern = measurement.pattern, pattern != declared else { return nil }
    let isActedOn = declared.isBayer && (pattern.clusters?.side ?? 1) > 1
    let confidence = "confidence \(Int((measurement.confidence * 100).rounded())) %"
    let warning =
      isActedOn
      ? "is tagged \(declared), but its pixels are \(pattern) (\(confidence)) and are read so; --cfa overrides"
      : "is tagged \(declared), but its pixels look like \(pattern) (\(confidence)); the tag is kept, --cfa overrides"
    return Contradiction(pattern: pattern, isActedOn: isActedOn, warning: warning)
  }
}
