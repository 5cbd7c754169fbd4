import ImageCore
import PhotoFiles
import RawFiles
import TIFFTags

/// Finished pictures as frames of a bracket: their response curve is undone, so that values are linear in light.
enum PictureFrame {
  private static let rowsPerBand = 64

  /// Whether a file is a picture that can be a frame.
  static func isPicture(_ path: FilePath) -> Bool {
    guard let kind = try? FileSniffer.kind(ofFileAt: path) else { return false }
    switch kind {
    case .jpeg, .png, .tiff, .heif, .jxl: return true
    default: return false
    }
  }

  /// Reads a picture of 8 or 16 bits. The curve is sRGB's, which cameras' pictures follow near enough for merging.
  static func read(_ path: FilePath, resources: Resources) throws(JobFailure) -> RawPhoto {
    do {
      let reader = try PictureReader(path: path.bytes, workers: resources.workers)
      let format = reader.format
      guard format.sample != .float32 else {
        throw JobFailure(.badData, "has \(format) samples: a bracket of pictures needs 8 or 16 bits")
      }
      let table = linearTable(format.sample)
      var image = Image<RGB<UInt16>>(uninitialized: reader.size, in: resources.pool)
      let bytesPerRow = reader.size.width * format.bytesPerPixel
      let band = UnsafeMutableRawBufferPointer.allocate(byteCount: rowsPerBand * bytesPerRow, alignment: 64)
      defer { band.deallocate() }
      for start in stride(from: 0, to: reader.size.height, by: rowsPerBand) {
        let count = min(rowsPerBand, reader.size.height - start)
        try reader.read(rows: count, into: band.baseAddress!, bytesPerRow: bytesPerRow)
        image.withMutableRows { rows in
          for y in 0..<count {
            let row = UnsafeRawBufferPointer(rebasing: band[y * bytesPerRow..<(y + 1) * bytesPerRow])
            linearise(row, format, table, into: rows.row(start + y), count: rows.width)
          }
        }
      }
      return photo(image, reader.orientation, path, is8Bit: format.sample == .uint8)
    } catch let error as PhotoFileError {
      throw JobFailure(error)
    } catch let error as JobFailure {
      throw error
    } catch {
      throw JobFailure(.badData, "\(error)")
    }
  }

  private static func photo(_ image: Image<RGB<UInt16>>, _ orientation: Orientation, _ path: FilePath, is8Bit: Bool)
    -> RawPhoto
  {
    let white = Array(repeating: Float(UInt16.max), count: 3)
    let levels = SensorLevels(black: BlackLevel(uniform: 0, planes: 3), white: white)
    // A camera whose colours are sRGB's own.
    let d65 = 21
    let toCamera = OutputColourSpace.sRGB.toXYZ.inverse ?? .identity(3)
    let profile = ColourCalibration.Profile(illuminant: .exif(d65), colorMatrix: toCamera)
    let calibration = ColourCalibration(profiles: [profile], asShotWhite: .neutral([1, 1, 1]))
    // Rounding and compression of 8-bit pictures: about one and a half codes, which the curve spreads over light.
    let noise = NoiseProfile(planes: [NoiseProfile.Plane(scale: 1.2e-4, offset: 4e-7)])
    return RawPhoto(
      pixels: .linear(LinearPicture(samples: image, levels: levels)), calibration: calibration,
      noise: is8Bit ? noise : nil, orientation: orientation, facts: facts(path, image.size))
  }

  /// What the picture's EXIF block records of the capture.
  static func facts(_ path: FilePath, _ size: PixelSize) -> CaptureFacts {
    let metadata = PictureMetadata.read(fromFile: path.bytes, for: size, orientation: .up).metadata
    return CaptureFacts(exifBlock: metadata.exif) ?? CaptureFacts()
  }

  private static func linearise(
    _ row: UnsafeRawBufferPointer, _ format: PixelFormat, _ table: [UInt16],
    into out: UnsafeMutablePointer<RGB<UInt16>>, count: Int
  ) {
    let step = format.channels.count
    // Grey is three equal colours.
    let (green, blue) = step < 3 ? (0, 0) : (1, 2)
    if format.sample == .uint8 {
      for x in 0..<count {
        let at = x * step
        out[x] = RGB(table[Int(row[at])], table[Int(row[at + green])], table[Int(row[at + blue])])
      }
    } else {
      let samples = row.bindMemory(to: UInt16.self)
      for x in 0..<count {
        let at = x * step
        out[x] = RGB(table[Int(samples[at])], table[Int(samples[at + green])], table[Int(samples[at + blue])])
      }
    }
  }

  /// IEC 61966-2-1, decoding.
  private static func sRGBLight(_ stored: Double) -> Double {
    stored <= 0.04045 ? stored / 12.92 : Elementary.power((stored + 0.055) / 1.055, 2.4)
  }

  /// Light of each code, 0...65535.
  private static func linearTable(_ sample: SampleType) -> [UInt16] {
    let top = sample == .uint8 ? Int(UInt8.max) : Int(UInt16.max)
    return (0...top).map { code in
      let light = sRGBLight(Double(code) / Double(top))
      return UInt16((light * Double(UInt16.max)).rounded())
    }
  }
}
