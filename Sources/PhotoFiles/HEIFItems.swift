/// The list of items in a HEIF file: as much of the boxes of ISO/IEC 14496-12 as it takes to find it.
enum HEIFItems {
  private static let metadataTypes = [Array("Exif".utf8), Array("mime".utf8)]
  /// A box of this type is to be left alone by readers (ISO/IEC 14496-12, clause 8.1.2).
  private static let freeType = Array("free".utf8)
  /// Version and flags of a full box.
  private static let fullBoxBytes = 4
  private static let typeBytes = 4

  /// The file with its EXIF and XMP items hidden; `nil` when it has none.
  ///
  /// libheif 1 refuses a file in which only such an item lies where it says nothing is.
  static func hidingMetadata(in bytes: [UInt8]) -> [UInt8]? {
    var result = bytes
    var found = false
    for (_, meta) in boxes(bytes, 0..<bytes.count, "meta") {
      for (_, list) in boxes(bytes, meta.dropFirst(fullBoxBytes), "iinf") {
        // The number of entries has 16 bits in version 0, else 32.
        let isShort = list.first.map { bytes[$0] == 0 } ?? true
        for (boxType, entry) in boxes(bytes, list.dropFirst(fullBoxBytes + (isShort ? 2 : 4)), "infe") {
          guard let type = typeRange(ofEntry: entry, bytes), metadataTypes.contains(Array(bytes[type])) else {
            continue
          }
          result.replaceSubrange(boxType, with: freeType)
          found = true
        }
      }
    }
    return found ? result : nil
  }

  /// Where an entry of version 2 or 3 names the type of its item: behind a number of 16 or 32 bits and 16 of protection.
  private static func typeRange(ofEntry entry: Range<Int>, _ bytes: [UInt8]) -> Range<Int>? {
    guard let first = entry.first, bytes[first] == 2 || bytes[first] == 3 else { return nil }
    let start = first + fullBoxBytes + (bytes[first] == 2 ? 2 : 4) + 2
    return start + typeBytes <= entry.upperBound ? start..<start + typeBytes : nil
  }

  /// The boxes of a type among those that follow one another in a part of the file: where the type and the contents lie.
  private static func boxes(
    _ bytes: [UInt8], _ part: Range<Int>, _ type: String
  ) -> [(type: Range<Int>, contents: Range<Int>)] {
    var result: [(type: Range<Int>, contents: Range<Int>)] = []
    var start = part.lowerBound
    let headBytes = 8
    while part.upperBound - start >= headBytes {
      let room = part.upperBound - start
      var head = headBytes
      var count = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      if count == 0 { count = room }
      if count == 1 {
        // Eight bytes of size follow the type.
        guard room >= 2 * headBytes else { break }
        head = 2 * headBytes
        count = bytes[start + headBytes..<start + head].reduce(0) { $0 << 8 | Int($1) }
      }
      guard count >= head, count <= room else { break }
      let typePlace = start + 4..<start + headBytes
      if bytes[typePlace].elementsEqual(type.utf8) { result.append((typePlace, start + head..<start + count)) }
      start += count
    }
    return result
  }
}
