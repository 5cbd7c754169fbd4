import Glibc
import Pipeline
import TIFFTags

extension FilePath {
  /// Where streams wait that have to be seekable: TMPDIR, else a folder for files that may be large.
  static var spoolFolder: FilePath {
    if let named = getenv("TMPDIR") {
      let path = FilePath(String(cString: named))
      if path.meansFolder { return path }
    }
    return SpoolFile.usualFolder.meansFolder ? SpoolFile.usualFolder : FilePath("/tmp")
  }
}
