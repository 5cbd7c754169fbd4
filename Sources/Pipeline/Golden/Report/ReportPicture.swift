import ImageCore
import PhotoFiles
import RawFiles
import TIFFTags

/// A picture or mosaic as a report shows it: three channels of 16 bits, stored values stretched to full scale.
///
/// Photosites are drawn grey, and brighter than they are, since linear values look dark. Metrics are not taken from
/// this; it is held in memory as a whole (six bytes a pixel).
struct ReportPicture: Sendable {
  /// Stored pixels, not turned.
  var image: Image<RGB<UInt16>>
  /// Names of the channels that histograms show.
  var channels: [String]
  /// One line: size, samples, kind of file.
  var facts: String

  private static let rowsPerBand = 32

  init(_ path: FilePath, resources: Resources) throws(JobFailure) {
    let kind: FileKind
    do { kind = try FileSniffer.kind(ofFileAt: path) } catch { throw JobFailure(error) }
    if case .dng = kind {
      let photo: RawPhoto
      do { photo = try RawReader().read(path, resources: resources) } catch { throw JobFailure(error) }
      self.init(photo)
    } else {
      do { try self.init(picture: path) } catch { throw JobFailure(error) }
    }
  }

  private init(_ photo: RawPhoto) {
    switch photo.pixels {
    case .mosaic(let mosaic):
      let curve = Self.curve(black: mosaic.levels.black.values.min() ?? 0, white: mosaic.levels.white.max() ?? 1)
      image = Image(mosaic.size) { x, y in
        let grey = curve[Int(mosaic.samples[x, y])]
        return RGB(grey, grey, grey)
      }
      channels = ["photosites"]
      facts = "\(mosaic.size), \(mosaic.cfa) photosites, DNG"
    case .linear(let picture):
      let curve = Self.curve(black: picture.levels.black.values.min() ?? 0, white: picture.levels.white.max() ?? 1)
      image = Image(picture.samples.size) { x, y in
        let pixel = picture.samples[x, y]
        return RGB(curve[Int(pixel.red)], curve[Int(pixel.green)], curve[Int(pixel.blue)])
      }
      channels = Self.colours
      facts = "\(picture.samples.size), linear colours, DNG"
    }
  }

  private static let colours = ["red", "green", "blue"]

  /// Counts → square root of the signal, 0...65535: near enough to how light is seen.
  private static func curve(black: Float, white: Float) -> [UInt16] {
    (0...Int(UInt16.max)).map { count in
      let signal = min(1, max(0, (Float(count) - black) / max(1, white - black)))
      return UInt16((signal.squareRoot() * Float(UInt16.max)).rounded())
    }
  }

  private init(picture path: FilePath) throws(PhotoFileError) {
    let reader = try PictureReader(path: path.bytes)
    let format = reader.format
    let size = reader.size
    var image = Image<RGB<UInt16>>(uninitialized: size)
    let bytesPerRow = size.width * format.bytesPerPixel
    let band = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.rowsPerBand * bytesPerRow, alignment: 64)
    defer { band.deallocate() }
    for start in stride(from: 0, to: size.height, by: Self.rowsPerBand) {
      let count = min(Self.rowsPerBand, size.height - start)
      try reader.read(rows: count, into: band.baseAddress!, bytesPerRow: bytesPerRow)
      image.withMutableRows { rows in
        for y in 0..<count {
          let row = UnsafeRawBufferPointer(rebasing: band[y * bytesPerRow..<(y + 1) * bytesPerRow])
          Self.widen(row, format, into: rows.row(start + y), count: size.width)
        }
      }
    }
    self.image = image
    channels = format.channels.count < 3 ? ["grey"] : Self.colours
    facts = "\(size), \(format), \(reader.container.rawValue.uppercased())"
    if reader.orientation != .up { facts += ", orientation \(reader.orientation.rawValue), shown as stored" }
  }

  private static func widen(
    _ row: UnsafeRawBufferPointer, _ format: PixelFormat, into out: UnsafeMutablePointer<RGB<UInt16>>, count: Int
  ) {
    let step = format.channels.count
    // Grey is three equal colours.
    let (green, blue) = step < 3 ? (0, 0) : (1, 2)
    let eightToSixteen: UInt16 = 257
    func sample(_ index: Int) -> UInt16 {
      switch format.sample {
      case .uint8: return UInt16(row[index]) * eightToSixteen
      case .uint16: return row.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self)
      case .float32:
        // Taken for linear light, as such files are.
        let value = Double(row.loadUnaligned(fromByteOffset: index * 4, as: Float.self))
        let light = value > 0 ? min(1, value) : 0
        return UInt16(intensity: 65535 * TransferFunction.sRGB.encode(light, power: Elementary.power))
      }
    }
    for x in 0..<count {
      out[x] = RGB(sample(x * step), sample(x * step + green), sample(x * step + blue))
    }
  }
}
