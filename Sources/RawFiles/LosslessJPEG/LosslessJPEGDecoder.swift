import Glibc

/// Decodes one lossless JPEG stream row by row. Reads nothing beyond the bytes it was given, whatever they hold.
struct LosslessJPEGDecoder {
  let header: LosslessJPEGHeader
  private let lookups: [HuffmanLookup]

  /// - Parameter isBeforeDNG11: whether 16 bits follow category 16, as DNG files before 1.1 wrote.
  init(_ bytes: UnsafeRawBufferPointer, isBeforeDNG11: Bool) throws(LosslessJPEGError) {
    header = try LosslessJPEGHeader(bytes)
    // Each sample takes one bit or more: sizes that the data cannot fill are refused before memory is taken.
    let samples = header.width * header.height * header.components
    guard samples <= (bytes.count - header.dataOffset) * 8 else { throw .endsEarly }
    lookups = header.codes.map { HuffmanLookup($0, isBeforeDNG11: isBeforeDNG11) }
  }

  /// Memory that tiles reuse.
  struct Scratch {
    /// Entropy-coded bytes without stuffing, followed by zeros.
    fileprivate var plain: [UInt8] = []
    fileprivate var ends: [Int] = []
    fileprivate var line: [UInt16] = []
    fileprivate var above: [UInt16] = []
  }

  /// Calls `row` with the interleaved samples of each row, at most `rowLimit` of them.
  func decode(
    _ bytes: UnsafeRawBufferPointer, rows rowLimit: Int, _ scratch: inout Scratch,
    row: (_ y: Int, UnsafePointer<UInt16>) -> Void
  ) throws(LosslessJPEGError) {
    let rowSamples = header.width * header.components
    // A row that runs into the padding reads zeros; it is refused when it ends. 4 bytes hold the longest sample.
    let padding = rowSamples * 4 + 16
    removeStuffing(bytes, padding: padding, &scratch)
    if scratch.line.count < rowSamples {
      scratch.line = Array(repeating: 0, count: rowSamples)
      scratch.above = scratch.line
    }
    let plain = scratch.plain, ends = scratch.ends
    var failure: LosslessJPEGError?
    scratch.line.withUnsafeMutableBufferPointer { line in
      scratch.above.withUnsafeMutableBufferPointer { above in
        plain.withUnsafeBufferPointer { data in
          do throws(LosslessJPEGError) {
            try decode(
              data.baseAddress!, ends, line.baseAddress!, above.baseAddress!, min(rowLimit, header.height), row)
          } catch { failure = error }
        }
      }
    }
    if let failure { throw failure }
  }

  private func decode(
    _ data: UnsafePointer<UInt8>, _ ends: [Int], _ first: UnsafeMutablePointer<UInt16>,
    _ second: UnsafeMutablePointer<UInt16>, _ rows: Int, _ body: (Int, UnsafePointer<UInt16>) -> Void
  ) throws(LosslessJPEGError) {
    let (count, components) = (header.width * header.components, header.components)
    var (line, above) = (first, second)
    var segment = 0
    var reader = BitWindow(data)
    for y in 0..<rows {
      let isFirst = header.restartRows > 0 ? y % header.restartRows == 0 : y == 0
      if isFirst && y > 0 {
        guard segment + 1 < ends.count else { throw .endsEarly }
        reader = BitWindow(data + ends[segment])
        segment += 1
      }
      for component in 0..<components {
        let middle = UInt16(1) << UInt16(header.precision - header.pointTransform - 1)
        line[component] = isFirst ? middle : above[component]
      }
      let predictsLeft = isFirst || header.predictor == 1
      let isKnown = decodeRow(&reader, keep: predictsLeft ? UInt16.max : 0, line, count)
      guard reader.position - data <= ends[segment] else { throw .endsEarly }
      guard isKnown else { throw .damaged("its data hold a code that does not exist") }
      if !predictsLeft { predict(line, above, count) }
      if header.pointTransform == 0 {
        body(y, line)
      } else {
        // The row above serves as room for what is shown; prediction needs the line as it is.
        for x in 0..<count { above[x] = line[x] << UInt16(header.pointTransform) }
        body(y, above)
      }
      swap(&line, &above)
    }
  }

  /// One row of differences, each added to the sample `components` before it where `keep` is all ones. The first
  /// `components` samples of `line` hold what the row starts from.
  private func decodeRow(
    _ reader: inout BitWindow, keep: UInt16, _ line: UnsafeMutablePointer<UInt16>, _ count: Int
  ) -> Bool {
    let components = header.components
    let last = lookups.count - 1
    let (one, two) = (lookups[0], lookups[min(1, last)])
    let (three, four) = (lookups[min(2, last)], lookups[min(3, last)])
    return one.fast.withUnsafeBufferPointer { a in
      two.fast.withUnsafeBufferPointer { b in
        three.fast.withUnsafeBufferPointer { c in
          four.fast.withUnsafeBufferPointer { d in
            let tables = (a.baseAddress!, b.baseAddress!, c.baseAddress!, d.baseAddress!)
            var row = RowDecoder(reader: reader, keep: keep, line: line)
            switch components {
            case 1: row.run(count, tables.0, one)
            case 2: row.run(count, tables.0, tables.1, one, two)
            case 3: row.run(count, tables.0, tables.1, tables.2, one, two, three)
            default: row.run(count, tables, one, two, three, four)
            }
            reader = row.reader
            return !row.isUnknown
          }
        }
      }
    }
  }

  /// Adds what the neighbours predict to a row of differences; the first samples are done. T.81 table H.1.
  private func predict(_ line: UnsafeMutablePointer<UInt16>, _ above: UnsafePointer<UInt16>, _ count: Int) {
    let components = header.components
    for x in components..<max(components, count) {
      let (a, b, c) = (Int(line[x - components]), Int(above[x]), Int(above[x - components]))
      let prediction =
        switch header.predictor {
        case 2: b
        case 3: c
        case 4: a + b - c
        case 5: a + (b - c) >> 1
        case 6: b + (a - c) >> 1
        default: (a + b) >> 1
        }
      line[x] &+= UInt16(truncatingIfNeeded: prediction)
    }
  }

  /// Copies the entropy-coded data, dropping stuffed zeros, cutting at restart markers, ending at any other marker.
  private func removeStuffing(_ bytes: UnsafeRawBufferPointer, padding: Int, _ scratch: inout Scratch) {
    let length = bytes.count - header.dataOffset
    if scratch.plain.count < length + padding { scratch.plain = Array(repeating: 0, count: length + padding) }
    scratch.ends = []
    var ends: [Int] = []
    scratch.plain.withUnsafeMutableBytes { plain in
      let target = plain.baseAddress!
      let source = bytes.baseAddress! + header.dataOffset
      var (read, written) = (0, 0)
      while read < length {
        let found = memchr(source + read, 0xFF, length - read)
        let run = found.map { UnsafeRawPointer($0) - (source + read) } ?? length - read
        memcpy(target + written, source + read, run)
        (read, written) = (read + run, written + run)
        if read + 1 >= length { break }
        let next = source.load(fromByteOffset: read + 1, as: UInt8.self)
        if next == 0 {
          target.storeBytes(of: 0xFF, toByteOffset: written, as: UInt8.self)
          (read, written) = (read + 2, written + 1)
        } else if next == 0xFF {
          read += 1
        } else if LosslessJPEGHeader.Marker.restart.contains(next) && header.restartRows > 0 {
          ends.append(written)
          read += 2
        } else {
          break
        }
      }
      ends.append(written)
      memset(target + written, 0, padding)
    }
    scratch.ends = ends
  }
}
