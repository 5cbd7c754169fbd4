import Foundation
import TestSupport
import Testing

/// `batch --resume`: what was stopped goes on, what changed is made again, and nothing else is touched.
@Suite("Resume")
struct ResumeTests {
  let folder: TemporaryFolder

  /// Four single captures and a bracket; `ref` is what an undisturbed run makes of them.
  init() throws {
    folder = try TemporaryFolder()
    let outcome = try shell(
      """
      mkdir in
      for i in 1 2 3 4; do "$duo" synth -o in/s$i.dng --seed $i --size 96x64 --no-truth || exit; done
      for ev in -2 0 2; do
        "$duo" synth -o in/b$((ev + 2)).dng --size 168x112 --cfa grbg --scene dead-leaves --ev $ev --no-truth || exit
      done
      "$duo" batch in -o ref --quiet
      """)
    try #require(outcome.code == 0, "\(outcome.errors)")
    try #require(try shell("ls ref").output == "b0.jpg\ns1.jpg\ns2.jpg\ns3.jpg\ns4.jpg\n")
  }

  private func shell(_ script: String) throws -> ShellOutcome { try Shell.run(script, in: folder.url) }

  private func resume(_ options: String = "") throws -> ShellOutcome {
    try shell("\"$duo\" batch in -o out --resume --verbose \(options)")
  }

  private func expectReference(_ note: Comment = "") throws {
    let outcome = try shell("diff -r -x .duo-process.journal ref out")
    #expect(outcome.code == 0 && outcome.output.isEmpty, note)
  }

  @Test("Killed at any moment", arguments: [0.02, 0.1, 0.2, 0.35])
  func killed(after seconds: Double) throws {
    _ = try shell("\"$duo\" batch in -o out --quiet --jobs 1 & pid=$!; sleep \(seconds); kill -9 $pid; wait $pid")
    let outcome = try resume()
    #expect(outcome.code == 0, "\(outcome.errors)")
    try expectReference("killed after \(seconds) s")
    #expect(try shell("ls -A out").output.split(separator: "\n").count == 6)
  }

  /// Whatever the disk kept of a journal, the run goes on: every length of its last line, and no output named yet.
  @Test func tornLinesAndOutputsWithoutNames() throws {
    try #require(try shell("\"$duo\" batch in -o out --quiet").code == 0)
    let torn = try shell(
      """
      cp out/.duo-process.journal whole
      size=$(stat -c %s whole); last=$(tail -n 1 whole | wc -c)
      for cut in 1 2 50 $((last - 1)); do
        head -c $((size - cut)) whole > out/.duo-process.journal
        "$duo" batch in -o out --resume --quiet --overwrite || exit
      done
      head -n 3 whole > out/.duo-process.journal; rm -f out/*
      "$duo" batch in -o out --resume --quiet
      """)
    #expect(torn.code == 0, "\(torn.errors)")
    try expectReference()
  }

  @Test func aSecondResumeDoesNothing() throws {
    try #require(try shell("\"$duo\" batch in -o out --quiet").code == 0)
    let before = try shell("stat -c '%n %Y %i' out/*").output
    let outcome = try resume()
    #expect(outcome.code == 0 && !outcome.errors.contains("(written)"), "\(outcome.errors)")
    #expect(try shell("stat -c '%n %Y %i' out/*").output == before)
  }

  @Test func changedInputsAreMadeAgainAndSaidSo() throws {
    try #require(try shell("\"$duo\" batch in -o out --quiet").code == 0)
    let outcome = try shell(
      """
      touch in/s1.dng; "$duo" synth -o in/s2.dng --overwrite --seed 9 --size 96x64 --no-truth
      rm out/s3.jpg; cp -p in/b4.dng spare; "$duo" synth -o in/b4.dng --overwrite --size 168x112 --cfa grbg --scene dead-leaves --ev 2 --iso 200 --no-truth
      "$duo" batch in -o out --resume --verbose --dry-run > plan; "$duo" batch in -o out --resume --verbose
      """)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let again = outcome.errors.split(separator: "\n").filter { $0.contains("made again") && !$0.contains("plan") }
    #expect(outcome.errors.contains("out/s2.jpg came from s2.dng, which has changed since; it is made again"))
    #expect(outcome.errors.contains("out/s3.jpg was not there; it is made again"))
    #expect(outcome.errors.contains("out/b0.jpg came from b4.dng, which has changed since; it is made again"))
    #expect(again.count == 6, "three outputs, each said in rehearsal and run: \(outcome.errors)")
    for name in ["s1", "s4"] { #expect(outcome.errors.contains("out/\(name).jpg (skipped)"), "\(outcome.errors)") }
    #expect(try shell("\"$duo\" batch in -o fresh --quiet && diff -r -x .duo-process.journal fresh out").code == 0)
  }

  @Test func aSidecarOrAFrameMoreCountsAsAChange() throws {
    try #require(try shell("\"$duo\" batch in -o out --quiet").code == 0)
    let outcome = try shell(
      """
      echo '{"camera": "rear", "posture": "open-flipped"}' > in/s4.dng.json
      "$duo" synth -o in/b9.dng --size 168x112 --cfa grbg --scene dead-leaves --ev 3 --no-truth
      "$duo" batch in -o out --resume --verbose
      """)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("out/s4.jpg came before s4.dng.json was there"), "\(outcome.errors)")
    #expect(outcome.errors.contains("out/b0.jpg belongs to other inputs than before"), "\(outcome.errors)")
  }

