import CVector

/// Orientations that exchange rows and columns, in tiles that stay in cache and in the translation buffer.
enum TransposeKernel {
  /// Columns of a tile of the result: one cache line of 2-byte pixels.
  static let tileColumns = 32
  /// The longest row of a tile that is gathered in L1 and streamed, bytes.
  static let longestStreamedRow = 1536
  /// Bytes of a row of a tile that is streamed: long enough that few lines are written in parts, which rows of 3-byte
  /// pixels are prone to, since they seldom start on a cache line.
  static func streamedRowBytes(_ bytesPerPixel: Int) -> Int {
    bytesPerPixel == 3 ? longestStreamedRow : longestStreamedRow / 2
  }
  /// What a wide store may touch beyond a gathered row, bytes.
  static let wideSlack = 16
  /// Stored bytes that one tile reads from each stored row.
  static let tileRowBytes = 1024
  /// Side of the register transpose.
  static let side = 8

  /// Rows of a tile of the result.
  static func tileRows(_ bytesPerPixel: Int) -> Int { max(side, tileRowBytes / bytesPerPixel / side * side) }

  static func lay(_ block: PixelBlock, rows: Range<Int>) {
    var x = 0
    let bytes = block.bytesPerPixel
    let width = block.streams && bytes != 2 ? streamedRowBytes(bytes) / bytes : tileColumns
    while x < block.size.width {
      let columns = x..<min(x + width, block.size.width)
      switch block.bytesPerPixel {
      case 1: move(block, rows, columns, as: UInt8.self)
      case 2: moveSamples(block, rows, columns)
      case 3, 6: moveColours(block, rows, columns)
      case 4: move(block, rows, columns, as: UInt32.self)
      case 8: move(block, rows, columns, as: UInt64.self)
      case 12: move(block, rows, columns, as: RGB<UInt32>.self)
      case 16: move(block, rows, columns, as: SIMD4<UInt32>.self)
      default: moveBytes(block, rows, columns)
      }
      x = columns.upperBound
    }
  }

  /// 2-byte pixels by 8 x 8 register transposes; what does not fill a square is moved one by one.
  private static func moveSamples(_ block: PixelBlock, _ rows: Range<Int>, _ columns: Range<Int>) {
    let fullRows = rows.lowerBound..<(rows.lowerBound + rows.count / side * side)
    let fullColumns = columns.lowerBound..<(columns.lowerBound + columns.count / side * side)
    let start = block.destination + columns.lowerBound * 2
    let lines =
      block.streams && columns.count == tileColumns && block.bytesPerRow % 32 == 0 && Int(bitPattern: start) % 32 == 0
    if lines {
      moveLines(block, fullRows, columns)
    } else {
      for y in stride(from: fullRows.lowerBound, to: fullRows.upperBound, by: side) {
        for x in stride(from: fullColumns.lowerBound, to: fullColumns.upperBound, by: side) {
          transpose(
            block, x: x, y: y, to: block.destination + y * block.bytesPerRow + x * 2, stride: block.bytesPerRow)
        }
      }
    }
    if fullColumns.upperBound < columns.upperBound {
      move(block, fullRows, fullColumns.upperBound..<columns.upperBound, as: UInt16.self)
    }
    if fullRows.upperBound < rows.upperBound {
      move(block, fullRows.upperBound..<rows.upperBound, columns, as: UInt16.self)
    }
  }

  /// Gathers eight whole cache lines of the result in registers and L1, and writes them past the cache.
  private static func moveLines(_ block: PixelBlock, _ rows: Range<Int>, _ columns: Range<Int>) {
    let line = tileColumns * 2
    withUnsafeTemporaryAllocation(byteCount: line * side, alignment: MemoryPool.cacheLine) { scratch in
      let lines = scratch.baseAddress!
      var y = rows.lowerBound
      while y < rows.upperBound {
        for part in 0..<(tileColumns / side) {
          transpose(block, x: columns.lowerBound &+ part &* side, y: y, to: lines + part &* side &* 2, stride: line)
        }
        // The next tile's stored rows: each line of each row once while this tile is moved.
        let firstRow = columns.upperBound &+ (y / side % (tileColumns / side)) &* side
        for row in firstRow..<(firstRow &+ side) {
          cv_prefetch(block.source + (row &* block.stepX &+ y &* block.stepY))
        }
        for row in 0..<side {
          let to = block.destination + ((y &+ row) &* block.bytesPerRow &+ columns.lowerBound &* 2)
          cv_stream32(to, lines + row &* line)
          cv_stream32(to + 32, lines + (row &* line &+ 32))
        }
        y &+= side
      }
    }
  }

