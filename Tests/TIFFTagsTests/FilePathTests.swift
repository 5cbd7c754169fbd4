import TIFFTags
import Testing

@Suite("File names are bytes")
struct FilePathTests {
  @Test func anyByteSurvives() {
    let bytes: [UInt8] = Array(1...255)
    let path = FilePath(bytes: bytes)
    #expect(path.bytes == bytes)
    let seen = path.withCString { name in
      var read: [UInt8] = []
      while name[read.count] != 0 { read.append(UInt8(bitPattern: name[read.count])) }
      return read
    }
    #expect(seen == bytes)
  }
}
