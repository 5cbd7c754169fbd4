import Foundation
import ImageCore
import RawFiles
import TIFFTags
import TestSupport
import Testing

/// Real captures, from the folder that DUO_REAL_DATA names.
@Suite(.enabled(if: RealData.isAvailable)) struct RealDataTests {
  private func files(in name: String) throws -> [FilePath] {
    let folder = try #require(RealData.folder).appendingPathComponent(name)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return names.map { folder.appendingPathComponent($0).path }.filter { path in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
    }.map { FilePath($0) }
  }

  @Test("Every capture is read or refused with a reason")
  func captures() throws {
    let paths = try files(in: "raw")
    #expect(!paths.isEmpty)
    for path in paths {
      do throws(RawReadError) {
        let photo = try RawReader().read(path)
        #expect(PixelRect(photo.pixels.size).contains(photo.defaultCrop), "\(path.string)")
      } catch {
        #expect(!error.description.isEmpty && error.category != .missing, "\(path.string): \(error)")
      }
    }
  }

  @Test("What real sensors show is what their files declare")
  func patterns() throws {
    var measured = 0
    for path in try files(in: "raw") + files(in: "stacks") {
      guard let photo = try? RawReader().read(path), case .mosaic(let mosaic) = photo.pixels else { continue }
      let found = CFAProbe().measure(mosaic)
      #expect(found.isCertain && found.pattern == mosaic.cfa, "\(path.string): \(mosaic.cfa), found \(found)")
      measured += 1
    }
    #expect(measured >= 4)
  }

  @Test("Every broken file is refused within five seconds")
  func broken() throws {
    let paths = try files(in: "broken")
    #expect(!paths.isEmpty)
    for path in paths {
      let start = ContinuousClock.now
      #expect(RawReader().refusal(of: path) != nil, "\(path.string)")
      #expect(ContinuousClock.now - start < .seconds(5), "\(path.string)")
    }
  }
}