  /// One 8 x 8 square of 2-byte pixels. Registers load with growing addresses, so when stored columns run backwards
  /// the square is read from its other end and its rows are written last to first.
  @inline(__always)
  private static func transpose(
    _ block: PixelBlock, x: Int, y: Int, to: UnsafeMutableRawPointer, stride: Int
  ) {
    let backwards = block.stepY < 0
    let from = block.source + (x &* block.stepX &+ (backwards ? y &+ side &- 1 : y) &* block.stepY)
    let target = backwards ? to + (side &- 1) &* stride : to
    cv_transpose8_u16(
      from.assumingMemoryBound(to: CChar.self), block.stepX, target.assumingMemoryBound(to: CChar.self),
      backwards ? -stride : stride)
  }

  @inline(__always)
  private static func move<Pixel: BitwiseCopyable>(
    _ block: PixelBlock, _ rows: Range<Int>, _ columns: Range<Int>, as: Pixel.Type
  ) {
    if block.streams {
      gather(block, rows, columns, as: Pixel.self, through: Pixel.self)
      return
    }
    let bytes = MemoryLayout<Pixel>.size
    for y in rows {
      var from = block.source + (columns.lowerBound &* block.stepX &+ y &* block.stepY)
      var to = block.destination + (y &* block.bytesPerRow &+ columns.lowerBound &* bytes)
      for _ in 0..<columns.count {
        to.storeBytes(of: from.loadUnaligned(as: Pixel.self), as: Pixel.self)
        from += block.stepX
        to += bytes
      }
    }
  }

  /// Pixels of an odd size through a larger register: the surplus of each store is overwritten by the next pixel, so
  /// the last one of a row is stored exactly. Loads reach into the next stored column, so the last column is exact too.
  @inline(__always)
  private static func moveWide<Pixel: BitwiseCopyable, Wide: BitwiseCopyable>(
    _ block: PixelBlock, _ rows: Range<Int>, _ columns: Range<Int>, as: Pixel.Type, through: Wide.Type
  ) {
    if block.streams {
      gather(block, rows, columns, as: Pixel.self, through: Wide.self)
      return
    }
    let bytes = MemoryLayout<Pixel>.size
    let lastStoredColumn = block.stepY > 0 ? block.size.height - 1 : 0
    for y in rows {
      let wide = y == lastStoredColumn ? 0 : columns.count - 1
      var from = block.source + (columns.lowerBound &* block.stepX &+ y &* block.stepY)
      var to = block.destination + (y &* block.bytesPerRow &+ columns.lowerBound &* bytes)
      for _ in 0..<wide {
        to.storeBytes(of: from.loadUnaligned(as: Wide.self), as: Wide.self)
        from += block.stepX
        to += bytes
      }
      move(block, y..<(y + 1), (columns.lowerBound + wide)..<columns.upperBound, as: Pixel.self)
    }
  }

  /// Gathers each row of the tile in L1, then writes it past the cache.
  @inline(__always)
  private static func gather<Pixel: BitwiseCopyable, Wide: BitwiseCopyable>(
    _ block: PixelBlock, _ rows: Range<Int>, _ columns: Range<Int>, as: Pixel.Type, through: Wide.Type
  ) {
    let bytes = MemoryLayout<Pixel>.size
    let lastStoredColumn = block.stepY > 0 ? block.size.height - 1 : 0
    let pixelsPerLine = MemoryPool.cacheLine / bytes
    let step = block.stepX
    let count = columns.count
    withUnsafeTemporaryAllocation(byteCount: longestStreamedRow + wideSlack, alignment: MemoryPool.cacheLine) {
      let scratch = $0.baseAddress!
      for y in rows {
        var from = block.source + (columns.lowerBound &* step &+ y &* block.stepY)
        // The next tile's stored rows: each line of each row once while this tile is moved.
        for ahead in stride(from: y % pixelsPerLine, to: count, by: pixelsPerLine) {
          cv_prefetch(from + (count &+ ahead) &* step)
        }
        let wide = y == lastStoredColumn ? 0 : count
        var to = scratch
        for _ in 0..<wide {
          to.storeBytes(of: from.loadUnaligned(as: Wide.self), as: Wide.self)
          from += step
          to += bytes
        }
        for _ in wide..<count {
          to.storeBytes(of: from.loadUnaligned(as: Pixel.self), as: Pixel.self)
          from += step
          to += bytes
        }
        let target = block.destination + (y &* block.bytesPerRow &+ columns.lowerBound &* bytes)
        RowKernel.stream(target, from: scratch, byteCount: count &* bytes)
      }
    }
  }

