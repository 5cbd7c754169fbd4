/// Writes whole DNG files the way others do: either byte order, classic or BigTIFF, a thumbnail in front and the mosaic
/// in a sub-directory. Knows nothing of the writer under test.
struct ForeignDNG {
  let littleEndian: Bool
  let isBig: Bool

  struct Entry {
    let tag: Int
    let type: Int
    let values: [Int]
  }

  init(littleEndian: Bool, isBig: Bool) {
    self.littleEndian = littleEndian
    self.isBig = isBig
  }

  static let sizes = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 13: 4, 16: 8]

  private var word: Int { isBig ? 8 : 4 }

  private func number(_ value: Int, _ size: Int) -> [UInt8] {
    let little = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return littleEndian ? little : little.reversed()
  }

  /// Rationals are pairs of values.
  private func data(_ entry: Entry) -> [UInt8] {
    let size = entry.type == 5 ? 4 : Self.sizes[entry.type]!
    return entry.values.flatMap { number($0, size) }
  }

  private func directory(_ entries: [Entry], at offset: Int) -> [UInt8] {
    let head = (isBig ? 8 : 2) + entries.count * (4 + 2 * word) + word
    var table = number(entries.count, isBig ? 8 : 2)
    var heap: [UInt8] = []
    for entry in entries.sorted(by: { $0.tag < $1.tag }) {
      let data = data(entry)
      let count = entry.type == 5 ? entry.values.count / 2 : entry.values.count
      table += number(entry.tag, 2) + number(entry.type, 2) + number(count, word)
      if data.count <= word {
        table += data + Array(repeating: 0, count: word - data.count)
      } else {
        table += number(offset + head + heap.count, word)
        heap += data + Array(repeating: 0, count: data.count & 1)
      }
    }
    return table + number(0, word) + heap
  }

  /// A classic TIFF structure of nothing but tags, as EXIF blocks are.
  func structure(main: [Entry], exif: [Entry], gps: [Entry]) -> [UInt8] {
    let (exifOffset, gpsOffset) = (512, 1024)
    let all =
      main + [Entry(tag: 34665, type: 4, values: [exifOffset]), Entry(tag: 34853, type: 4, values: [gpsOffset])]
    var file: [UInt8] = (littleEndian ? [0x49, 0x49] : [0x4D, 0x4D]) + number(42, 2) + number(8, 4)
    file += directory(all, at: 8)
    file += Array(repeating: 0, count: exifOffset - file.count) + directory(exif, at: exifOffset)
    return file + Array(repeating: 0, count: gpsOffset - file.count) + directory(gps, at: gpsOffset)
  }

  /// A mosaic of 16 bits in tiles of 16x16, uncompressed or as given; extra tags win.
  func file(
    width: Int, height: Int, tiles: [[UInt8]]? = nil, mainExtra: [Entry] = [], rawExtra: [Entry] = [],
    sample: (Int, Int) -> UInt16
  ) -> [UInt8] {
    let side = 16
    let (across, down) = ((width + side - 1) / side, (height + side - 1) / side)
    let stored =
      tiles
      ?? (0..<across * down).map { tile in
        (0..<side * side).flatMap { index -> [UInt8] in
          let (x, y) = (tile % across * side + index % side, tile / across * side + index / side)
          return number(x < width && y < height ? Int(sample(x, y)) : 0, 2)
        }
      }
    let start = isBig ? 16 : 8
    let dataStart = 2048
    var offsets: [Int] = []
    var next = dataStart
    for tile in stored {
      offsets.append(next)
      next += (tile.count + 1) / 2 * 2
    }
    let rawOffset = 1024
    let offsetType = isBig ? 16 : 4
    let raw =
      [
        Entry(tag: 254, type: 4, values: [0]), Entry(tag: 256, type: 3, values: [width]),
        Entry(tag: 257, type: 3, values: [height]), Entry(tag: 258, type: 3, values: [16]),
        Entry(tag: 259, type: 3, values: [tiles == nil ? 1 : 7]), Entry(tag: 262, type: 3, values: [32803]),
        Entry(tag: 277, type: 3, values: [1]), Entry(tag: 322, type: 3, values: [side]),
        Entry(tag: 323, type: 3, values: [side]), Entry(tag: 324, type: offsetType, values: offsets),
        Entry(tag: 325, type: offsetType, values: stored.map(\.count)), Entry(tag: 33421, type: 3, values: [2, 2]),
        Entry(tag: 33422, type: 1, values: [1, 0, 2, 1]), Entry(tag: 50714, type: 5, values: [129, 2]),
        Entry(tag: 50717, type: 4, values: [65535]),
      ].filter { entry in !rawExtra.contains { $0.tag == entry.tag } } + rawExtra
    let main =
      [
        Entry(tag: 254, type: 4, values: [1]), Entry(tag: 256, type: 3, values: [1]),
        Entry(tag: 257, type: 3, values: [1]), Entry(tag: 258, type: 3, values: [8]),
        Entry(tag: 262, type: 3, values: [1]),
        Entry(tag: 271, type: 2, values: Array("Other".utf8).map { Int($0) } + [0]),
        Entry(tag: 273, type: 4, values: [dataStart]), Entry(tag: 274, type: 3, values: [6]),
        Entry(tag: 279, type: 4, values: [1]), Entry(tag: 330, type: isBig ? 16 : 4, values: [rawOffset]),
        Entry(tag: 50706, type: 1, values: [1, 4, 0, 0]), Entry(tag: 50778, type: 3, values: [21]),
        Entry(tag: 50728, type: 5, values: [1, 2, 1, 1, 3, 4]),
      ] + mainExtra
    var file: [UInt8] = littleEndian ? [0x49, 0x49] : [0x4D, 0x4D]
    file += isBig ? number(43, 2) + number(8, 2) + number(0, 2) + number(start, 8) : number(42, 2) + number(start, 4)
    file += directory(main, at: start)
    precondition(file.count <= rawOffset, "the first directory needs more room")
    file += Array(repeating: 0, count: rawOffset - file.count) + directory(raw, at: rawOffset)
    precondition(file.count <= dataStart, "the second directory needs more room")
    file += Array(repeating: 0, count: dataStart - file.count)
    for tile in stored { file += tile + Array(repeating: 0, count: tile.count & 1) }
    return file
  }
}
