import Foundation
import ImageCore
import TIFFTags
import Testing

@testable import Pipeline

@Suite("Golden suites")
struct GoldenSuiteTests {
  private func suite(_ text: String) throws -> GoldenSuite {
    let json = try #require(JSONValue(parsing: Array(text.utf8)))
    return try GoldenSuite(json, file: FilePath("folder/small.json"))
  }

  private func one(_ members: String) throws -> GoldenCase {
    let item = #"{"name": "a", "chain": "develop", "inputs": ["a.dng"]\#(members)}"#
    return try #require(try suite(#"{"version": 1, "cases": [\#(item)]}"#).cases.first)
  }

  @Test func aSuiteSaysWhereThingsAre() throws {
    let suite = try suite(
      #"""
      {"version": 1, "goldens": "was", "grade": "invisible", "ignoreMetadata": ["IFD0.306"], "cases": [
        {"name": "a", "chain": "transform", "inputs": ["x/a.tif"], "ignoreMetadata": ["XMP"]},
        {"name": "b", "chain": "fuse", "inputs": ["big.dng", "small.dng"], "grade": "identical",
         "options": ["--base", "{2}", "--detail", "{1}", "--jobs", "2"], "format": "jpeg"},
        {"name": "c", "inputs": ["q.dng"], "steps": [{"chain": "bin"}, {"chain": "transform", "recipe": {"rotation": 90}}]}]}
      """#)
    #expect(suite.name == "small" && suite.goldens.string == "folder/was")
    #expect(
      suite.cases.map(\.fileName) == ["a.tif", "b.jpg", "c.dng"], "endings come from inputs, formats and chains")
    #expect(suite.cases.map(\.tolerance) == [.invisible, .identical, .invisible])
    #expect(suite.cases[0].ignoredMetadata == ["IFD0.306", "XMP"])
    let fuse = suite.cases[1].steps[0].words(
      inputs: suite.cases[1].inputs, recipe: nil, output: "o.jpg", threads: 4)
    #expect(
      fuse == [
        "fuse", "--base", "small.dng", "--detail", "big.dng", "--jobs", "2", "--json", "--output", "o.jpg",
      ], "named inputs are not repeated, options of the case win")
    let turn = suite.cases[2].steps[1].words(inputs: ["-q.dng"], recipe: "r.json", output: "o.dng", threads: 4)
    #expect(
      turn == ["transform", "--recipe", "r.json", "--jobs", "4", "--json", "--output", "o.dng", "--", "-q.dng"])
    #expect(try suite.cases(named: ["c"]).map(\.name) == ["c"])
    #expect(throws: JobFailure.self) { try suite.cases(named: ["a", "d"]) }
  }

  @Test(
    "What a suite must not say",
    arguments: [
      (#", "grades": "identical""#, "grades"), (#", "grade": "exact""#, "grade"),
      (#", "grade": {}"#, "pass anything"),
      (#", "grade": {"psnr": 40}"#, "psnr"), (#", "grade": {"minPsnr": -1}"#, "minPsnr"),
      (#", "grade": {"minPsnr": "40"}"#, "minPsnr"), (#", "options": ["-o", "x"]"#, "-o"),
      (#", "options": ["--output=x"]"#, "--output"), (#", "options": "--strip""#, "options"),
      (#", "timeout": 0"#, "timeout"), (#", "recipe": "r.json""#, "recipe"), (#", "format": "webp""#, "format"),
      (#", "steps": []"#, "steps"),
    ])
  func refusals(members: String, word: String) throws {
    let failure = try #require(throws: JobFailure.self) { try one(members) }
    #expect(failure.status == .usage && failure.message.contains(word), "\(failure.message)")
  }

  @Test(arguments: [
    #"{"version": 1, "cases": []}"#, #"{"cases": [{"name": "a", "chain": "bin", "inputs": ["a"]}]}"#,
    #"{"version": 2, "cases": [{"name": "a", "chain": "bin", "inputs": ["a"]}]}"#,
    #"{"version": 1, "cases": [{"name": "a", "chain": "bin", "inputs": []}]}"#,
    #"{"version": 1, "cases": [{"name": "a/b", "chain": "bin", "inputs": ["a"]}]}"#,
    #"{"version": 1, "cases": [{"name": ".a", "chain": "bin", "inputs": ["a"]}]}"#,
    #"{"version": 1, "cases": [{"name": "a", "chain": "golden", "inputs": ["a"]}]}"#,
    #"{"version": 1, "cases": [{"name": "a", "chain": "bin", "inputs": ["a"]}, {"name": "A", "chain": "bin", "inputs": ["a"]}]}"#,
  ])
  func badSuites(text: String) {
    #expect(throws: JobFailure.self, "\(text)") { try suite(text) }
  }

  @Test func theDefaultGradeIsNarrowerThanTheEye() {
    #expect(GoldenTolerance.standard == .rounding)
    for fullScale in [255, 65535, 1, 3567.0] {
      let limits = GoldenTolerance.standard.limits(fullScale: fullScale, isRaw: fullScale == 3567)
      let share = (limits.maxAbs ?? 1) / fullScale
      #expect(share <= 1.0 / 255 && share > 0, "\(fullScale): \(share)")
      #expect((limits.minPsnr ?? 0) >= 70)
      // A gain of 1 % of stored values moves the mean of a mid-grey picture by half a per cent.
      #expect((limits.maxShift ?? 1) < 0.005)
    }
    #expect(GoldenTolerance.identical.limits(fullScale: 255, isRaw: false).maxAbs == 0)
  }

  @Test func valuesThatAreMissingOrNoNumberFail() {
    var limits = ComparisonThresholds()
    limits.meanDe = 100
    var comparison = Comparison(size: PixelSize(width: 4, height: 4), channels: ["red"], fullScale: 255)
    comparison.differingPixels = 1
    let missing = GoldenComparison(comparison, tolerance: .custom(limits), isRaw: true, tags: [])
    #expect(missing.complaints.count == 1 && missing.complaints[0].contains("cannot be measured"))
    comparison.colour = Comparison.Distribution(mean: .nan, p999: 0, max: 0)
    #expect(!GoldenComparison(comparison, tolerance: .custom(limits), isRaw: true, tags: []).complaints.isEmpty)
    comparison.colour = Comparison.Distribution(mean: 99, p999: 0, max: 0)
    #expect(GoldenComparison(comparison, tolerance: .custom(limits), isRaw: true, tags: []).complaints.isEmpty)
    let tag = GoldenTagDifference(name: "ICC", golden: "560 bytes", candidate: nil)
    let dropped = GoldenComparison(comparison, tolerance: .custom(limits), isRaw: true, tags: [tag])
    #expect(dropped.complaints == ["metadata: ICC is gone (was 560 bytes)"])
  }

  @Test func ignoredTagsMayDiffer() {
    let golden = ["ICC": "a", "IFD0.306": "then", "Exif.1": "x"]
    let candidate = ["IFD0.306": "now", "Exif.1": "x", "XMP": "b"]
    let found = GoldenMetadata.differences(golden: golden, candidate: candidate, ignoring: ["IFD0.306"])
    #expect(found.map(\.name) == ["ICC", "XMP"])
  }

  @Test func jUnitIsXMLWhateverReasonsSay() throws {
    var failed = GoldenResult(try one(""), golden: FilePath("g"))
    failed.reasons = ["a < b & \"c\"\u{1}", "second"]
    var recorded = failed
    recorded.verdict = .recorded
    var same = failed
    same.verdict = .same
    let xml = GoldenJUnit.xml([failed, recorded, same], suite: "s<1>")
    #expect(xml.contains("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\""))
    #expect(xml.contains("message=\"a &lt; b &amp; &quot;c&quot;?\"") && !xml.contains("s<1>"))
    #expect(xml.contains("<skipped message=\"recorded, not compared\"/>"), "a recorded case has not passed")
  }

  @Test func heatShowsASinglePixelOfALargePicture() {
    let golden = Image<RGB<UInt16>>(PixelSize(width: 300, height: 200), repeating: RGB(9, 9, 9))
    var candidate = golden
    candidate[217, 99] = RGB(9, 10, 9)
    let heat = ReportViews.heat(golden, candidate, within: 30)
    #expect(heat.largest == 1 && heat.x == 217 && heat.y == 99)
    let lit = (0..<heat.map.height).flatMap { y in (0..<heat.map.width).filter { x in heat.map[x, y] != RGB(0, 0, 0) }
    }
    #expect(lit == [21], "one place of the map, scaled to a tenth")
    let crop = ReportViews.crop(around: 299, 0, of: golden.size)
    #expect(PixelRect(golden.size).contains(crop) && crop.x + crop.width == 300)
  }
}