  /// 3- and 6-byte pixels by register transposes of 8 x 8 when the tile is streamed. A block reads the stored columns
  /// after it as well, so the last ones are moved singly.
  private static func moveColours(_ block: PixelBlock, _ rows: Range<Int>, _ columns: Range<Int>) {
    let surplus = 2
    let backwards = block.stepY < 0
    let usable =
      backwards
      ? max(rows.lowerBound, surplus)..<max(rows.upperBound, surplus)
      : rows.lowerBound..<max(rows.lowerBound, min(rows.upperBound, block.size.height - surplus))
    guard block.streams, columns.count % side == 0, usable.count >= side else {
      moveSingly(block, rows, columns)
      return
    }
    let end = usable.lowerBound + usable.count / side * side
    moveBlocks(block, usable.lowerBound..<end, columns)
    for rest in [rows.lowerBound..<usable.lowerBound, end..<rows.upperBound] where !rest.isEmpty {
      moveSingly(block, rest, columns)
    }
  }

  private static func moveSingly(_ block: PixelBlock, _ rows: Range<Int>, _ columns: Range<Int>) {
    if block.bytesPerPixel == 3 {
      moveWide(block, rows, columns, as: RGB<UInt8>.self, through: UInt32.self)
    } else {
      moveWide(block, rows, columns, as: RGB<UInt16>.self, through: UInt64.self)
    }
  }

  /// Whole blocks: eight result rows are gathered in L1, then written past the cache.
  private static func moveBlocks(_ block: PixelBlock, _ rows: Range<Int>, _ columns: Range<Int>) {
    let bytes = block.bytesPerPixel
    let backwards = block.stepY < 0
    let line = streamedRowBytes(bytes) + wideSlack
    withUnsafeTemporaryAllocation(byteCount: line * side, alignment: MemoryPool.cacheLine) {
      let scratch = $0.baseAddress!
      let target = backwards ? scratch + (side - 1) * line : scratch
      let step = backwards ? -line : line
      var y = rows.lowerBound
      while y < rows.upperBound {
        let stored = block.source + (backwards ? y &+ side &- 1 : y) &* block.stepY
        var x = columns.lowerBound
        while x < columns.upperBound {
          let from = stored + x &* block.stepX
          prefetchNext(from + columns.count &* block.stepX, block, pass: y / side)
          let to = (target + (x &- columns.lowerBound) &* bytes).assumingMemoryBound(to: CChar.self)
          transpose(from.assumingMemoryBound(to: CChar.self), block.stepX, to, step, bytes)
          x &+= side
        }
        for row in 0..<side {
          let to = block.destination + ((y &+ row) &* block.bytesPerRow &+ columns.lowerBound &* bytes)
          RowKernel.stream(to, from: scratch + row &* line, byteCount: columns.count &* bytes)
        }
        y &+= side
      }
    }
  }

  /// Asks for a block of the next tile. Two passes of 3-byte pixels share a cache line, so each asks for half.
  @inline(__always)
  private static func prefetchNext(_ from: UnsafeRawPointer, _ block: PixelBlock, pass: Int) {
    let half = side / 2
    let wanted = block.bytesPerPixel == 3 ? (pass % 2 &* half)..<(pass % 2 &* half &+ half) : 0..<side
    for row in wanted { cv_prefetch(from + row &* block.stepX) }
  }

  /// One 8 x 8 square of 3- or 6-byte pixels.
  @inline(__always)
  private static func transpose(
    _ from: UnsafePointer<CChar>, _ fromStep: Int, _ to: UnsafeMutablePointer<CChar>, _ toStep: Int, _ bytes: Int
  ) {
    if bytes == 3 {
      cv_transpose8x4_3byte(from, fromStep, to, toStep)
      cv_transpose8x4_3byte(from + 4 &* bytes, fromStep, to + 4 &* toStep, toStep)
    } else {
      for row in Swift.stride(from: 0, to: side, by: 2) {
        cv_transpose8x2_6byte(from + row &* bytes, fromStep, to + row &* toStep, toStep)
      }
    }
  }

  private static func moveBytes(_ block: PixelBlock, _ rows: Range<Int>, _ columns: Range<Int>) {
    for y in rows {
      for x in columns {
        let from = block.source + (x * block.stepX + y * block.stepY)
        let to = block.destination + (y * block.bytesPerRow + x * block.bytesPerPixel)
        to.copyMemory(from: from, byteCount: block.bytesPerPixel)
      }
    }
  }
}
