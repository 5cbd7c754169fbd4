import Glibc
public import TIFFTags

/// Where data of streams wait that must be seekable: a file without a name, so that nothing is left behind however the
/// process ends.
public struct SpoolFile {
  /// Seekable, readable and writable; whoever takes it closes it.
  let descriptor: Int32

  /// Files that may become large do not belong into memory, which `/tmp` often is.
  public static let usualFolder = FilePath("/var/tmp")
  /// `O_TMPFILE` of <fcntl.h>, which the module map of the C library does not export.
  private static let unnamed: Int32 = 0o20000000 | O_DIRECTORY
  private static let permissions: mode_t = 0o600

  /// - Throws: cannot create (73).
  init(in folder: FilePath) throws(JobFailure) {
    var opened = folder.withCString { open($0, Self.unnamed | O_RDWR | O_CLOEXEC, Self.permissions) }
    if opened < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL) {
      opened = Self.openAndUnlink(in: folder)
    }
    guard opened >= 0 else {
      throw JobFailure(
        .cannotCreate,
        "no temporary file in \(folder.string): \(String(cString: strerror(errno))); TMPDIR names another folder")
    }
    descriptor = opened
  }

  private static func openAndUnlink(in folder: FilePath) -> Int32 {
    let name = folder.appending(Array(".duo-process.\(getpid())-\(UInt32.random(in: 0...UInt32.max)).spool".utf8))
    return name.withCString { path in
      let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, permissions)
      if descriptor >= 0 { unlink(path) }
      return descriptor
    }
  }
}
