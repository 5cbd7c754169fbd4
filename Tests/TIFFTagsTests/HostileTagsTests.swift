import TIFFTags
import Testing

/// Tags that lie, in both byte orders and both sizes of offsets.
@Suite struct HostileTagsTests {
  private func refusal(_ bytes: [UInt8]) -> TIFFError? {
    do throws(TIFFError) {
      _ = try TIFFFile(ByteSource(bytes))
      return nil
    } catch { return error }
  }

  private func isDamaged(_ bytes: [UInt8]) -> Bool {
    if case .damaged = refusal(bytes) { true } else { isCutOff(bytes) }
  }

  private func isCutOff(_ bytes: [UInt8]) -> Bool {
    if case .truncated(let found, let expected) = refusal(bytes) {
      found == bytes.count && expected > found
    } else {
      false
    }
  }

  @Test("Directories that form a loop", arguments: Draft.all)
  func loops(draft: Draft) {
    let first = UInt64(draft.headerSize)
    let width = draft.entry(256, type: 3, count: 1, draft.number(7, 2))
    #expect(isDamaged(draft.file([width], next: first)))
    let own = draft.entry(330, type: 4, count: 1, draft.number(first, 4))
    #expect(isDamaged(draft.file([own])))
    let size = UInt64(draft.directory([width]).count)
    let two = draft.header(first: first) + draft.directory([width], next: first + size)
    #expect(isDamaged(two + draft.directory([width], next: first)))
    #expect(refusal(two + draft.directory([width])) == nil)
    let exif = draft.file([draft.entry(34665, type: 4, count: 1, draft.number(first, 4))])
    touchEverything(exif)
  }

  @Test("A chain longer than any camera writes", arguments: Draft.all)
  func longChain(draft: Draft) {
    let width = draft.entry(256, type: 3, count: 1, draft.number(7, 2))
    let size = draft.directory([width]).count
    func chain(_ count: Int) -> [UInt8] {
      (0..<count).reduce(draft.header(first: UInt64(draft.headerSize))) { file, index in
        let next = index + 1 < count ? draft.headerSize + (index + 1) * size : 0
        return file + draft.directory([width], next: UInt64(next))
      }
    }
    #expect(refusal(chain(TIFFFile.maxDirectories)) == nil)
    #expect(isDamaged(chain(TIFFFile.maxDirectories + 1)))
  }

  @Test("Offsets past the end", arguments: Draft.all)
  func offsets(draft: Draft) throws {
    let beyond: [UInt64] = draft.isBig ? [1000, UInt64(Int64.max), .max] : [1000, UInt64(UInt32.max)]
    for offset in beyond {
      #expect(isDamaged(draft.header(first: offset)))
      #expect(isDamaged(draft.file([], next: offset)))
      let field = draft.number(offset, draft.word)
      let sub = draft.entry(330, type: draft.isBig ? 18 : 13, count: 1, field)
      #expect(isDamaged(draft.file([sub])))
      let long = draft.file([draft.entry(270, type: 4, count: 5, field)])
      let directory = try TIFFFile(ByteSource(long)).directories[0]
      #expect(directory.numbers(270) == nil && directory.integers(270) == nil && directory.bytes(270) == nil)
      touchEverything(draft.file([draft.entry(34665, type: draft.isBig ? 18 : 13, count: 1, field)]))
    }
    #expect(isDamaged(draft.header(first: 0)))
  }

  @Test("Counts larger than the file, of every type", arguments: Draft.all)
  func counts(draft: Draft) throws {
    let counts =
      [UInt64(UInt32.max), UInt64(UInt32.max) - 1, 1 << 22, 1 << 31]
      + (draft.isBig ? [UInt64.max, 1 << 63, 1 << 61, 1 << 60] : [])
    for type in UInt16(0)...20 {
      for count in counts {
        let bytes = draft.file([draft.entry(270, type: type, count: count, draft.number(8, 4))])
        let directory = try TIFFFile(ByteSource(bytes)).directories[0]
        #expect(directory.bytes(270) == nil && directory.numbers(270) == nil && directory.text(270) == nil)
      }
      touchEverything(draft.file([draft.entry(270, type: type, count: 0, [])]))
    }
    for count in counts {
      #expect(isDamaged(draft.file([draft.entry(330, type: 4, count: count, draft.number(8, 4))])))
      let head = draft.header(first: UInt64(draft.headerSize))
      if draft.isBig { #expect(isDamaged(head + draft.number(count, 8) + Array(repeating: 0, count: 99))) }
    }
    if !draft.isBig {
      #expect(isDamaged(draft.header(first: 8) + [0xFF, 0xFF] + Array(repeating: 0, count: 99)))
    }
  }

  @Test("Cut off anywhere and wrong anywhere", arguments: Draft.all)
  func damage(draft: Draft) {
    let at = UInt64(draft.headerSize)
    let entries = [
      draft.entry(256, type: 3, count: 1, draft.number(7, 2)),
      draft.entry(270, type: 2, count: 6, draft.number(at, draft.word)),
      draft.entry(282, type: 5, count: 2, draft.number(at, draft.word)),
      draft.entry(34665, type: 4, count: 1, draft.number(at + 8, 4)),
    ]
    let whole = draft.file(entries)
    #expect(refusal(whole) == nil)
    let needed = whole.count - draft.word  // the link to the next directory may be missing
    for length in 0..<needed { #expect(refusal(Array(whole[..<length])) != nil, "\(length) bytes") }
    for index in whole.indices {
      for value: UInt8 in [0, 1, 2, 0x10, 0x7F, 0x80, 0xFF] {
        var bytes = whole
        bytes[index] = value
        touchEverything(bytes)
      }
    }
  }

  @Test("What is not TIFF")
  func notTIFF() {
    for bytes: [UInt8] in [[], [0x49], Array("II*".utf8), Array("Dear diary".utf8), Array("IIU\0aaaaaaa".utf8)] {
      #expect(refusal(bytes) == .notTIFF)
    }
    let shortBig = Array(Draft(littleEndian: true, isBig: true).header(first: 16)[..<12])
    #expect(isCutOff(shortBig))
    #expect(isCutOff(Array("II*\0".utf8)))
  }

  @Test("Tags that end with the file are told from tags that contradict themselves", arguments: Draft.all)
  func cutOff(draft: Draft) {
    let entries = [256, 257, 270].map { draft.entry($0, type: 4, count: 1, draft.number(7, 4)) }
    let whole = draft.file(entries)
    // Without its last link, which many writers leave out, a directory is whole.
    for length in 8..<whole.count - draft.word { #expect(isCutOff(Array(whole[..<length])), "\(length)") }
    let far = draft.entry(330, type: 4, count: 9, draft.number(UInt64(whole.count), draft.word))
    #expect(isCutOff(draft.file([far])))
  }
}
