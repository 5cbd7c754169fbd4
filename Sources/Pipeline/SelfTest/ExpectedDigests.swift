/// What ``ExactStages`` make: the beginnings of SHA-256 digests. A deliberate change of a stage changes its line here;
/// `duo-process selftest --digests` prints them.
enum ExpectedDigests {
  static let all: [String: String] = [:]
}
