import Develop
import Glibc
import ImageCore
import PhotoFiles
import RawFiles
import Synthesis
import TIFFTags

/// Files that are written and read again. Containers that other libraries pack are compared by their pixels: the bytes
/// are the library's.
enum FileStages {
  static let all: [SelfTest.Stage] = [
    SelfTest.Stage(name: "file.dng", promise: .bits) { (inputs, resources) throws(JobFailure) in
      .init(try packed(try inputs.capture("quad-rggb", resources: resources).photo, inputs, resources))
    },
    SelfTest.Stage(name: "file.dng.readback", promise: .atMost(0), unit: "samples that differ") {
      (inputs, resources) throws(JobFailure) in
      let spool = try Spool(inputs.spoolFolder)
      let capture = try inputs.capture("quad-rggb", resources: resources)
      try write(capture.photo, to: spool, resources)
      return .init(Double(differences(try read(spool, resources), capture.photo)))
    },
    readBack("tiff", .tiff, .atMost(0)), readBack("png", .png, .atMost(0)),
    // Quality 92 in full colour resolution: what quantisation costs on the noisy chart, with a margin for other libraries.
    readBack("jpeg", .jpeg, .atMost(3.5)),
  ]

  private static func readBack(
    _ name: String, _ container: PictureContainer, _ promise: SelfTest.Promise
  ) -> SelfTest.Stage {
    SelfTest.Stage(name: "file.\(name).readback", promise: promise, unit: "code values, root mean square") {
      (inputs, resources) throws(JobFailure) in
      let image = try ExactStages.developed(inputs, "rggb", .fast, resources) as Image<RGB<UInt8>>
      let spool = try Spool(inputs.spoolFolder)
      let spec = PictureSpec(size: image.size, format: PixelFormat(.rgb, .uint8), container: container)
      let square = PixelDifference(image, try readBack(image, spec, spool)).meanSquare.reduce(0, +) / 3
      return .init(square.squareRoot() * Double(UInt8.max))
    }
  }

  private static func readBack(
    _ image: Image<RGB<UInt8>>, _ spec: PictureSpec, _ spool: Spool
  ) throws(JobFailure) -> Image<RGB<UInt8>> {
    do throws(PhotoFileError) {
      let writer = try PictureWriter(fileDescriptor: spool.descriptor, spec: spec)
      try image.withRows { (rows) throws(PhotoFileError) in
        try writer.write(rows: rows.height, from: UnsafeRawPointer(rows.base), bytesPerRow: rows.stride * 3)
      }
      try writer.finish()
      let reader = try PictureReader(path: spool.path.bytes)
      var again = Image<RGB<UInt8>>(image.size, repeating: RGB(0, 0, 0))
      try again.withMutableRows { (rows) throws(PhotoFileError) in
        try reader.read(rows: rows.height, into: UnsafeMutableRawPointer(rows.base), bytesPerRow: rows.stride * 3)
      }
      return again
    } catch { throw JobFailure(error) }
  }

  private static func read(_ spool: Spool, _ resources: Resources) throws(JobFailure) -> RawPhoto {
    do { return try RawReader().read(spool.path, resources: resources) } catch { throw JobFailure(error) }
  }

  private static func packed(
    _ photo: RawPhoto, _ inputs: SelfTestInputs, _ resources: Resources
  ) throws(JobFailure) -> StageBytes {
    let spool = try Spool(inputs.spoolFolder)
    try write(photo, to: spool, resources)
    return StageBytes(spool.contents)
  }

  private static func write(_ photo: RawPhoto, to spool: Spool, _ resources: Resources) throws(JobFailure) {
    do {
      try DNGWriter.write(
        photo, options: DNGWriteOptions(compression: .losslessJPEG), to: spool.descriptor, software: "selftest",
        resources: resources)
    } catch { throw JobFailure(.ioError, "\(error)") }
  }

  private static func differences(_ left: RawPhoto, _ right: RawPhoto) -> Int {
    guard case .mosaic(let a) = left.pixels, case .mosaic(let b) = right.pixels, a.samples.size == b.samples.size
    else { return Int.max }
    var count = 0
    for y in 0..<a.samples.height {
      for x in 0..<a.samples.width where a.samples[x, y] != b.samples[x, y] { count += 1 }
    }
    return count
  }

  /// A nameless file that readers can open.
  private final class Spool {
    let descriptor: Int32

    init(_ folder: FilePath) throws(JobFailure) { descriptor = try SpoolFile(in: folder).descriptor }
    deinit { close(descriptor) }

    var path: FilePath { FilePath("/proc/self/fd/\(descriptor)") }

    var contents: [UInt8] {
      let count = max(0, Int(lseek(descriptor, 0, SEEK_END)))
      return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        filled = max(0, pread(descriptor, buffer.baseAddress, count, 0))
      }
    }
  }
}
