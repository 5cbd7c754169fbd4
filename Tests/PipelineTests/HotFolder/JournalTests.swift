import CaptureModel
import Develop
import Foundation
import HDRMerge
import ImageCore
import RawFiles
import TIFFTags
import TestSupport
import Testing

@testable import Pipeline

@Suite("The journal of a hot folder")
struct JournalTests {
  private let folder: TemporaryFolder
  private let output: FilePath

  init() throws {
    folder = try TemporaryFolder()
    output = FilePath(folder.url.path)
  }

  private func arrival(_ name: String, size: Int = 10, modified: Int = 1) -> Journal.Arrival {
    Journal.Arrival(
      name: Array(name.utf8), file: FileState(size: size, modified: modified), settings: 1, isRapid: false, arrived: 5
    )
  }

  private func arrive(_ journal: Journal, _ arrival: Journal.Arrival) throws -> QueuedShot? {
    try journal.arrive(arrival) { (id) throws(JobFailure) in Array("\(id).jpg".utf8) }
  }

  @Test func aFileArrivesOnceAndAnotherOfItsNameBeginsAnew() throws {
    let journal = try Journal(writing: output)
    let first = try #require(try arrive(journal, arrival("a.dng")))
    #expect(first.id == 1 && first.state == .waiting && first.output == Array("1.jpg".utf8))
    #expect(try arrive(journal, arrival("a.dng")) == nil)
    try journal.announce(.photo, of: first, digest: "x")
    try journal.settle(first, as: .done)
    #expect(try arrive(journal, arrival("a.dng")) == nil, "a finished shot is not begun again")
    let second = try #require(try arrive(journal, arrival("a.dng", modified: 2)))
    #expect(second.id == 1 && second.state == .waiting && second.digest == "x", "what was made is known")
    try journal.settle(first, as: .done)
    #expect(try journal.shots(.waiting).map(\.id) == [1], "a file that was replaced meanwhile keeps waiting")
    #expect(try arrive(journal, arrival("b.dng"))?.id == 2)
  }

  @Test func namesThatAreNoTextAreKept() throws {
    let journal = try Journal(writing: output)
    var odd = arrival("")
    odd.name = [0xFF, 0x0A, 0x27, 0x2E]
    #expect(try arrive(journal, odd)?.name == odd.name)
    #expect(try journal.shot(named: odd.name)?.id == 1)
  }

  @Test func anotherConnectionSeesEverything() throws {
    let journal = try Journal(writing: output)
    for name in ["a", "b", "c"] { _ = try arrive(journal, arrival(name)) }
    let shots = try journal.shots(.waiting)
    try journal.join(ShotGroup(leader: shots[0], followers: [shots[1]]))
    try journal.fail(shots[2], JobFailure(.ioError, "disk full"))
    let other = try Journal(reading: output)
    #expect(try other.counts() == [.waiting: 1, .joined: 1, .failed: 1])
    #expect(try other.shots(.joined).map(\.leader) == [1])
    #expect(try other.failures() == [.ioError])
    try other.retry(all: false)
    #expect(try journal.counts()[.failed] == nil, "failures to write may be over")
    try journal.fail(shots[2], JobFailure(.badData, "cut off"))
    try other.retry(all: false)
    #expect(try journal.counts()[.failed] == 1, "bad data stay bad")
    try other.retry(all: true)
    #expect(try journal.counts()[.failed] == nil)
  }

  @Test func foreignAndDamagedFilesAreRefused() throws {
    let path = folder.url.appendingPathComponent(".duo-process.sqlite")
    try Data(repeating: 7, count: 5000).write(to: path)
    let damaged = #expect(throws: JobFailure.self) { try Journal(writing: output) }
    #expect(damaged?.status == .badData)
    try FileManager.default.removeItem(at: path)
    let foreign = try SQLiteDatabase(FilePath(path.path))
    try foreign.run("CREATE TABLE t (x)")
    let refused = #expect(throws: JobFailure.self) { try Journal(writing: output) }
    #expect(refused?.status == .badData)
    #expect(throws: JobFailure.self) { try Journal(reading: FilePath("/nowhere")) }
  }

