public import TIFFTags

/// Files that one press of the shutter made, to be fused into one picture.
public struct Shot: Sendable, Hashable {
  /// The full-resolution frame; `nil` when all are, and the sharpest is to be taken.
  public var detail: FilePath?
  /// The frames whose light is merged; where ``detail`` is `nil`, all frames.
  public var base: [FilePath]
  /// The frame of ``base`` whose moment the merged light shows; `nil` for the one next in time to the detail frame.
  public var reference: FilePath?

  /// - Parameters: see the properties; `base` is not empty.
  public init(detail: FilePath?, base: [FilePath], reference: FilePath? = nil) {
    (self.detail, self.base, self.reference) = (detail, base, reference)
  }

  /// The file that stands for the shot: its name becomes that of the result.
  public var representative: FilePath { detail ?? base[0] }

  /// All files.
  public var files: [FilePath] { (detail.map { [$0] } ?? []) + base.filter { $0 != detail } }
}
