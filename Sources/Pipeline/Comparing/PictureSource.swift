import ImageCore
import PhotoFiles
import TIFFTags

/// A picture file as rows to compare: streamed as stored, or laid upright in memory.
final class PictureSource: ComparedRows {
  /// What is reported of it.
  let file: ComparedFile
  /// What must be said of its profile.
  let note: String?
  /// As its rows are handed over.
  private(set) var picture: ComparedPicture
  private let path: FilePath
  private let reader: PictureReader
  /// The embedded profile; empty when there is none.
  var icc: [UInt8] { reader.iccProfile }
  /// All pixels, when they had to be laid.
  private var upright: [UInt8]?
  private var nextRow = 0

  init(_ path: FilePath) throws(JobFailure) {
    self.path = path
    do { reader = try PictureReader(path: path.bytes) } catch {
      throw JobFailure(naming: path, JobFailure(error))
    }
    let found = ICCProfile.encoding(of: reader.iccProfile)
    // Floating-point samples without a profile are linear in light, as every program writes them.
    let isLinear = reader.iccProfile.isEmpty && reader.format.sample == .float32
    picture = ComparedPicture(
      size: reader.size, format: reader.format, encoding: isLinear ? .linearSRGB : found.encoding)
    note = isLinear ? "has no profile and is taken for linear sRGB" : found.note
    file = ComparedFile(
      path: path.string, kind: reader.container.rawValue.uppercased(), storedSize: reader.size,
      samples: reader.format.description, orientation: Int(reader.orientation.rawValue),
      profile: reader.iccProfile.isEmpty ? nil : picture.encoding.name)
  }

  /// Decodes the whole picture and lays it as its tag says.
  func layUpright(_ resources: Resources) throws(JobFailure) {
    let orientation = reader.orientation
    guard orientation != .up else { return }
    let (size, pixel) = (reader.size, reader.format.bytesPerPixel)
    var stored = [UInt8](repeating: 0, count: size.area * pixel)
    var failure: PhotoFileError?
    stored.withUnsafeMutableBytes { bytes in
      do throws(PhotoFileError) {
        try reader.read(rows: size.height, into: bytes.baseAddress!, bytesPerRow: size.width * pixel)
      } catch { failure = error }
    }
    if let failure { throw JobFailure(naming: path, JobFailure(failure)) }
    let laid = orientation.applied(to: size)
    var result = [UInt8](repeating: 0, count: laid.area * pixel)
    stored.withUnsafeBytes { from in
      result.withUnsafeMutableBytes { to in
        OrientationKernel.lay(
          orientation, source: from.baseAddress!, sourceBytesPerRow: size.width * pixel, sourceSize: size,
          destination: to.baseAddress!, destinationBytesPerRow: laid.width * pixel, bytesPerPixel: pixel,
          workers: resources.workers)
      }
    }
    upright = result
    picture.size = laid
  }

  /// Hands over the next rows.
  func read(rows count: Int, into target: UnsafeMutableRawPointer, bytesPerRow: Int) throws(JobFailure) {
    guard let upright else {
      do { try reader.read(rows: count, into: target, bytesPerRow: bytesPerRow) } catch {
        throw JobFailure(naming: path, JobFailure(error))
      }
      return
    }
    let rowBytes = picture.size.width * picture.format.bytesPerPixel
    upright.withUnsafeBytes { bytes in
      for row in 0..<count {
        (target + row * bytesPerRow).copyMemory(
          from: bytes.baseAddress! + (nextRow + row) * rowBytes, byteCount: rowBytes)
      }
    }
    nextRow += count
  }
}
