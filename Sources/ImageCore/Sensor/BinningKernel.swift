import CVector

/// Sums clusters of photosites, row by row.
enum BinningKernel {
  /// Rows of the result that one thread takes at a time.
  private static let rowsPerBand = 32
  /// Results of this many bytes or more bypass the cache: they would only drive out what is still needed.
  private static let streamingBytes = 1 << 23
  /// Samples ahead of the sum that are asked for: a page of 4 KiB, where the CPU's own prefetcher stops.
  private static let prefetchDistance = 2048
  /// Samples of the result that one vector holds.
  private static let lanes = 16

  struct Job: Sendable {
    let side: Int
    let originX: Int
    let originY: Int
    /// The least clipped count, and what a clipped cluster becomes.
    let saturated: UInt16
    let full: UInt16
    /// Mean, rounded half up, instead of sum.
    let isMean: Bool
  }

  static func bin(
    _ job: Job, _ from: PixelRows<UInt16>, _ to: MutablePixelRows<UInt16>, workers: Workers
  ) {
    let streams = to.width * to.height * MemoryLayout<UInt16>.stride >= streamingBytes
    workers.forEachBand(of: to.height, rowsPerBand: rowsPerBand) { band in
      for y in band {
        let first = from.row(job.originY + y * job.side) + job.originX
        if job.side == 2 {
          quadRow(job, first, first + from.stride, to.row(y), to.width, streams: streams)
        } else {
          row(job, first, from.stride, to.row(y), to.width, x: 0)
        }
      }
      if streams { cv_stream_fence() }
    }
  }

  private static func quadRow(
    _ job: Job, _ upper: UnsafePointer<UInt16>, _ lower: UnsafePointer<UInt16>,
    _ out: UnsafeMutablePointer<UInt16>, _ count: Int, streams: Bool
  ) {
    let round: UInt32 = job.isMean ? 2 : 0
    let shift: UInt32 = job.isMean ? 2 : 0
    let full = UInt32(job.full)
    let saturated = job.saturated
    let aligned = UInt(bitPattern: out) % 32 == 0  // what a streaming store of 32 bytes asks for
    var x = 0
    if streams && aligned {
      while x &+ lanes <= count {
        var bins = cv_bin2x2_u16(upper + 2 &* x, lower + 2 &* x, saturated, round, shift, full)
        cv_stream32(out + x, &bins)
        cv_prefetch(upper + (2 &* x &+ prefetchDistance))
        cv_prefetch(lower + (2 &* x &+ prefetchDistance))
        x &+= lanes
      }
    } else {
      while x &+ lanes <= count {
        let bins = cv_bin2x2_u16(upper + 2 &* x, lower + 2 &* x, saturated, round, shift, full)
        UnsafeMutableRawPointer(out + x).storeBytes(of: bins, as: SIMD16<UInt16>.self)
        x &+= lanes
      }
    }
    row(job, upper, lower - upper, out, count, x: x)
  }

  /// Any side, from column `x` of the result on.
  private static func row(
    _ job: Job, _ first: UnsafePointer<UInt16>, _ stride: Int, _ out: UnsafeMutablePointer<UInt16>, _ count: Int,
    x start: Int
  ) {
    switch job.side {
    case 2: row(job, first, stride, out, start..<count, side: 2)
    case 3: row(job, first, stride, out, start..<count, side: 3)
    default: row(job, first, stride, out, start..<count, side: 4)
    }
  }

  /// The same with a side that the compiler knows.
  @inline(__always)
  private static func row(
    _ job: Job, _ first: UnsafePointer<UInt16>, _ stride: Int, _ out: UnsafeMutablePointer<UInt16>,
    _ columns: Range<Int>, side: Int
  ) {
    let divisor = UInt32(job.isMean ? side * side : 1)
    let round = divisor / 2
    for x in columns {
      var sum: UInt32 = 0
      var most: UInt16 = 0
      for dy in 0..<side {
        for dx in 0..<side {
          let sample = first[dy &* stride &+ side &* x &+ dx]
          sum &+= UInt32(sample)
          most = max(most, sample)
        }
      }
      out[x] = most >= job.saturated ? job.full : UInt16(truncatingIfNeeded: (sum &+ round) / divisor)
    }
  }
}
