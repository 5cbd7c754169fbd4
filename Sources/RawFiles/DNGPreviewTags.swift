import ImageCore
import TIFFTags

extension DNGPreview {
  /// Tags of the preview's directory, apart from where it lies. TIFF 6.0, DNG 1.7 chapter 2.
  func add(to tags: inout TIFFDirectoryWriter) {
    let (reducedResolution, depth): (UInt32, UInt16) = (1, 8)
    tags[DNGTag.newSubfileType] = .longs([reducedResolution])
    tags[DNGTag.width] = .longs([UInt32(size.width)])
    tags[DNGTag.height] = .longs([UInt32(size.height)])
    tags[DNGTag.bitsPerSample] = .shorts([depth, depth, depth])
    tags[DNGTag.samplesPerPixel] = .shorts([3])
    tags[DNGTag.rowsPerStrip] = .longs([UInt32(size.height)])
    tags[DNGTag.planarConfiguration] = .shorts([1])
    let sRGB: UInt32 = 2
    tags[DNGTag.previewColorSpace] = .longs([sRGB])
    switch self {
    case .rgb:
      tags[DNGTag.compression] = .shorts([UInt16(DNGTag.compressionNone)])
      tags[DNGTag.photometric] = .shorts([UInt16(DNGTag.photometricRGB)])
    case .jpeg(_, _, let subsampling):
      tags[DNGTag.compression] = .shorts([UInt16(DNGTag.compressionLosslessJPEG)])  // the number of any JPEG
      tags[DNGTag.photometric] = .shorts([UInt16(DNGTag.photometricYCbCr)])
      // What JFIF fixes: BT.601 luma, full range, colours centred.
      tags[DNGTag.yCbCrCoefficients] = .rationals([0.299, 0.587, 0.114])
      tags[DNGTag.yCbCrSubsampling] = .shorts([UInt16(subsampling), UInt16(subsampling)])
      tags[DNGTag.yCbCrPositioning] = .shorts([1])
      tags[DNGTag.referenceBlackWhite] = .rationals([0, 255, 128, 255, 128, 255])
    }
  }

  /// What is stored.
  var bytes: [UInt8] {
    switch self {
    case .jpeg(let stream, _, _): return stream
    case .rgb(let image):
      var result: [UInt8] = []
      result.reserveCapacity(size.area * 3)
      image.withRows { rows in
        for y in 0..<rows.height {
          result += UnsafeRawBufferPointer(start: rows.row(y), count: rows.width * 3)
        }
      }
      return result
    }
  }
}
