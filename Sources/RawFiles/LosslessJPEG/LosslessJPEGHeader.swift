/// Why a lossless JPEG stream is not one that can be read.
enum LosslessJPEGError: Error, Hashable {
  /// A frame of another process: baseline, progressive, arithmetic.
  case otherProcess(marker: UInt8)
  /// What contradicts the standard.
  case damaged(String)
  /// The data end before the samples do.
  case endsEarly
}

/// What the markers before the entropy-coded data say. ITU-T T.81, annex B, lossless process 14 (SOF3).
struct LosslessJPEGHeader {
  /// Samples of a row and component, and rows.
  let width: Int
  let height: Int
  /// Interleaved components, 1...4.
  let components: Int
  /// Bits a sample, 2...16.
  let precision: Int
  /// Which neighbours predict: 1...7, table H.1.
  let predictor: Int
  /// Low bits that were cut off.
  let pointTransform: Int
  /// Rows between two restart markers; 0 for none.
  let restartRows: Int
  /// The code of each component.
  let codes: [HuffmanCode]
  /// Where the entropy-coded data start.
  let dataOffset: Int

  /// Codes of ISO 10918-1 table B.1.
  enum Marker {
    static let startOfImage: UInt8 = 0xD8
    static let endOfImage: UInt8 = 0xD9
    static let losslessFrame: UInt8 = 0xC3
    static let huffmanTables: UInt8 = 0xC4
    static let arithmeticConditioning: UInt8 = 0xCC
    static let startOfScan: UInt8 = 0xDA
    static let restartInterval: UInt8 = 0xDD
    static let restart: ClosedRange<UInt8> = 0xD0...0xD7
    static let frames: ClosedRange<UInt8> = 0xC0...0xCF
  }

  /// T.81 B.2.3: a scan has at most four components.
  static let maxComponents = 4

  init(_ bytes: UnsafeRawBufferPointer) throws(LosslessJPEGError) {
    var parser = Parser(bytes: bytes)
    try parser.run()
    guard let frame = parser.frame, let scan = parser.scan else { throw .damaged("it has no frame or no scan") }
    (width, height, components, precision) = (frame.width, frame.height, frame.components.count, frame.precision)
    (predictor, pointTransform) = (scan.predictor, scan.pointTransform)
    guard (1...7).contains(predictor), pointTransform < precision else {
      throw .damaged("its predictor \(predictor) or point transform \(pointTransform) does not exist")
    }
    guard parser.restartInterval % width == 0 else {
      throw .damaged("its restart interval is no whole number of rows")
    }
    restartRows = parser.restartInterval / width
    var codes: [HuffmanCode] = []
    for selector in scan.tables {
      guard let code = parser.tables[selector] else { throw .damaged("a Huffman table is missing") }
      codes.append(code)
    }
    self.codes = codes
    dataOffset = parser.position
  }

  /// The marker of the first frame, or `nil` when there is none.
  static func frameMarker(_ bytes: UnsafeRawBufferPointer) -> UInt8? {
    var parser = Parser(bytes: bytes)
    do { try parser.run() } catch .otherProcess(let marker) { return marker } catch {}
    return parser.frame == nil ? nil : Marker.losslessFrame
  }
}

/// Walks the marker segments.
private struct Parser {
  typealias Marker = LosslessJPEGHeader.Marker

  struct Frame {
    let width: Int
    let height: Int
    let precision: Int
    let components: [UInt8]
  }

  struct Scan {
    let tables: [Int]
    let predictor: Int
    let pointTransform: Int
  }

  let bytes: UnsafeRawBufferPointer
  var position = 0
  var frame: Frame?
  var scan: Scan?
  var tables: [Int: HuffmanCode] = [:]
  var restartInterval = 0

  init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func byte() throws(LosslessJPEGError) -> Int {
    guard position < bytes.count else { throw .endsEarly }
    defer { position += 1 }
    return Int(bytes[position])
  }

  mutating func word() throws(LosslessJPEGError) -> Int { try byte() << 8 | byte() }

  mutating func run() throws(LosslessJPEGError) {
    guard try byte() == 0xFF, try byte() == Int(Marker.startOfImage) else {
      throw .damaged("it does not begin like a JPEG stream")
    }
    while scan == nil {
      guard try byte() == 0xFF else { throw .damaged("a marker is missing") }
      var code = try byte()
      while code == 0xFF { code = try byte() }
      let marker = UInt8(code)
      if marker == Marker.endOfImage { throw .damaged("it has no scan") }
      let length = try word()
      let end = position + length - 2
      guard length >= 2 else { throw .damaged("a marker segment has no length") }
      guard end <= bytes.count else { throw .endsEarly }
      switch marker {
      case Marker.losslessFrame: try readFrame()
      case Marker.huffmanTables: try readTables(until: end)
      case Marker.restartInterval: restartInterval = try word()
      case Marker.startOfScan: try readScan()
      case Marker.arithmeticConditioning: throw .otherProcess(marker: marker)
      case _ where Marker.frames.contains(marker): throw .otherProcess(marker: marker)
      default: break
      }
      guard position <= end else { throw .damaged("a marker segment is longer than it says") }
      position = end
    }
  }

  private mutating func readFrame() throws(LosslessJPEGError) {
    guard frame == nil else { throw .damaged("it has two frames") }
    let precision = try byte()
    let height = try word()
    let width = try word()
    let count = try byte()
    guard (2...16).contains(precision), width > 0, height > 0, (1...LosslessJPEGHeader.maxComponents).contains(count)
    else { throw .damaged("its frame of \(width)x\(height), \(count) components, \(precision) bits is none") }
    var components: [UInt8] = []
    for _ in 0..<count {
      components.append(UInt8(try byte()))
      let sampling = try byte()
      _ = try byte()
      let unsampled = 0x11
      guard sampling == unsampled || count == 1 else { throw .damaged("its components differ in size") }
    }
    frame = Frame(width: width, height: height, precision: precision, components: components)
  }

  private mutating func readTables(until end: Int) throws(LosslessJPEGError) {
    while position < end {
      let selector = try byte()
      var counts: [Int] = []
      for _ in 0..<HuffmanCode.maxLength { counts.append(try byte()) }
      var symbols: [UInt8] = []
      for _ in 0..<counts.reduce(0, +) { symbols.append(UInt8(try byte())) }
      guard let code = HuffmanCode(counts: counts, symbols: symbols) else {
        throw .damaged("a Huffman table contradicts itself")
      }
      tables[selector & 0x0F] = code
    }
  }

  private mutating func readScan() throws(LosslessJPEGError) {
    guard let frame else { throw .damaged("its scan comes before its frame") }
    guard try byte() == frame.components.count else { throw .damaged("its scan leaves components out") }
    var selectors: [Int] = []
    for component in frame.components {
      guard try byte() == Int(component) else { throw .damaged("its scan names other components than its frame") }
      selectors.append(try byte() >> 4)
    }
    let predictor = try byte()
    _ = try byte()
    scan = Scan(tables: selectors, predictor: predictor, pointTransform: try byte() & 0x0F)
  }
}
