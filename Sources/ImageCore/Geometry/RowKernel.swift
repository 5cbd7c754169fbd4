import CVector
import Glibc

/// Orientations that keep rows as rows: copy, both mirrors, rotation by 180°.
enum RowKernel {
  /// Bytes reversed in cache before they are streamed out; a multiple of every fast pixel size and of 32.
  static let chunkBytes = 6144
  /// Bytes of the registers that 3- and 6-byte pixels are reversed in.
  static let registerBytes = 16
  /// What vector loads and stores may touch beyond a chunk, bytes.
  static let vectorSlack = 32

  static func lay(_ block: PixelBlock, rows: Range<Int>, mirrored: Bool) {
    let rowBytes = block.size.width * block.bytesPerPixel
    for y in rows {
      let to = block.destination + y * block.bytesPerRow
      let from = block.source + y * block.stepY
      if !mirrored {
        if block.streams { stream(to, from: from, byteCount: rowBytes) } else { memcpy(to, from, rowBytes) }
      } else {
        // `from` is the last stored pixel of the row; the row itself starts `width - 1` pixels before it.
        mirror(to, from: from - (rowBytes - block.bytesPerPixel), block: block)
      }
    }
  }

  private static func mirror(_ to: UnsafeMutableRawPointer, from: UnsafeRawPointer, block: PixelBlock) {
    let bytes = block.bytesPerPixel
    if block.streams, bytes == 3 || bytes == 6 {
      streamReversed(to, from: from, block: block)
      return
    }
    guard block.streams, chunkBytes % bytes == 0 else {
      reverse(to, from: from, count: block.size.width, bytesPerPixel: bytes)
      return
    }
    withUnsafeTemporaryAllocation(byteCount: chunkBytes, alignment: MemoryPool.cacheLine) { scratch in
      let perChunk = chunkBytes / bytes
      var done = 0
      while done < block.size.width {
        let count = min(perChunk, block.size.width - done)
        let start = block.size.width - done - count
        // The CPU's own prefetcher loses its way when rows run forwards and pixels backwards.
        for line in stride(from: 0, to: count * bytes, by: MemoryPool.cacheLine) {
          cv_prefetch(from + (start * bytes + block.stepY + line))
        }
        reverse(scratch.baseAddress!, from: from + start * bytes, count: count, bytesPerPixel: bytes)
        stream(to + done * bytes, from: scratch.baseAddress!, byteCount: count * bytes)
        done += count
      }
    }
  }

  /// Reverses 3- and 6-byte pixels straight past the cache, 48 bytes (three registers) at a time.
  private static func streamReversed(_ to: UnsafeMutableRawPointer, from: UnsafeRawPointer, block: PixelBlock) {
    let bytes = block.bytesPerPixel
    let width = block.size.width
    // Pixels before the first one that starts a register; none does for 6-byte pixels at an odd address.
    var head = 0
    while head < registerBytes, (Int(bitPattern: to) + head * bytes) % registerBytes != 0 { head += 1 }
    if head == registerBytes || head > width { head = width }
    reverse(to, from: from + (width - head) * bytes, count: head, bytesPerPixel: bytes)
    let step = 3 * registerBytes
    var left = (width - head) * bytes
    var out = (to + head * bytes).assumingMemoryBound(to: CChar.self)
    let base = from.assumingMemoryBound(to: CChar.self)
    while left >= step {
      left &-= step
      // The CPU's own prefetcher loses its way when rows run forwards and pixels backwards.
      cv_prefetch(base + (left &+ block.stepY))
      if bytes == 3 { cv_stream_reversed_3byte(out, base + left) } else { cv_stream_reversed_6byte(out, base + left) }
      out += step
    }
    reverse(out, from: from, count: left / bytes, bytesPerPixel: bytes)
  }

