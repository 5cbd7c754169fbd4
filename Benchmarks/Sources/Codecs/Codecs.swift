import CLibRaw
import Foundation
import ImageCore
import RawFiles
import TIFFTags

/// Lossless JPEG in DNG: how fast the photosites of captures are encoded and decoded beside LibRaw, and how small they
/// get. One thread, files in the page cache, the best of several rounds in which all take turns.
@main
struct Codecs {
  static let rounds = 7

  static func main() throws {
    let paths = CommandLine.arguments.dropFirst()
    guard !paths.isEmpty else {
      FileHandle.standardError.write(Data("usage: Codecs FILE.dng…\n".utf8))
      exit(64)
    }
    let resources = Resources(workers: .serial, pool: MemoryPool())
    for path in paths {
      let photo = try RawReader().read(FilePath(path), resources: resources)
      let name = URL(fileURLWithPath: path).lastPathComponent
      try measure(name, photo, resources)
    }
  }

  static func measure(_ name: String, _ photo: RawPhoto, _ resources: Resources) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("codecs-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let packed = folder.appendingPathComponent("packed.dng").path
    func write(_ compression: DNGWriteOptions.Compression) -> Int {
      let descriptor = open(packed, O_RDWR | O_CREAT | O_TRUNC, 0o600)
      defer { close(descriptor) }
      let options = DNGWriteOptions(compression: compression)
      let report = try? DNGWriter.write(
        photo, options: options, to: descriptor, software: "Codecs", resources: resources)
      return report?.byteCount ?? 0
    }
    let plainBytes = write(.none)
    let packedBytes = write(.losslessJPEG)
    let times = bestSeconds([
      { _ = write(.losslessJPEG) },
      { _ = try? RawReader().read(FilePath(packed), resources: resources) },
      {
        guard let reader = clibraw_new(8192) else { return }
        if clibraw_open(reader, packed) == 0 { _ = clibraw_unpack(reader) }
        clibraw_free(reader)
      },
    ])
    let pixels = Double(photo.pixels.size.area) / 1e6
    print(
      "\(name)  \(photo.pixels.size), \(String(format: "%.3f", Double(packedBytes) / Double(plainBytes))) of its size"
    )
    for (label, seconds) in zip(["encode and write", "read and decode", "LibRaw, open and unpack"], times) {
      let padded = label.padding(toLength: 24, withPad: " ", startingAt: 0)
      print(String(format: "  %@ %6.0f MP/s  %6.1f ms", padded, pixels / seconds, seconds * 1e3))
    }
    print(String(format: "  decodes %.1f times as fast as LibRaw", times[2] / times[1]))
  }

  static func bestSeconds(_ bodies: [() -> Void]) -> [Double] {
    let clock = ContinuousClock()
    var best = bodies.map { _ in Double.infinity }
    for _ in 0..<rounds {
      for (index, body) in bodies.enumerated() {
        let elapsed = clock.measure(body).components
        best[index] = min(best[index], Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18)
      }
    }
    return best
  }
}
