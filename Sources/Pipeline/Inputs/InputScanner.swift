import Glibc
public import TIFFTags

/// One input of a run, in the order in which results are reported.
public struct Input: Sendable, Hashable {
  /// Where the bytes are.
  public let path: FilePath
  /// Found by looking through a folder: a file that is no RAW is left alone there, but is an error when named.
  public let isFromFolder: Bool
  /// What messages and reports call it.
  public let shownName: String
  /// Path below the folder it was found in, without the file's own name; empty at the top.
  public let subfolder: [UInt8]
  /// What outputs in a folder are named after: the path, or a word where the path says nothing.
  public let nameSource: FilePath

  /// A file that was named, unless told otherwise; it is shown by its path.
  public init(
    path: FilePath, isFromFolder: Bool = false, subfolder: [UInt8] = [], shownName: String? = nil,
    nameSource: FilePath? = nil
  ) {
    self.path = path
    self.nameSource = nameSource ?? path
    self.shownName = shownName ?? path.string
    self.isFromFolder = isFromFolder
    self.subfolder = subfolder
  }
}

/// Turns files and folders into a list of inputs, in the same order on every machine.
public struct InputScanner: Sendable {
  /// Look into folders below a given folder too.
  public var isRecursive: Bool
  /// Where standard input waits when it is a pipe.
  public var spoolFolder: FilePath

  /// A scanner that stays in the given folders unless told otherwise.
  public init(isRecursive: Bool = false, spoolFolder: FilePath = SpoolFile.usualFolder) {
    self.isRecursive = isRecursive
    self.spoolFolder = spoolFolder
  }

  /// Files as given; folders replaced by the regular files in them, sorted by the bytes of their names. Names that
  /// begin with a dot are passed over, and symbolic links to folders are not followed, so there are no endless loops.
  public func inputs(of paths: [FilePath]) throws(JobFailure) -> [Input] {
    var result: [Input] = []
    for path in paths {
      if path.bytes == Array("-".utf8) {
        result.append(
          Input(
            path: try StandardInput.path(spoolingIn: spoolFolder), shownName: StandardInput.shownName,
            nameSource: StandardInput.name))
        continue
      }
      switch kind(of: path) {
      case .folder: result += try filesIn(path, subfolder: [])
      case .file, .missing: result.append(Input(path: path))  // reading reports what is wrong with it
      }
    }
    return result
  }

  /// Splits the text of a list file: one path a line, or NUL between paths.
  public static func paths(inList bytes: [UInt8], separator: UInt8) -> [FilePath] {
    bytes.split(separator: separator).map { FilePath(bytes: Array($0)) }
  }

  private enum Kind { case file, folder, missing }

  private func kind(of path: FilePath, followingLinks: Bool = true) -> Kind {
    var status = stat()
    let result = path.withCString { followingLinks ? stat($0, &status) : lstat($0, &status) }
    guard result == 0 else { return .missing }
    return status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
  }

  private func filesIn(_ folder: FilePath, subfolder: [UInt8]) throws(JobFailure) -> [Input] {
    guard let stream = folder.withCString({ opendir($0) }) else {
      throw JobFailure(.noInput, "\(folder.string): cannot be opened: \(String(cString: strerror(errno)))")
    }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name.first != UInt8(ascii: ".") { names.append(name) }
    }
    names.sort { $0.lexicographicallyPrecedes($1) }
    var result: [Input] = []
    for name in names {
      let path = folder.appending(name)
      switch kind(of: path, followingLinks: false) {
      case .folder where isRecursive:
        result += try filesIn(path, subfolder: subfolder.isEmpty ? name : subfolder + [UInt8(ascii: "/")] + name)
      case .folder: continue
      case .file:
        if kind(of: path) == .file { result.append(Input(path: path, isFromFolder: true, subfolder: subfolder)) }
      case .missing: continue
      }
    }
    return result
  }
}

extension FilePath {
  /// `self/name`.
  public func appending(_ name: [UInt8]) -> FilePath {
    FilePath(bytes: bytes.last == UInt8(ascii: "/") ? bytes + name : bytes + [UInt8(ascii: "/")] + name)
  }

  /// Everything before the last slash; `.` when there is none.
  public var folder: FilePath {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return FilePath(".") }
    return slash == 0 ? FilePath("/") : FilePath(bytes: Array(bytes[..<slash]))
  }

  /// Everything after the last slash.
  public var name: [UInt8] {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return bytes }
    return Array(bytes[(slash + 1)...])
  }

  /// The name without its last extension.
  public var stem: [UInt8] {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return name }
    return Array(name[..<dot])
  }

  /// The last extension without its dot, lower case; empty when there is none.
  public var fileExtension: String {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return "" }
    return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
  }
}