  /// Copies past the cache. Partial lines at both ends are written the usual way.
  static func stream(_ to: UnsafeMutableRawPointer, from: UnsafeRawPointer, byteCount: Int) {
    let unit = MemoryPool.cacheLine
    let head = min(byteCount, -Int(bitPattern: to) & (unit - 1))
    memcpy(to, from, head)
    var done = head
    while done &+ unit <= byteCount {
      cv_stream32(to + done, from + done)
      cv_stream32(to + (done &+ unit / 2), from + (done &+ unit / 2))
      done &+= unit
    }
    memcpy(to + done, from + done, byteCount - done)
  }

  /// Writes `count` pixels in reverse order.
  static func reverse(_ to: UnsafeMutableRawPointer, from: UnsafeRawPointer, count: Int, bytesPerPixel: Int) {
    var done = 0
    switch bytesPerPixel {
    case 1: while done &+ 16 <= count { reverse16(to, from, count, &done) }
    case 2:
      while done &+ 16 <= count {
        let pixels = (from + (count &- 16 &- done) &* 2).loadUnaligned(as: SIMD16<UInt16>.self)
        (to + done &* 2).storeBytes(of: cv_reverse_u16(pixels), as: SIMD16<UInt16>.self)
        done &+= 16
      }
    case 3:
      // A store writes one byte too many, which the next pixel overwrites; a load reads one before the five pixels.
      while done &+ 6 <= count {
        let pixels = (from + ((count &- 5 &- done) &* 3 &- 1)).loadUnaligned(as: SIMD16<UInt8>.self)
        (to + done &* 3).storeBytes(of: cv_reverse_3byte(pixels), as: SIMD16<UInt8>.self)
        done &+= 5
      }
    case 4:
      while done &+ 8 <= count {
        let pixels = (from + (count &- 8 &- done) &* 4).loadUnaligned(as: SIMD8<UInt32>.self)
        (to + done &* 4).storeBytes(of: cv_reverse_u32(pixels), as: SIMD8<UInt32>.self)
        done &+= 8
      }
    case 6:
      // As for 3, with two pixels and four surplus bytes: at least one more pixel must follow.
      while done &+ 3 <= count {
        let pixels = (from + ((count &- 2 &- done) &* 6 &- 4)).loadUnaligned(as: SIMD16<UInt8>.self)
        (to + done &* 6).storeBytes(of: cv_reverse_6byte(pixels), as: SIMD16<UInt8>.self)
        done &+= 2
      }
    case 8: reversePlain(to, from, count, &done, as: UInt64.self)
    case 12: reversePlain(to, from, count, &done, as: RGB<UInt32>.self)
    case 16: reversePlain(to, from, count, &done, as: SIMD4<UInt32>.self)
    default: break
    }
    while done < count {
      let pixel = from + (count - 1 - done) * bytesPerPixel
      for byte in 0..<bytesPerPixel {
        to.storeBytes(
          of: pixel.load(fromByteOffset: byte, as: UInt8.self), toByteOffset: done * bytesPerPixel + byte,
          as: UInt8.self)
      }
      done += 1
    }
  }

  @inline(__always)
  private static func reverse16(
    _ to: UnsafeMutableRawPointer, _ from: UnsafeRawPointer, _ count: Int, _ done: inout Int
  ) {
    let pixels = (from + (count &- 16 &- done)).loadUnaligned(as: SIMD16<UInt8>.self)
    (to + done).storeBytes(of: cv_reverse_u8(pixels), as: SIMD16<UInt8>.self)
    done &+= 16
  }

  @inline(__always)
  private static func reversePlain<Pixel: BitwiseCopyable>(
    _ to: UnsafeMutableRawPointer, _ from: UnsafeRawPointer, _ count: Int, _ done: inout Int, as: Pixel.Type
  ) {
    let bytes = MemoryLayout<Pixel>.size
    while done < count {
      let pixel = (from + (count &- 1 &- done) &* bytes).loadUnaligned(as: Pixel.self)
      (to + done &* bytes).storeBytes(of: pixel, as: Pixel.self)
      done &+= 1
    }
  }
}
