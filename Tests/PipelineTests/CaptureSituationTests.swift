import CaptureModel
import Foundation
import Glibc
import ImageCore
import PhotoFiles
import Pipeline
import RawFiles
import Synthesis
import TIFFTags
import TestSupport
import Testing

/// Every posture, view, camera and hold over real pixels of a scene with text.
@Suite("Capture facts decide how pixels are laid")
struct CaptureSituationTests {
  private typealias Picture = Image<RGB<Float>>

  private let folder: TemporaryFolder
  private let scene: Picture

  init() throws {
    folder = try TemporaryFolder()
    scene = Scene(SceneRecipe(kind: .chart, size: PixelSize(width: 96, height: 64))).light
    for upright in [Orientation.up, .right, .down, .left] {
      try write(scene.oriented(upright.inverse), "read-out-\(upright.rawValue).tif")
    }
  }

  private func path(_ name: String) -> FilePath { FilePath(folder.url.appendingPathComponent(name).path) }

  private func write(_ image: Picture, _ name: String) throws {
    let file = try AtomicFile(path(name), existing: .overwrite)
    try PictureEncoder.writeTruth(image, into: file.descriptor)
    try file.commit()
  }

  private func pixels(_ name: String) throws -> [Float] {
    let reader = try PictureReader(path: path(name).bytes)
    let channels = 3
    var values = [Float](repeating: -1, count: reader.size.area * channels)
    let bytesPerRow = reader.size.width * channels * MemoryLayout<Float>.stride
    try values.withUnsafeMutableBytes { bytes in
      try reader.read(rows: reader.size.height, into: try #require(bytes.baseAddress), bytesPerRow: bytesPerRow)
    }
    return [Float(reader.size.width), Float(reader.orientation.rawValue)] + values
  }

  private func transform(
    _ input: String, to output: String, facts: KnownSituation, recipe: Recipe = Recipe()
  ) throws -> ChainResult {
    let chain = try SituatedChain(TransformChain(recipe, software: "test"), facts: facts)
    let file = try AtomicFile(path(output), existing: .overwrite)
    let result = try chain.run(path(input), into: file.descriptor, resources: Resources())
    try file.commit()
    return result
  }

  /// Holds in the order of ``DeviceOrientation/allCases``: the EXIF orientation that makes the read-out upright. The
  /// classic rows are the design's table; the square ones lack the classic mount's quarter turn.
  private static let upright: [String: [Int]] = [
    "classic backward": [6, 8, 1, 3], "classic forward": [6, 8, 3, 1],
    "square backward": [1, 3, 8, 6], "square forward": [1, 3, 6, 8],
  ]

  /// Who faces whom, as the design's table has it; `nil` where nobody is faced or nothing can be seen.
  private static func faces(_ camera: CameraDescriptor, _ posture: Posture, _ view: Display) -> String? {
    let rows: [String: (forward: [String], backward: [String])] = [
      "closed outer": (["outer", "front"], ["rear"]), "open inner": (["inner", "front"], ["outer", "rear"]),
      "open outer": (["outer", "rear"], ["inner", "front"]),
      "open-flipped outer": (["outer", "rear"], ["inner", "front"]),
      "open-flipped inner": (["inner", "front"], ["outer", "rear"]),
    ]
    guard let row = rows["\(posture.rawValue) \(view.rawValue)"] else { return nil }
    return row.forward.contains(camera.name) ? "forward" : row.backward.contains(camera.name) ? "backward" : nil
  }

  @Test("Text is readable, or mirrored where the camera faces the viewer", arguments: Posture.allCases)
  func everyCombination(posture: Posture) throws {
    try write(scene, "readable.tif")
    try write(scene.oriented(.upMirrored), "mirrored.tif")
    let expected = ["forward": try pixels("mirrored.tif"), "backward": try pixels("readable.tif")]
    #expect(expected["forward"] != expected["backward"], "the scene must show whether it is mirrored")
    for view in Display.allCases {
      for camera in CameraDescriptor.all {
        for (index, held) in DeviceOrientation.allCases.enumerated() {
          let name = "\(posture.rawValue), view on \(view.rawValue), \(camera.name), \(held.rawValue)"
          var facts = KnownSituation()
          (facts.camera, facts.posture, facts.view, facts.deviceOrientation) = (camera, posture, view, held)
          guard let direction = Self.faces(camera, posture, view) else {
            let error = #expect(throws: JobFailure.self, "\(name)") {
              try transform("read-out-1.tif", to: "x.tif", facts: facts)
            }
            #expect(error?.status == .usage, "\(name)")
            continue
          }
          let mount = camera == .rear ? "classic" : "square"
          let exif = try #require(Self.upright["\(mount) \(direction)"]?[index])
          let result = try transform("read-out-\(exif).tif", to: "x.tif", facts: facts)
          #expect(try pixels("x.tif") == expected[direction], "\(name)")
          #expect(result.applied?.direction == direction && result.applied?.mirrored == (direction == "forward"))
        }
      }
    }
  }

