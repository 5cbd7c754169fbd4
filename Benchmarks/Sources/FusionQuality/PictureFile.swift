import Foundation
import ImageCore
import PhotoFiles

/// Pictures in and out.
enum PictureFile {
  struct WrongPicture: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path) is no 8-bit RGB picture" }
  }

  static func read(_ path: String) throws -> Image<RGB<UInt8>> {
    let reader = try PictureReader(path: Array(path.utf8))
    guard reader.format == PixelFormat(.rgb, .uint8) else { throw WrongPicture(path: path) }
    var image = Image<RGB<UInt8>>(uninitialized: reader.size)
    try image.withMutableRows { rows in
      try reader.read(rows: rows.height, into: UnsafeMutableRawPointer(rows.base), bytesPerRow: rows.stride * 3)
    }
    return image
  }

  static func light(_ code: Double) -> Double {
    code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
  }

  static func write(_ light: Image<RGB<Float>>, _ path: String) throws {
    let picture = Image<RGB<UInt8>>(light.size) { x, y in
      let p = light[x, y]
      return RGB(UInt8(code(p.red).rounded()), UInt8(code(p.green).rounded()), UInt8(code(p.blue).rounded()))
    }
    let spec = PictureSpec(size: picture.size, format: PixelFormat(.rgb, .uint8), container: .png)
    let descriptor = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0o644)
    defer { close(descriptor) }
    let writer = try PictureWriter(fileDescriptor: descriptor, spec: spec)
    try picture.withRows { rows in
      try writer.write(rows: rows.height, from: UnsafeRawPointer(rows.base), bytesPerRow: rows.stride * 3)
    }
    try writer.finish()
  }
}

extension FusionQuality {
  func write(_ trial: Trial, _ stem: String, exposure: Double = 1) throws {
    for (name, image) in [
      ("truth", trial.truth), ("12up", trial.enlarged), ("48down", trial.reduced), ("fused", trial.fused),
    ] {
      let scale = Float(exposure)
      let exposed = Image<RGB<Float>>(image.size) { x, y in
        let p = image[x, y]
        return RGB(p.red * scale, p.green * scale, p.blue * scale)
      }
      try PictureFile.write(exposed, "\(stem)-\(name).png")
    }
    guard ProcessInfo.processInfo.environment["FUSION_FLOATS"] != nil else { return }
    for (name, image) in [
      ("truth", trial.truth), ("12up", trial.enlarged), ("48down", trial.reduced), ("fused", trial.fused),
    ] {
      var data = Data()
      for y in 0..<image.height {
        image.withRow(y) { row in row.withUnsafeBytes { data.append(contentsOf: $0) } }
      }
      try data.write(to: URL(fileURLWithPath: "\(stem)-\(name).\(image.width)x\(image.height).f32"))
    }
  }
}