  @Test func processingTimesOutliveTheProcessAndAreBounded() throws {
    let key = ProcessingTimes.Key(size: .mp12, prioritization: .balanced)
    do {
      let journal = try Journal(writing: output)
      try journal.record(.photo, key, seconds: 99)
      for run in 1...ProcessingTimes.memory { try journal.record(.final, key, seconds: Double(run)) }
      try journal.record(.proxy, key, seconds: 0.25)
    }
    let journal = try Journal(reading: output)
    // Stages are kept apart, and of all runs the last ones count.
    #expect(try journal.processingTimes().photoProcessingTimeRange(for: key) == 1...32)
    #expect(try journal.proxyTimes().photoProcessingTimeRange(for: key) == 0.25...0.25)
  }

  @Test func settingsComeBackAsTheyWere() throws {
    var recipe = Recipe()
    for assignment in [
      "maxPhotoDimensions=24MP", "photoQualityPrioritization=quality", "aspectRatio=16:9", "rotation=90",
      "develop.whiteBalance=[2.1,1,1.7]", "develop.exposure=0.3", "output.quality=81", "sensor.cfa=quad-rggb",
      "output.format=tiff", "output.bits=16",
    ] { try recipe.apply(assignment: assignment) }
    var settings = ShotSettings(recipe: recipe, mergesBrackets: false)
    (settings.facts.camera, settings.facts.posture, settings.facts.view) = (.rear, .openFlipped, .outer)
    settings.facts.deviceOrientation = .landscapeLeft
    settings.headerless = HeaderlessLayout(
      size: PixelSize(width: 40, height: 30), bits: 12, cfa: try #require(CFAPattern(named: "quad-grbg")))
    let journal = try Journal(writing: output)
    let key = try journal.key(of: settings)
    #expect(try journal.settings(key) == settings)
    #expect(try journal.key(of: settings) == key)
    #expect(try journal.key(of: ShotSettings(recipe: Recipe())) != key)
    #expect(try journal.settings(key).resolved() == settings.resolved())
  }

  @Test("A rapid series lowers what asks for quality, as the model says")
  func lowered() throws {
    func settings(_ assignments: String...) throws -> ShotSettings {
      var recipe = Recipe()
      for one in assignments { try recipe.apply(assignment: one) }
      return ShotSettings(recipe: recipe)
    }
    let quality = "photoQualityPrioritization=quality"
    #expect(try settings().lowered() == nil)
    #expect(try settings("photoQualityPrioritization=speed").lowered() == nil)
    let plain = try #require(try settings(quality).lowered()?.recipe)
    #expect(plain.photoQualityPrioritization == .balanced && plain.maxPhotoDimensions == nil)
    let sizes = ["12MP": "12MP", "24MP": "12MP", "48MP": "48MP", "2000x1000": "2000x1000", "full": "full"]
    for (asked, made) in sizes {
      let recipe = try #require(try settings(quality, "maxPhotoDimensions=\(asked)").lowered()?.recipe)
      #expect(recipe.maxPhotoDimensions?.description == made && recipe.photoQualityPrioritization == .balanced)
    }
  }
}

@Suite("Recipes obey the table of sizes and prioritizations")
struct AvailabilityTests {
  @Test("Each cell of the table", arguments: PhotoSize.allCases, CaptureModel.PhotoQualityPrioritization.allCases)
  func table(size: PhotoSize, prioritization: CaptureModel.PhotoQualityPrioritization) throws {
    var recipe = Recipe()
    recipe.maxPhotoDimensions = PhotoDimensions(size.rawValue)
    try recipe.checkAvailability()  // a size alone is a request
    recipe.photoQualityPrioritization = prioritization
    if size.prioritizations.contains(prioritization) {
      try recipe.checkAvailability()
    } else {
      let error = #expect(throws: JobFailure.self) { try recipe.checkAvailability() }
      #expect(error?.status == .usage && error?.message.contains("is not made at prioritization") == true)
    }
  }

  @Test func aKnownCameraMakesOnlyItsSizes() throws {
    var recipe = Recipe()
    (recipe.maxPhotoDimensions, recipe.photoQualityPrioritization) = (PhotoDimensions("18MP"), .quality)
    try recipe.checkAvailability(camera: .outer)
    let error = #expect(throws: JobFailure.self) { try recipe.checkAvailability(camera: .rear) }
    #expect(error?.message.contains("18MP exists only on the square front cameras") == true)
    recipe.maxPhotoDimensions = PhotoDimensions("4000x3000")
    try recipe.checkAvailability(camera: .rear)
  }
}
