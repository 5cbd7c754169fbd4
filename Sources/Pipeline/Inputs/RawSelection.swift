import RawFiles

/// Which files of a folder are RAW captures.
public enum RawSelection {
  /// Extensions under which RAW data are kept: such a file is taken to be meant, even when its content is no RAW.
  private static let rawExtensions: Set<String> = [
    "dng", "raw", "cr2", "cr3", "crw", "nef", "nrw", "arw", "sr2", "srf", "raf", "orf", "rw2", "rwl", "pef", "ptx",
    "srw",
    "kdc", "dcr", "k25", "mrw", "x3f", "iiq", "3fr", "fff", "mos", "mef", "erf", "gpr", "ori",
  ]

  /// Files that were named, and those found in folders that are RAW by content or by name; the others are counted.
  public static func split(_ inputs: [Input]) -> (raw: [Input], leftAlone: Int) {
    let raw = inputs.filter { input in
      if !input.isFromFolder { return true }
      if let kind = try? FileSniffer.kind(ofFileAt: input.path) {
        switch kind {
        case .dng, .raw: return true
        default: break
        }
      }
      return rawExtensions.contains(input.path.fileExtension)
    }
    return (raw, inputs.count - raw.count)
  }
}
