import RawFiles
import TIFFTags

/// Which files of a folder a command takes. Files that were named it takes all.
public enum InputSelection: Sendable {
  /// RAW captures.
  case raw
  /// Finished pictures and DNG mosaics.
  case pictures

  /// What the files are called in messages.
  public var noun: String {
    switch self {
    case .raw: "RAW"
    case .pictures: "picture"
    }
  }

  /// Extensions under which RAW data are kept: such a file is taken to be meant, even when its content is no RAW.
  private static let rawExtensions: Set<String> = [
    "dng", "raw", "cr2", "cr3", "crw", "nef", "nrw", "arw", "sr2", "srf", "raf", "orf", "rw2", "rwl", "pef", "ptx",
    "srw", "kdc", "dcr", "k25", "mrw", "x3f", "iiq", "3fr", "fff", "mos", "mef", "erf", "gpr", "ori",
  ]

  /// Files that were named, and those found in folders that are of the kind by content or, for RAW files, by name; the
  /// others are counted.
  public func split(_ inputs: [Input]) -> (chosen: [Input], leftAlone: Int) {
    let chosen = inputs.filter { !$0.isFromFolder || takes($0.path) }
    return (chosen, inputs.count - chosen.count)
  }

  private func takes(_ path: FilePath) -> Bool {
    let kind = try? FileSniffer.kind(ofFileAt: path)
    switch (self, kind) {
    case (.raw, .dng), (.raw, .raw), (.pictures, .dng), (.pictures, .jpeg), (.pictures, .png), (.pictures, .tiff),
      (.pictures, .exr), (.pictures, .heif), (.pictures, .jxl):
      return true
    case (.raw, _): return Self.rawExtensions.contains(path.fileExtension)
    case (.pictures, _): return false
    }
  }
}
