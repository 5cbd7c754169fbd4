import ImageCore
import TIFFTags

/// What a DNG's tags say about its samples, as values.
struct DNGValues: Sendable {
  let layout: DNGLayout
  private var raw: TIFFDirectory { layout.raw }
  private var main: TIFFDirectory { layout.main }

  init(_ layout: DNGLayout) {
    self.layout = layout
  }

  /// The pattern phased to the active area; `nil` for a linear picture of three planes.
  func cfa() throws(RawReadError) -> CFAPattern? {
    if layout.isLinear {
      return layout.samples == 1 ? CFAPattern(width: 1, height: 1, colours: [.white]) : nil
    }
    if let cfaLayout = raw.integer(DNGTag.cfaLayout), cfaLayout != 1 {
      throw .unsupportedCodec("staggered colour filter array, CFALayout \(cfaLayout)")
    }
    guard let period = raw.integers(DNGTag.cfaRepeat), period.count == 2, let codes = raw.bytes(DNGTag.cfaPattern)
    else { throw .damaged("it does not say what its colour filter array is") }
    let colours = codes.compactMap { CFAColour(rawValue: $0) }
    guard colours.count == codes.count,
      let pattern = CFAPattern(width: period[1], height: period[0], colours: colours)
    else { throw .damaged("its colour filter array of \(period[1])x\(period[0]) is none of ours") }
    return pattern.reduced
  }

  /// Black and white of the active area.
  func levels() throws(RawReadError) -> SensorLevels {
    let planes = layout.samples
    let period = raw.integers(DNGTag.blackRepeat) ?? [1, 1]
    let periodLimit = 64
    guard period.count == 2, period.allSatisfy({ (1...periodLimit).contains($0) }) else {
      throw .damaged("the period of its black level is none")
    }
    let cell = period[0] * period[1] * planes
    var values = raw.numbers(DNGTag.black) ?? [0]
    if values.count == 1 { values = Array(repeating: values[0], count: cell) }
    let columns = raw.numbers(DNGTag.blackDeltaH) ?? []
    let rows = raw.numbers(DNGTag.blackDeltaV) ?? []
    guard values.count >= cell, columns.isEmpty || columns.count == layout.activeArea.width,
      rows.isEmpty || rows.count == layout.activeArea.height,
      (values + columns + rows).allSatisfy({ Float($0).isFinite })
    else { throw .damaged("its black level does not fit its size") }
    let black = BlackLevel(
      width: period[1], height: period[0], planes: planes, values: values.prefix(cell).map { Float($0) },
      columnDeltas: columns.map { Float($0) }, rowDeltas: rows.map { Float($0) })
    var white = raw.numbers(DNGTag.white) ?? []
    if white.isEmpty { white = [layout.isFloat ? 1 : Double(1 << layout.bits - 1)] }
    while white.count < planes { white.append(white[0]) }
    guard zip(white, 0..<planes).allSatisfy({ Float($0.0).isFinite && Float($0.0) > black.mean }) else {
      throw .damaged("its white level is not above its black level")
    }
    return SensorLevels(black: black, white: white.prefix(planes).map { Float($0) })
  }

  var defaultCrop: PixelRect {
    let whole = PixelRect(layout.activeArea.size)
    guard let origin = raw.numbers(DNGTag.cropOrigin), let size = raw.numbers(DNGTag.cropSize), origin.count == 2,
      size.count == 2, (origin + size).allSatisfy({ $0.isFinite && abs($0) < Double(Int32.max) })
    else { return whole }
    let crop = PixelRect(
      x: Int(origin[0].rounded()), y: Int(origin[1].rounded()), width: Int(size[0].rounded()),
      height: Int(size[1].rounded()))
    let inside = whole.intersection(crop)
    return inside.isEmpty ? whole : inside
  }

  var userCrop: UnitRect? {
    guard let edges = layout.shared(DNGTag.userCrop), edges.count == 4,
      edges.allSatisfy({ $0 >= 0 && $0 <= 1 }), edges[2] > edges[0], edges[3] > edges[1]
    else { return nil }
    return UnitRect(top: edges[0], left: edges[1], bottom: edges[2], right: edges[3])
  }

  var pixelAspect: Double {
    guard let scale = raw.numbers(DNGTag.defaultScale), scale.count == 2, scale[0] > 0, scale[1] > 0,
      (scale[0] / scale[1]).isFinite
    else { return 1 }
    return scale[0] / scale[1]
  }