  @Test func outputsThatSomebodyElseMadeOrChangedAreKept() throws {
    try #require(try shell("\"$duo\" batch in/s1.dng -o out --quiet").code == 0)
    let kept = try shell(
      "echo mine > out/s2.jpg; echo edited >> out/s1.jpg; \"$duo\" batch in -o out --resume --quiet; echo $?; cat out/s2.jpg"
    )
    #expect(kept.output == "1\nmine\n", "\(kept.output) \(kept.errors)")
    #expect(
      kept.errors.contains("out/s2.jpg exists and is not known") && kept.errors.contains("out/s1.jpg was changed"))
    #expect(try resume("--overwrite").code == 0)
    try expectReference()
  }

  @Test func otherSettingsAreRefusedByName() throws {
    try #require(try shell("\"$duo\" batch in -o out --quiet --quality 50").code == 0)
    let refused = try resume()
    #expect(refused.code == 73, "\(refused.errors)")
    #expect(refused.errors.contains("5 outputs of other settings (output.quality 50, now 92)"), "\(refused.errors)")
    let again = try resume("--overwrite")
    #expect(again.code == 0 && again.errors.contains("was made with other settings"), "\(again.errors)")
    try expectReference()
  }

  @Test func damagedJournalsAreNamedAndOneBatchAtATime() throws {
    try #require(try shell("\"$duo\" batch in -o out --quiet").code == 0)
    let damaged = try shell(
      "cp out/.duo-process.journal keep; sed -i '2s/sha256/sha257/' out/.duo-process.journal; \"$duo\" batch in -o out --resume"
    )
    #expect(damaged.code == 65 && damaged.errors.contains("line 2 is damaged"), "\(damaged.errors)")
    let held = try shell(
      "cp keep out/.duo-process.journal; exec 9< out/.duo-process.journal; flock -x 9; \"$duo\" batch in -o out --resume"
    )
    #expect(held.code == 73 && held.errors.contains("another batch writes into out"), "\(held.errors)")
  }

  /// Names that a process of ours holds for a moment while it replaces an output stay behind when it is killed.
  @Test func leftoversOfKilledProcessesGoAndOthersStay() throws {
    let outcome = try shell(
      """
      "$duo" batch in -o out --quiet; (exit 0) & gone=$!; wait
      touch out/.s1.jpg.$gone-7.part out/.s2.jpg.$$-7.part out/.mine.$gone-7.part out/.s3.jpg.part
      "$duo" batch in -o out --resume --quiet || exit
      cd out; ls -A | grep part | sed "s/$gone/GONE/; s/$$/HERE/"
      """)
    #expect(
      outcome.output == ".mine.GONE-7.part\n.s2.jpg.HERE-7.part\n.s3.jpg.part\n",
      "\(outcome.output) \(outcome.errors)")
  }

  @Test func theContactSheetFollows() throws {
    try #require(try shell("\"$duo\" batch in -o out --quiet --contact-sheet sheet.jpg").code == 0)
    let outcome = try shell(
      """
      cp sheet.jpg first; rm out/s1.jpg; "$duo" batch in -o out --resume --quiet --contact-sheet sheet.jpg || exit
      cmp first sheet.jpg || exit
      rm in/s1.dng out/s1.jpg; "$duo" batch in -o out --resume --quiet --contact-sheet sheet.jpg || exit
      ! cmp -s first sheet.jpg
      """)
    #expect(outcome.code == 0, "\(outcome.output) \(outcome.errors)")
  }
}
