import CLibRaw
import Glibc
import ImageCore

/// What LibRaw's tables say about a camera's own format, as values.
struct LibRawValues {
  let info: clibraw_info

  private func values<Tuple, Element>(_ tuple: Tuple, of type: Element.Type) -> [Element] {
    withUnsafeBytes(of: tuple) { Array($0.bindMemory(to: Element.self)) }
  }

  /// LibRaw's name of the X-Trans pattern in `filters`.
  private static let xTransFilters: UInt32 = 9
  /// Smaller values name patterns of other kinds; a 2x8 mask is larger.
  private static let smallestMask: UInt32 = 1000

  var activeArea: PixelRect {
    PixelRect(x: Int(info.leftMargin), y: Int(info.topMargin), width: Int(info.width), height: Int(info.height))
  }

  var isMosaic: Bool { info.filters != 0 || info.colours == 1 }

  /// The colours of LibRaw's indices 0...3.
  var indexColours: [CFAColour] {
    let letters = withUnsafeBytes(of: info.cdesc) { Array($0.prefix(4)) }
    return (0..<4).map { index in
      CFAColour(letter: Character(UnicodeScalar(letters[index]))) ?? (index == 3 ? .green : .allCases[index])
    }
  }

  /// LibRaw's colour indices, phased to the visible area.
  func indices() throws(RawReadError) -> (width: Int, height: Int, cell: [Int]) {
    if info.filters == Self.xTransFilters {
      return (6, 6, values(info.xtrans, of: UInt8.self).map { Int($0 & 3) })
    }
    if info.filters == 0 { return (1, 1, [0]) }
    guard info.filters >= Self.smallestMask else { throw .unsupportedCodec("colour filter array of 16x16") }
    func index(_ x: Int, _ y: Int) -> Int { Int(info.filters >> UInt32(((y << 1 & 14) + (x & 1)) << 1) & 3) }
    let height =
      [2, 4, 8].first { period in
        (0..<8).allSatisfy { y in index(0, y) == index(0, y % period) && index(1, y) == index(1, y % period) }
      } ?? 8
    return (2, height, (0..<height).flatMap { y in [index(0, y), index(1, y)] })
  }

  func cfa() throws(RawReadError) -> CFAPattern {
    let (width, height, cell) = try indices()
    if info.filters == 0 { return CFAPattern(width: 1, height: 1, colours: [.white])! }
    let names = indexColours
    return CFAPattern(width: width, height: height, colours: cell.map { names[$0] })!
  }

  func levels(_ decoder: LibRawDecoder) throws(RawReadError) -> SensorLevels {
    let channel = values(info.channelBlack, of: UInt32.self).map { Float($0) }
    let base = Float(info.black)
    let white = Float(info.maximum)
    guard isMosaic else {
      let cell = (0..<3).map { base + channel[$0] }
      return SensorLevels(
        black: BlackLevel(width: 1, height: 1, planes: 3, values: cell), white: Array(repeating: white, count: 3))
    }
    let (width, height, indices) = try indices()
    let periodLimit = 64
    let rows = (1...periodLimit).contains(Int(info.blackRows)) ? Int(info.blackRows) : 1
    let columns = (1...periodLimit).contains(Int(info.blackColumns)) ? Int(info.blackColumns) : 1
    let (cellWidth, cellHeight) = (Self.leastCommonMultiple(width, columns), Self.leastCommonMultiple(height, rows))
    var cell: [Float] = []
    for y in 0..<cellHeight {
      for x in 0..<cellWidth {
        cell.append(
          base + channel[indices[y % height * width + x % width]] + decoder.blackCell(row: y, column: x))
      }
    }
    if let first = cell.first, cell.allSatisfy({ $0 == first }) { return SensorLevels(black: first, white: white) }
    return SensorLevels(black: BlackLevel(width: cellWidth, height: cellHeight, values: cell), white: [white])
  }

  /// EXIF LightSource; LibRaw's tables are those of DNG's second illuminant.
  private static let daylightD65 = 21

  var calibration: ColourCalibration {
    let names = indexColours
    var order: [Int] = []
    for index in 0..<max(3, min(4, Int(info.colours))) where !order.contains(where: { names[$0] == names[index] }) {
      order.append(index)
    }
    var result = ColourCalibration(colours: order.map { names[$0] })
    let table = values(info.camXYZ, of: Float.self).map { Double($0) }
    let rows = order.flatMap { table[$0 * 3..<$0 * 3 + 3] }
    if rows.allSatisfy(\.isFinite), rows.contains(where: { $0 != 0 }) {
      result.profiles = [
        .init(illuminant: .exif(Self.daylightD65), colorMatrix: Matrix(rows: order.count, columns: 3, values: rows))
      ]
    } else if order.count == 3, let matrix = matrixFromSRGB {
      result.profiles = [.init(illuminant: .exif(Self.daylightD65), colorMatrix: matrix)]
    }
    let gains = values(info.camMul, of: Float.self).map { Double($0) }
    let used = order.map { gains[$0] }
    if used.allSatisfy({ $0.isFinite && $0 > 0 }), let least = used.min() {
      result.asShotWhite = .neutral(used.map { least / $0 })
    }
    return result
  }

  /// XYZ → camera from LibRaw's camera → sRGB table: old cameras have only this one.
  private var matrixFromSRGB: Matrix? {
    let table = values(info.rgbCam, of: Float.self).map { Double($0) }
    let toSRGB = Matrix(rows: 3, columns: 3, values: (0..<3).flatMap { row in (0..<3).map { table[row * 4 + $0] } })
    guard table.allSatisfy(\.isFinite), toSRGB != .identity(3), let toCamera = toSRGB.inverse,
      let fromXYZ = OutputColourSpace.sRGB.toXYZ.inverse
    else { return nil }
    return toCamera * fromXYZ
  }

  var facts: CaptureFacts {
    var facts = CaptureFacts()
    func positive(_ value: Float) -> Double? { value.isFinite && value > 0 ? Double(value) : nil }
    facts.make = text(info.make)
    facts.model = text(info.model)
    facts.lens = text(info.lens)
    facts.software = text(info.software)
    facts.exposureTime = positive(info.shutter)
    facts.fNumber = positive(info.aperture)
    facts.iso = positive(info.iso)
    facts.focalLength = positive(info.focalLength)
    facts.dateTime = Self.dateText(info.timestamp)
    return facts
  }

  private static func dateText(_ timestamp: Int64) -> String? {
    guard timestamp > 0 else { return nil }
    var seconds = time_t(timestamp)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return nil }
    func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let firstYear: Int32 = 1900  // of struct tm
    return "\(parts.tm_year + firstYear):\(two(parts.tm_mon + 1)):\(two(parts.tm_mday)) "
      + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
  }

  private static func leastCommonMultiple(_ a: Int, _ b: Int) -> Int {
    var (x, y) = (a, b)
    while y != 0 { (x, y) = (y, x % y) }
    return a / x * b
  }
}