  var orientation: Orientation {
    Orientation(exif: main.integer(DNGTag.orientation) ?? raw.integer(DNGTag.orientation) ?? 1) ?? .up
  }

  var baselineExposure: Double {
    let value = layout.shared(DNGTag.baselineExposure)?.first ?? 0
    return value.isFinite ? value : 0
  }

  var noise: NoiseProfile? {
    guard let values = layout.shared(DNGTag.noiseProfile), values.count >= 2, values.count % 2 == 0,
      values.allSatisfy({ $0.isFinite && $0 >= 0 })
    else { return nil }
    return NoiseProfile(
      planes: stride(from: 0, to: values.count, by: 2).map { .init(scale: values[$0], offset: values[$0 + 1]) })
  }

  /// The lookup from stored to linear counts, or `nil`.
  var linearization: [UInt16]? {
    raw.numbers(DNGTag.linearizationTable)?.map { UInt16(max(0, min($0, Double(UInt16.max)))) }
  }

  var calibration: ColourCalibration {
    var result = ColourCalibration()
    let codes = raw.bytes(DNGTag.cfaPlaneColor) ?? [0, 1, 2]
    let colours = codes.compactMap { CFAColour(rawValue: $0) }
    if !layout.isLinear { result.colours = colours }
    let count = result.colours.count
    func matrix(_ tag: UInt16, _ rows: Int, _ columns: Int) -> Matrix? {
      guard let values = layout.shared(tag), values.count == rows * columns, values.allSatisfy(\.isFinite),
        values.contains(where: { $0 != 0 })
      else { return nil }
      return Matrix(rows: rows, columns: columns, values: values)
    }
    for index in DNGTag.colorMatrix.indices {
      guard let color = matrix(DNGTag.colorMatrix[index], count, 3) else { continue }
      let illuminant = layout.shared(DNGTag.illuminant[index])?.first.flatMap { Int(exactly: $0) } ?? 0
      result.profiles.append(
        .init(
          illuminant: .exif(illuminant), colorMatrix: color,
          forwardMatrix: matrix(DNGTag.forwardMatrix[index], 3, count),
          cameraCalibration: matrix(DNGTag.cameraCalibration[index], count, count)))
    }
    func positive(_ tag: UInt16, _ count: Int) -> [Double]? {
      guard let values = layout.shared(tag), values.count == count, values.allSatisfy({ $0.isFinite && $0 > 0 })
      else { return nil }
      return values
    }
    result.analogBalance = positive(DNGTag.analogBalance, count) ?? []
    if let neutral = positive(DNGTag.asShotNeutral, count) {
      result.asShotWhite = .neutral(neutral)
    } else if let xy = positive(DNGTag.asShotWhiteXY, 2) {
      result.asShotWhite = .chromaticity(Chromaticity(x: xy[0], y: xy[1]))
    }
    return result
  }

  /// What the file asks to be done with its pixels.
  func opcodes() throws(RawReadError) -> OpcodePlan {
    try OpcodePlan(raw, lossy: layout.compression == DNGTag.compressionLossyJPEG)
  }
}

extension CaptureFacts {
  /// The facts of a TIFF file's first directory and its EXIF directory.
  init(_ file: TIFFFile) {
    self.init()
    let main = file.directories[0]
    make = main.text(DNGTag.make)
    model = main.text(DNGTag.model) ?? main.text(DNGTag.uniqueModel)
    software = main.text(DNGTag.software)
    let exif = file.exif(of: main) ?? main
    func positive(_ tag: UInt16) -> Double? {
      guard let value = exif.number(tag), value.isFinite, value > 0 else { return nil }
      return value
    }
    exposureTime = positive(DNGTag.exposureTime)
    fNumber = positive(DNGTag.fNumber)
    iso = positive(DNGTag.iso)
    // The short integer of ISO ends at 65535, which then means "look at the tags of EXIF 2.3".
    let longer = [DNGTag.recommendedExposureIndex, DNGTag.isoSpeed, DNGTag.standardOutputSensitivity]
    if (iso ?? Double(UInt16.max)) >= Double(UInt16.max), let value = longer.lazy.compactMap(positive).first {
      iso = value
    }
    focalLength = positive(DNGTag.focalLength)
    dateTime = exif.text(DNGTag.dateTimeOriginal)
    lens = exif.text(DNGTag.lensModel)
    exposureBias = exif.number(DNGTag.exposureBias).flatMap { $0.isFinite ? $0 : nil }
    isAutoBracket = exif.integer(DNGTag.exposureMode).map { $0 == DNGTag.autoBracket }
  }
}
