import ImageCore
import PhotoFiles
import TIFFTags

/// A picture file as it is shown, in 8 bits, for pages on which two are laid side by side.
struct ShownPicture {
  let pixels: Image<RGB<UInt8>>
  /// Of the stored values, which are kept; linear floating point becomes sRGB.
  let icc: [UInt8]

  private static let rowsPerBand = 64

  init(_ path: FilePath, resources: Resources) throws(JobFailure) {
    let source = try PictureSource(path)
    try source.layUpright(resources)
    let (size, format) = (source.picture.size, source.picture.format)
    let isFloat = format.sample == .float32
    icc = isFloat || source.icc.isEmpty ? ICCProfile.bytes(for: .sRGB, linear: false) : source.icc
    var image = Image<RGB<UInt8>>(uninitialized: size, in: resources.pool)
    let bytesPerRow = size.width * format.bytesPerPixel
    let band = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.rowsPerBand * bytesPerRow, alignment: 64)
    defer { band.deallocate() }
    for top in stride(from: 0, to: size.height, by: Self.rowsPerBand) {
      let count = min(Self.rowsPerBand, size.height - top)
      try source.read(rows: count, into: band.baseAddress!, bytesPerRow: bytesPerRow)
      image.withMutableRows { rows in
        for y in 0..<count {
          Self.narrow(band.baseAddress! + y * bytesPerRow, format, into: rows.row(top + y), count: size.width)
        }
      }
    }
    pixels = image
  }

  private static func narrow(
    _ row: UnsafeMutableRawPointer, _ format: PixelFormat, into out: UnsafeMutablePointer<RGB<UInt8>>, count: Int
  ) {
    let step = format.channels.count
    let (green, blue) = step < 3 ? (0, 0) : (1, 2)
    for x in 0..<count {
      func sample(_ k: Int) -> UInt8 {
        switch format.sample {
        case .uint8: return row.load(fromByteOffset: x * step + k, as: UInt8.self)
        case .uint16:
          // The nearest of 255 steps: 257 codes each.
          let wide = Int(row.load(fromByteOffset: 2 * (x * step + k), as: UInt16.self))
          return UInt8((wide + 128) / 257)
        case .float32:
          let light = Double(row.load(fromByteOffset: 4 * (x * step + k), as: Float.self))
          let clipped = light > 0 ? min(1, light) : 0
          return UInt8(intensity: 255 * TransferFunction.sRGB.encode(clipped, power: Elementary.power))
        }
      }
      out[x] = RGB(sample(0), sample(green), sample(blue))
    }
  }
}
