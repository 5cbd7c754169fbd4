public import ImageCore
import PhotoFiles
public import TIFFTags

/// A heat map as a PNG file, written while two pictures are compared.
public final class HeatMapFile {
  private let file: AtomicFile
  private let path: FilePath
  private let scale: Float
  private var writer: PictureWriter?
  private var failure: JobFailure?

  /// Opens the file; it gets its name with ``finish()``.
  ///
  /// - Parameter top: the difference that is white; beyond it, too.
  public init(_ path: FilePath, top: Double, existing: ExistingOutput) throws(JobFailure) {
    self.path = path
    file = try AtomicFile(path, existing: existing)
    scale = Float(255 / top)
  }

  /// Takes rows from top to bottom; what goes wrong is told by ``finish()``.
  public func write(_ size: PixelSize, _ y: Int, _ values: UnsafeBufferPointer<Float>) {
    guard failure == nil else { return }
    do throws(PhotoFileError) {
      let writer: PictureWriter
      if let open = self.writer {
        writer = open
      } else {
        let icc = ICCProfile.bytes(for: .sRGB, linear: false)
        writer = try PictureWriter(
          fileDescriptor: file.descriptor,
          spec: PictureSpec(
            size: size, format: PixelFormat(.rgb, .uint8), container: .png, metadata: PictureMetadata(icc: icc)))
        self.writer = writer
      }
      let colours = HeatColours.table
      let pixels = values.map { value in colours[Int(min(255, max(0, value * scale)).rounded())] }
      var problem: PhotoFileError?
      pixels.withUnsafeBytes { bytes in
        do throws(PhotoFileError) {
          try writer.write(rows: values.count / size.width, from: bytes.baseAddress!, bytesPerRow: 3 * size.width)
        } catch { problem = error }
      }
      if let problem { throw problem }
    } catch { failure = JobFailure(naming: path, JobFailure(error)) }
  }

  /// Completes the file and gives it its name.
  public func finish() throws(JobFailure) {
    if let failure { throw failure }
    guard let writer else { throw JobFailure(.usage, "captures have no heat map; develop both and compare these") }
    do { try writer.finish() } catch { throw JobFailure(naming: path, JobFailure(error)) }
    try file.commit()
  }
}
