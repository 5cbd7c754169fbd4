import Foundation
import TestSupport
import Testing

/// The HTML report in a real browser, used as a reader would.
@Suite("Golden report in a browser")
struct GoldenPageTests {
  let folder: TemporaryFolder
  let page: String

  private static let groups = ["summary", "filter", "keyboard", "swipe", "flicker", "views", "access"]

  /// Three cases: one same, one changed within its grade, one failed.
  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    func url(_ name: String) -> URL { folder.url.appendingPathComponent(name) }
    func run(_ arguments: String...) throws -> CommandOutcome {
      try CommandRunner.run(arguments, in: folder.url)
    }
    try #require(try run("synth", "-o", "a.dng", "--size", "48x32", "--cfa", "quad-rggb", "--no-truth").code == 0)
    let suite = #"""
      {"version": 1, "cases": [
        {"name": "binned", "inputs": ["a.dng"], "chain": "bin", "note": "not <b>bold</b> </script>"},
        {"name": "wide-grade", "inputs": ["a.dng"], "chain": "develop", "grade": {"minPsnr": 10}},
        {"name": "brighter", "inputs": ["a.dng"], "chain": "develop"}]}
      """#
    try Data(suite.utf8).write(to: url("suite.json"))
    let script =
      "#!/bin/sh\nif [ \"$1\" = develop ]; then shift; exec '\(CommandRunner.command.path)' develop --exposure 0.2 \"$@\"; fi\nexec '\(CommandRunner.command.path)' \"$@\"\n"
    try Data(script.utf8).write(to: url("tool.sh"))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url("tool.sh").path)
    try #require(try run("golden", "record", "suite.json").code == 0)
    let check = try run("golden", "check", "suite.json", "--tool", "tool.sh", "--report", "page.html")
    try #require(check.code == 1, "\(check.errors)")
    page = try String(contentsOf: url("page.html"), encoding: .utf8)
  }

  @Test func everyPartWorksAndNothingIsLoaded() throws {
    for address in ["http://", "https://", "src=\"//", "@import", "url("] {
      // The name of a namespace is no address that is loaded.
      let rest = page.replacingOccurrences(of: "http://www.w3.org/2000/svg", with: "")
      #expect(!rest.contains(address), "the page mentions \(address)")
    }
    let results = try drive(page)
    for group in Self.groups {
      let complaints = results[group] ?? ["was not reached"]
      #expect(complaints.isEmpty, "\(group): \(complaints.joined(separator: "; "))")
    }
  }

  /// The test of the test: a page with a broken part must be found out.
  @Test func brokenPartsAreNoticed() throws {
    var broken = page
    for (old, new) in [
      ("state.filter === \"all\" || one.verdict === state.filter", "true"), ("k: () => step(-1)", "k: () => step(1)"),
      ("clip-path: inset(0 0 0 var(--at))", "clip-path: none"),
      ("frame.classList.toggle(\"other\")", "frame.classList.contains(\"other\")"),
      ("heat: (one) =>", "cold: (one) =>"), ("alt: `${what} of ${state.name}`", "title: what"),
    ] {
      #expect(broken.contains(old), "the page has no “\(old)” to break")
      broken = broken.replacingOccurrences(of: old, with: new)
    }
    let results = try drive(broken)
    for group in ["filter", "keyboard", "swipe", "flicker", "views", "access"] {
      #expect(results[group]?.isEmpty == false, "a broken \(group) was not noticed")
    }
  }

  @Test func fitsAPhone() throws {
    let file = folder.url.appendingPathComponent("page.html")
    let host = #"""
      <!doctype html><iframe src="\#(file.lastPathComponent)" width="360" height="800" style="border:0"></iframe><script>
      onload = () => setTimeout(() => {
        const inner = document.querySelector("iframe").contentDocument, narrow = [];
        if (inner.documentElement.scrollWidth > 360) narrow.push("the page is " + inner.documentElement.scrollWidth + " wide");
        if (inner.defaultView.getComputedStyle(inner.querySelector("main")).gridTemplateColumns.includes(" ")) narrow.push("two columns");
        for (const node of inner.querySelectorAll("button:not(.case)"))
          if (node.getBoundingClientRect().right > 360) narrow.push(node.textContent + " is cut off");
        const out = document.createElement("pre");
        out.id = "driver-results";
        out.textContent = JSON.stringify({ narrow });
        document.body.append(out);
      }, 300);
      </script>
      """#
    let results = try self.results(of: host)
    #expect(results["narrow"] == [], "\(results)")
  }

  /// Complaints by group, as the driver in `Page/driver.js` wrote them.
  private func drive(_ page: String) throws -> [String: [String]] {
    let driver = try String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Page/driver.js"), encoding: .utf8)
    return try results(of: page.replacingOccurrences(of: "</body>", with: "<script>\n\(driver)</script></body>"))
  }

  /// What a page writes into the element `driver-results`.
  private func results(of page: String) throws -> [String: [String]] {
    let file = folder.url.appendingPathComponent("\(UUID().uuidString).html")
    try Data(page.utf8).write(to: file)
    let document = try Browser.document(of: file, in: folder.url)
    let opening = try #require(document.range(of: "<pre id=\"driver-results\">"), "the driver did not end")
    let closing = try #require(document.range(of: "</pre>", range: opening.upperBound..<document.endIndex))
    let text = document[opening.upperBound..<closing.lowerBound].replacingOccurrences(of: "&gt;", with: ">")
      .replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&amp;", with: "&")
    return try JSONDecoder().decode([String: [String]].self, from: Data(text.utf8))
  }
}

/// A real browser without a window. Scripts/test installs it; without one the suite fails.
private enum Browser {
  private static let names = ["chromium", "chromium-browser", "google-chrome"]

  private static var program: URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return folders.lazy.flatMap { folder in names.map { URL(fileURLWithPath: folder).appendingPathComponent($0) } }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// The document after its scripts have run for some virtual seconds.
  static func document(of page: URL, in folder: URL) throws -> String {
    let browser: URL = try #require(program, "no Chromium on PATH; Scripts/test installs it")
    let process = Process()
    process.executableURL = browser
    process.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
      "--user-data-dir=\(folder.appendingPathComponent("profile-\(UUID().uuidString)").path)",
      "--allow-file-access-from-files", "--window-size=1280,900", "--virtual-time-budget=20000", "--dump-dom",
      page.absoluteString,
    ]
    let output = folder.appendingPathComponent("dom-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: output.path, contents: nil)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return try String(contentsOf: output, encoding: .utf8)
  }
}
