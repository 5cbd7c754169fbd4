import Glibc
public import ImageCore
import PhotoFiles
public import TIFFTags

/// Pictures in which an eye compares two others.
public enum PairPictures {
  /// Grey columns between the two.
  private static let gap = 16
  private static let grey: UInt8 = 128

  /// Writes a PNG with the first picture at the left and the second at the right, as shown, in 8 bits.
  public static func sideBySide(
    _ left: FilePath, _ right: FilePath, to output: FilePath, existing: ExistingOutput, resources: Resources
  ) throws(JobFailure) {
    let (a, b) = (
      try ShownPicture(left, resources: resources), try ShownPicture(right, resources: resources)
    )
    let size = PixelSize(
      width: a.pixels.width + gap + b.pixels.width, height: max(a.pixels.height, b.pixels.height))
    var page = Image<RGB<UInt8>>(size, repeating: RGB(grey, grey, grey), in: resources.pool)
    for (picture, place) in [(a.pixels, 0), (b.pixels, a.pixels.width + gap)] {
      page.withMutableRows { to in
        picture.withRows { from in
          for y in 0..<from.height { (to.row(y) + place).update(from: from.row(y), count: from.width) }
        }
      }
    }
    let file = try AtomicFile(output, existing: existing)
    try write(page, icc: a.icc, to: file.descriptor, of: output)
    try file.commit()
  }

  /// Writes an animated PNG that shows the two in turn for ever: what differs moves.
  ///
  /// - Parameter milliseconds: for which each is shown.
  public static func flicker(
    _ left: FilePath, _ right: FilePath, to output: FilePath, milliseconds: Int, existing: ExistingOutput,
    resources: Resources
  ) throws(JobFailure) {
    var frames: [[UInt8]] = []
    for path in [left, right] {
      let picture = try ShownPicture(path, resources: resources)
      guard let spool = tmpfile() else {
        throw JobFailure(.cannotCreate, "a temporary file cannot be made: \(String(cString: strerror(errno)))")
      }
      defer { fclose(spool) }
      try write(picture.pixels, icc: picture.icc, to: fileno(spool), of: output)
      frames.append(try bytes(of: fileno(spool), output))
    }
    guard let animation = AnimatedPNG.joined(frames[0], frames[1], milliseconds: milliseconds) else {
      throw JobFailure(.badData, "pictures of two sizes cannot be shown in turn: scale or crop one of them first")
    }
    let file = try AtomicFile(output, existing: existing)
    var done = 0
    while done < animation.count {
      let step = animation.withUnsafeBytes {
        Glibc.write(file.descriptor, $0.baseAddress! + done, animation.count - done)
      }
      if step < 0 && errno == EINTR { continue }
      guard step > 0 else { throw JobFailure(.ioError, "\(output.string): \(String(cString: strerror(errno)))") }
      done += step
    }
    try file.commit()
  }

  private static func write(
    _ image: Image<RGB<UInt8>>, icc: [UInt8], to descriptor: Int32, of path: FilePath
  ) throws(JobFailure) {
    let spec = PictureSpec(
      size: image.size, format: PixelFormat(.rgb, .uint8), container: .png, metadata: PictureMetadata(icc: icc))
    do {
      let writer = try PictureWriter(fileDescriptor: descriptor, spec: spec)
      try image.withRows { (rows) throws(PhotoFileError) in
        try writer.write(
          rows: rows.height, from: UnsafeRawPointer(rows.base),
          bytesPerRow: rows.stride * MemoryLayout<RGB<UInt8>>.stride)
      }
      try writer.finish()
    } catch { throw JobFailure(naming: path, JobFailure(error)) }
  }

  private static func bytes(of descriptor: Int32, _ path: FilePath) throws(JobFailure) -> [UInt8] {
    let count = Int(lseek(descriptor, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: max(0, count))
    guard count > 0, pread(descriptor, &bytes, count, 0) == count else {
      throw JobFailure(.ioError, "\(path.string): \(String(cString: strerror(errno)))")
    }
    return bytes
  }
}
