public import ImageCore
import TIFFTags

/// The samples of a floating-point DNG, which stand in for the counts of the photo that describes them.
///
/// DNG 1.4, chapter 2: SampleFormat 3, BitsPerSample 32, black 0 and white 1.
public struct DNGFloatSamples: Sendable {
  /// Light of every sample, as the photo lays it out; black is 0.
  public enum Light: Sendable {
    /// Under the photo's filter array.
    case mosaic(Image<Float>)
    /// Red, green and blue at every pixel.
    case linear(Image<RGB<Float>>)
  }

  /// Light of every sample.
  public let light: Light
  /// What light is multiplied by when it is written, so that white becomes 1.
  public let scale: Float

  /// Light that is `scale` times as large in the file.
  public init(_ light: Light, scale: Float = 1) {
    (self.light, self.scale) = (light, scale)
  }

  var size: PixelSize {
    switch light {
    case .mosaic(let image): image.size
    case .linear(let image): image.size
    }
  }
}

extension DNGFloatSamples {
  /// Bytes handed to the system at once.
  private static let gatheredBytes = 1 << 20

  /// Writes the samples in one strip, and in front of them everything that `layout` holds.
  ///
  /// - Returns: the size of the file.
  func write(_ layout: inout DNGFileLayout, to descriptor: Int32) throws(DNGWriteError) -> Int {
    switch light {
    case .mosaic(let image):
      return try image.withRows { (rows) throws(DNGWriteError) in
        try write(rows, &layout, descriptor)
      }
    case .linear(let image):
      return try image.withRows { (rows) throws(DNGWriteError) in
        let planes = 3
        let samples = PixelRows(
          base: UnsafeRawPointer(rows.base).assumingMemoryBound(to: Float.self), width: rows.width * planes,
          height: rows.height, stride: rows.stride * planes)
        return try write(samples, &layout, descriptor)
      }
    }
  }

  private func write(
    _ rows: PixelRows<Float>, _ layout: inout DNGFileLayout, _ descriptor: Int32
  ) throws(DNGWriteError) -> Int {
    let rowBytes = rows.width * MemoryLayout<Float>.size
    let byteCount = rowBytes * rows.height
    layout.setRaw(DNGTag.compression, .shorts([UInt16(DNGTag.compressionNone)]))
    layout.setRaw(DNGTag.rowsPerStrip, .longs([UInt32(rows.height)]))
    layout.setRaw(DNGTag.stripOffsets, .longs([0]))
    layout.setRaw(DNGTag.stripByteCounts, .longs([0]))
    let start = layout.place()
    guard let offset = UInt32(exactly: start), UInt32(exactly: start + byteCount) != nil else { throw .tooLarge }
    layout.setRaw(DNGTag.stripOffsets, .longs([offset]))
    layout.setRaw(DNGTag.stripByteCounts, .longs([UInt32(byteCount)]))
    try DNGWriter.writeAll(layout.head(until: start), to: descriptor, at: 0)
    let rowsPerWrite = max(1, Self.gatheredBytes / rowBytes)
    var gathered = [Float](repeating: 0, count: rowsPerWrite * rows.width)
    for first in stride(from: 0, to: rows.height, by: rowsPerWrite) {
      let count = min(rowsPerWrite, rows.height - first)
      try gathered.withUnsafeMutableBufferPointer { (buffer) throws(DNGWriteError) in
        let out = buffer.baseAddress!
        for y in 0..<count {
          let (source, target) = (rows.row(first + y), out + y * rows.width)
          for x in 0..<rows.width { target[x] = source[x] * scale }
        }
        try DNGWriter.writeAll(
          UnsafeRawBufferPointer(start: out, count: count * rowBytes), to: descriptor, at: start + first * rowBytes)
      }
    }
    return start + byteCount
  }
}
