import Glibc
import ImageCore
import PhotoFiles
import Testing

/// Real photographs, from the folder that DUO_REAL_DATA names.
@Suite(.enabled(if: getenv("DUO_REAL_DATA") != nil)) struct RealDataTests {
  private func path(_ name: String) -> [UInt8] { Array((String(cString: getenv("DUO_REAL_DATA")) + "/" + name).utf8) }

  @Test("Orientation tags of real files", arguments: 1...8)
  func orientations(tag: Int) throws {
    let (reader, _) = try readAll(path("rgb/exif-orientation-landscape-\(tag).jpg"))
    #expect(reader.orientation == Orientation(exif: tag))
    let upright = reader.orientation.applied(to: reader.size)
    #expect(upright.width > upright.height)
  }

  @Test(
    "Metadata of raw files", arguments: ["raw/sony-ilce-7rm3-dsc2164.arw", "raw/nikon-z9-overexposed-converted.dng"])
  func raws(name: String) throws {
    let size = PixelSize(width: 64, height: 48)
    var (metadata, _) = PictureMetadata.read(fromFile: path(name), for: size, orientation: .up)
    #expect(!metadata.exif.isEmpty)
    metadata.icc = ICCProfile.bytes(for: .sRGB, linear: false)
    for container in PictureContainer.allCases {
      let format = PixelFormat(.rgb, container == .exr ? .float32 : .uint8)
      let spec = PictureSpec(size: size, format: format, container: container, metadata: metadata)
      let file = try write(testPixels(size, format), spec)
      if container == .exr {  // no EXIF block, but attributes of its own
        let text = String(decoding: file.contents, as: UTF8.self)
        #expect(text.contains("cameraModel") && text.contains("capDate"))
      } else {
        let (again, _) = PictureMetadata.read(file, for: size)
        #expect(!again.exif.isEmpty, "\(container)")
      }
      if let keep = getenv("DUO_KEEP") {  // a folder: keep the files for a look with other tools
        let name = String(cString: keep) + "/" + name.split(separator: "/").last! + "." + container.rawValue
        let copy = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        let bytes = file.contents
        #expect(Glibc.write(copy, bytes, bytes.count) == bytes.count)
        close(copy)
      }
    }
  }
}
