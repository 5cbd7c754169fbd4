import Foundation
import TestSupport
import Testing

/// The self-test passes, and says the same whatever the number of threads.
@Suite("Self-test")
struct SelfTestTests {
  @Test func everyStageKeepsItsPromiseForAnyNumberOfThreads() throws {
    let folder = try TemporaryFolder()
    let outcomes = try [1, 2, 7].map { jobs in
      try CommandRunner.run(["selftest", "--json", "--jobs", "\(jobs)"], in: folder.url)
    }
    let lines = String(decoding: outcomes[0].output, as: UTF8.self).split(separator: "\n")
    #expect(lines.count >= 40)
    for line in lines { #expect(line.contains("\"passed\":true"), "\(line)") }
    for outcome in outcomes {
      #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      #expect(outcome.output == outcomes[0].output, "the self-test depends on --jobs")
    }
  }

  @Test func unknownStagesAreUsageErrors() throws {
    let folder = try TemporaryFolder()
    #expect(try CommandRunner.run(["selftest", "--only", "nothing"], in: folder.url).code == 64)
    let some = try CommandRunner.run(["selftest", "--only", "bin.", "--only", "crop"], in: folder.url)
    #expect(some.code == 0 && String(decoding: some.output, as: UTF8.self).split(separator: "\n").count == 4)
  }
}