  @Test("Without a word about the hold, the file's own tag turns")
  func tagTurns() throws {
    var facts = KnownSituation()
    (facts.camera, facts.posture) = (.rear, .openFlipped)
    var keep = Recipe()
    keep.rotation = .keep
    _ = try transform("read-out-1.tif", to: "tagged.tif", facts: facts, recipe: keep)
    #expect(try pixels("tagged.tif")[1] == Float(Orientation.upMirrored.rawValue))
    try write(scene.oriented(.upMirrored), "mirrored.tif")
    // The tag that was written mirrors; facts that say the same must not mirror twice.
    _ = try transform("tagged.tif", to: "x.tif", facts: facts)
    #expect(try pixels("x.tif") == pixels("mirrored.tif"))
  }

  @Test("A sidecar says it for one file; the command line goes over it")
  func sidecars() throws {
    func sidecar(_ text: String) throws {
      try Data(text.utf8).write(to: folder.url.appendingPathComponent("read-out-1.tif.json"))
    }
    try sidecar(#"{"camera":"outer","posture":"closed","deviceOrientation":"portrait","aspectRatio":"1:1"}"#)
    let plain = try transform("read-out-1.tif", to: "x.tif", facts: KnownSituation())
    #expect(plain.applied?.mirrored == true && plain.size == PixelSize(width: 64, height: 64))
    var facts = KnownSituation()
    facts.posture = .open
    #expect(try transform("read-out-1.tif", to: "x.tif", facts: facts).applied?.mirrored == false)
    try sidecar(#"{"capture":{"camera":"front","posture":"open"},"title":"a foreign key beside it"}"#)
    #expect(try transform("read-out-1.tif", to: "x.tif", facts: KnownSituation()).applied?.camera == "inner")
    try sidecar(#"{"title":"somebody else's","description":""}"#)
    #expect(try transform("read-out-1.tif", to: "x.tif", facts: KnownSituation()).applied?.camera == nil)
    for bad in [#"{"camera":"moon"}"#, #"{"camera":"rear","posture":"bent"}"#, #"{"camera":"rear","tilt":1}"#] {
      try sidecar(bad)
      let error = #expect(throws: JobFailure.self, "\(bad)") {
        try transform("read-out-1.tif", to: "x.tif", facts: KnownSituation())
      }
      #expect(error?.message.contains("read-out-1.tif.json") == true)
    }
  }

  @Test("Where no camera is named, the lens tells its side", arguments: ["back dual camera", "front camera", "50mm"])
  func lens(words: String) throws {
    var photo = Synthesizer.capture(
      Scene(SceneRecipe(kind: .chart, size: PixelSize(width: 32, height: 24))), sensor: SensorRecipe()
    ).photo
    photo.facts.lens = "Phone \(words) 5mm f/2"
    let file = try AtomicFile(path("lens.dng"), existing: .overwrite)
    let encoder = DNGEncoder(options: DNGWriteOptions(), software: "test")
    _ = try encoder.encode(photo, metadataFrom: nil, into: file.descriptor, resources: Resources())
    try file.commit()
    var facts = KnownSituation()
    facts.posture = .openFlipped
    if words == "50mm" {
      let error = #expect(throws: JobFailure.self) { try transform("lens.dng", to: "x.dng", facts: facts) }
      #expect(error?.message.contains("--camera") == true)
    } else {
      let applied = try #require(try transform("lens.dng", to: "x.dng", facts: facts).applied)
      #expect(applied.camera == (words.hasPrefix("back") ? "rear" : "inner"))
      #expect(applied.mirrored == words.hasPrefix("back"))
    }
  }

  @Test func factsAreRecordedOnceAndStrippedOnDemand() throws {
    var facts = KnownSituation()
    (facts.camera, facts.posture, facts.deviceOrientation) = (.rear, .closed, .portrait)
    func records(_ name: String) throws -> Int {
      let text = String(decoding: try Data(contentsOf: folder.url.appendingPathComponent(name)), as: UTF8.self)
      return text.components(separatedBy: "urn:duo-process:capture#").count - 1
    }
    _ = try transform("read-out-6.tif", to: "once.tif", facts: facts)
    #expect(try records("once.tif") == 1)
    _ = try transform("once.tif", to: "twice.tif", facts: facts)
    #expect(try records("twice.tif") == 1)
    var strip = Recipe()
    strip.output.strip = true
    _ = try transform("read-out-6.tif", to: "bare.tif", facts: facts, recipe: strip)
    #expect(try records("bare.tif") == 0)
    _ = try transform("read-out-6.tif", to: "unknown.tif", facts: KnownSituation())
    #expect(try records("unknown.tif") == 0)
  }
}
