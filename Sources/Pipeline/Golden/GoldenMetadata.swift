import ImageCore
import PhotoFiles
import RawFiles
import TIFFTags

/// What a picture or DNG says besides its pixels, as texts by name, so that two files can be compared tag by tag.
enum GoldenMetadata {
  /// Values that are longer are shown by their digest.
  private static let shownValues = 16
  private static let textTag: UInt16 = 2
  private static let orientationTag: UInt16 = 274
  private static let xmpTag: UInt16 = 700
  private static let iccTag: UInt16 = 34675
  private static let exifColourSpace: UInt16 = 40961

  /// Tags that say how and by which version bytes are laid, not what the picture is: TIFF 6.0, TIFF Tech Note 1,
  /// EXIF 2.32, DNG 1.7. Rows and bytes of strips and tiles, sub-directories, compression, the program's version,
  /// previews' program and date, digests of packed pixels.
  private static let storage: Set<UInt16> = [
    259, 273, 278, 279, 305, 317, 322, 323, 324, 325, 330, 513, 514, 34665, 34853, 50966, 50967, 50968, 50969, 50971,
    50972, 51111,
  ]

  /// All names and values.
  ///
  /// - Throws: the failure to read the file.
  static func read(_ path: FilePath) throws(JobFailure) -> [String: String] {
    let kind: FileKind
    do { kind = try FileSniffer.kind(ofFileAt: path) } catch { throw JobFailure(error) }
    if case .dng = kind {
      var tags = ["file": "DNG"]
      let file: TIFFFile
      do { file = try TIFFFile(try ByteSource(file: path)) } catch { throw JobFailure(.badData, "\(error)") }
      add(file, to: &tags)
      if let xmp = file.directories.first?.bytes(xmpTag) { tags["XMP"] = digest(xmp) }
      return tags
    }
    let reader: PictureReader
    do { reader = try PictureReader(path: path.bytes) } catch { throw JobFailure(error) }
    return picture(path, reader)
  }

  private static func picture(_ path: FilePath, _ reader: PictureReader) -> [String: String] {
    var tags = [
      "file": reader.container.rawValue.uppercased(), "size": reader.size.description,
      "samples": reader.format.description, "orientation": "\(reader.orientation.rawValue)",
    ]
    if !reader.iccProfile.isEmpty { tags["ICC"] = digest(withoutDate(reader.iccProfile)) }
    let metadata = PictureMetadata.read(fromFile: path.bytes, for: reader.size, orientation: reader.orientation)
      .metadata
    if !metadata.xmp.isEmpty { tags["XMP"] = digest(metadata.xmp) }
    // Of a TIFF the file's own directories tell more than the block that is made of them.
    let source = reader.container == .tiff ? try? ByteSource(file: path) : ByteSource(metadata.exif)
    if let source, let file = try? TIFFFile(source) { add(file, to: &tags) }
    // The block is made for an sRGB picture, whatever the file says; the profile tells the colour space.
    if reader.container != .tiff { tags["Exif.\(exifColourSpace)"] = nil }
    return tags
  }

  private static func add(_ file: TIFFFile, to tags: inout [String: String]) {
    for (index, directory) in file.allDirectories.enumerated() { add(directory, "IFD\(index)", to: &tags) }
    guard let first = file.directories.first else { return }
    if let exif = file.exif(of: first) { add(exif, "Exif", to: &tags) }
    if let gps = file.gps(of: first) { add(gps, "GPS", to: &tags) }
  }

  private static func add(_ directory: TIFFDirectory, _ name: String, to tags: inout [String: String]) {
    for (tag, entry) in directory.entries where !storage.contains(tag) && tag != xmpTag && tag != iccTag {
      tags["\(name).\(tag)"] = value(directory, entry)
    }
  }

  private static func value(_ directory: TIFFDirectory, _ entry: TIFFEntry) -> String {
    if entry.type == textTag { return directory.text(entry.tag) ?? "" }
    if entry.count <= shownValues, let numbers = directory.numbers(entry.tag) {
      return numbers.map { number in Int(exactly: number).map(String.init) ?? "\(number)" }.joined(separator: " ")
    }
    guard case .stored(_, _, let bytes)? = directory.storedValue(entry.tag) else { return "unreadable" }
    return digest(bytes)
  }

  private static func digest(_ bytes: [UInt8]) -> String {
    "\(bytes.count) bytes, sha256 \(FileDigest.sha256(of: bytes))"
  }

  /// A profile without its creation date and ID (ICC.1:2010, table 17: bytes 24 to 35 and 84 to 99), which do not
  /// change colours.
  private static func withoutDate(_ profile: [UInt8]) -> [UInt8] {
    let headerBytes = 128
    guard profile.count >= headerBytes else { return profile }
    var result = profile
    for range in [24..<36, 84..<100] {
      result.replaceSubrange(range, with: [UInt8](repeating: 0, count: range.count))
    }
    return result
  }

  /// What differs, by name.
  ///
  /// - Parameter ignored: names that may differ.
  static func differences(
    golden: [String: String], candidate: [String: String], ignoring ignored: Set<String>
  ) -> [GoldenTagDifference] {
    Set(golden.keys).union(candidate.keys).subtracting(ignored).sorted().compactMap { name in
      let (old, new) = (golden[name], candidate[name])
      return old == new ? nil : GoldenTagDifference(name: name, golden: old, candidate: new)
    }
  }
}

/// A tag that is not what it was.
public struct GoldenTagDifference: Sendable, Hashable {
  /// `IFD0.274`, `Exif.33434`, `ICC`, `orientation` …
  public var name: String
  /// `nil` when the golden has no such tag.
  public var golden: String?
  /// `nil` when the candidate has no such tag.
  public var candidate: String?

  /// The name with what people call it: `IFD0.274 Orientation`.
  public var title: String { GoldenTagNames.title(name) }

  /// One line.
  public var description: String {
    switch (golden, candidate) {
    case (let old?, nil): "\(title) is gone (was \(old))"
    case (nil, let new?): "\(title) is new (\(new))"
    default: "\(title) was \(golden ?? ""), is \(candidate ?? "")"
    }
  }
}
