import CVector

/// Medians of 5x5 differences between a colour plane and green, row by row.
///
/// Each column of five is sorted once and shared by the five windows it lies in. Of the 25 values of a window whose
/// columns and then ranks are sorted only 13 can be the median: a value of rank i in its column and j in its row has
/// (i + 1)(j + 1) - 1 values that are not larger and (5 - i)(5 - j) - 1 that are not smaller (the pruning idea of
/// Paeth 1990, "Median finding on a 3x3 grid", Graphics Gems).
final class ChromaMedian {
  /// Pixels around a pixel that its median depends on.
  static let reach = 2
  private static let side = 5
  private static let lanes = 16

  private let stride: Int
  private let differences: UnsafeMutablePointer<Int16>
  private let ranks: UnsafeMutablePointer<Int16>
  private var done = 0

  /// - Parameter width: the widest tile.
  init(width: Int) {
    stride = (width + Self.lanes - 1) / Self.lanes * Self.lanes + Self.lanes
    let keptRows = 8
    differences = .allocate(capacity: keptRows * stride)
    differences.initialize(repeating: 0, count: keptRows * stride)
    ranks = .allocate(capacity: Self.side * stride)
    ranks.initialize(repeating: 0, count: Self.side * stride)
  }

  deinit {
    differences.deallocate()
    ranks.deallocate()
  }

  /// Forgets the rows of the last tile; row 0 is the first that will be read.
  func start(at row: Int) { done = row }

  /// Writes the medians of columns `2 ..< width - 2` of row `y`; rows must be asked for in order. Up to 16 values
  /// beyond `width` are written, and read from the picture's rows.
  func find(_ y: Int, _ plane: Int, of picture: ColourTile, width: Int, into out: UnsafeMutablePointer<Int16>) {
    while done <= y + Self.reach {
      subtract(picture.row(plane, done), picture.row(1, done), width, into: differences + (done & 7) * stride)
      done += 1
    }
    sortColumns(y, width)
    var x = Self.reach
    while x < width - Self.reach {
      cv_store_i16x16(out + x, median(at: x))
      x += Self.lanes
    }
  }

  private func subtract(
    _ colour: UnsafePointer<Int16>, _ green: UnsafePointer<Int16>, _ width: Int, into out: UnsafeMutablePointer<Int16>
  ) {
    for x in 0..<width { out[x] = colour[x] &- green[x] }
  }

  private func sortColumns(_ y: Int, _ width: Int) {
    let rows = (y - Self.reach...y + Self.reach).map { differences + ($0 & 7) * stride }
    var x = 0
    while x < width {
      var a = cv_load_i16x16(rows[0] + x)
      var b = cv_load_i16x16(rows[1] + x)
      var c = cv_load_i16x16(rows[2] + x)
      var d = cv_load_i16x16(rows[3] + x)
      var e = cv_load_i16x16(rows[4] + x)
      Self.sort(&a, &b)
      Self.sort(&d, &e)
      Self.sort(&c, &e)
      Self.sort(&c, &d)
      Self.sort(&b, &e)
      Self.sort(&a, &d)
      Self.sort(&a, &c)
      Self.sort(&b, &d)
      Self.sort(&b, &c)
      cv_store_i16x16(ranks + x, a)
      cv_store_i16x16(ranks + stride + x, b)
      cv_store_i16x16(ranks + 2 * stride + x, c)
      cv_store_i16x16(ranks + 3 * stride + x, d)
      cv_store_i16x16(ranks + 4 * stride + x, e)
      x += Self.lanes
    }
  }

  private typealias Lanes = SIMD16<Int16>

  @inline(__always)
  private static func sort(_ a: inout Lanes, _ b: inout Lanes) {
    let low = cv_min_i16(a, b)
    b = cv_max_i16(a, b)
    a = low
  }

  @inline(__always)
  private func five(_ rank: Int, _ x: Int) -> (Lanes, Lanes, Lanes, Lanes, Lanes) {
    let row = ranks + (rank &* stride &+ x)
    return (
      cv_load_i16x16(row - 2), cv_load_i16x16(row - 1), cv_load_i16x16(row), cv_load_i16x16(row + 1),
      cv_load_i16x16(row + 2)
    )
  }

  /// Moves the largest of the values to the last.
  @inline(__always)
  private static func largest(_ v: inout (Lanes, Lanes, Lanes, Lanes, Lanes)) {
    sort(&v.0, &v.1)
    sort(&v.2, &v.3)
    sort(&v.1, &v.3)
    sort(&v.3, &v.4)
  }

  /// Moves the smallest of the values to the first.
  @inline(__always)
  private static func smallest(_ v: inout (Lanes, Lanes, Lanes, Lanes, Lanes)) {
    sort(&v.3, &v.4)
    sort(&v.1, &v.2)
    sort(&v.1, &v.3)
    sort(&v.0, &v.1)
  }

  private func median(at x: Int) -> Lanes {
    // The least ranks: only their two largest can be the median; and so on up to the greatest ranks' two smallest.
    var low = five(0, x)
    Self.largest(&low)
    let second = Self.max4(low.0, low.1, low.2, low.3)
    var lower = five(1, x)
    Self.dropTwoSmallest(&lower)
    var middle = five(2, x)
    Self.largest(&middle)
    Self.sort(&middle.0, &middle.1)
    Self.sort(&middle.2, &middle.3)
    Self.sort(&middle.0, &middle.2)
    var upper = five(3, x)
    Self.dropTwoLargest(&upper)
    var high = five(4, x)
    Self.smallest(&high)
    let secondSmallest = Self.min4(high.1, high.2, high.3, high.4)
    return Self.seventh(
      low.4, second, lower.2, lower.3, lower.4, middle.1, middle.2, middle.3, upper.0, upper.1, upper.2, high.0,
      secondSmallest)
  }

  @inline(__always)
  private static func max4(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes) -> Lanes {
    cv_max_i16(cv_max_i16(a, b), cv_max_i16(c, d))
  }

  @inline(__always)
  private static func min4(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes) -> Lanes {
    cv_min_i16(cv_min_i16(a, b), cv_min_i16(c, d))
  }

  @inline(__always)
  private static func dropTwoSmallest(_ v: inout (Lanes, Lanes, Lanes, Lanes, Lanes)) {
    smallest(&v)
    sort(&v.3, &v.4)
    sort(&v.1, &v.2)
    sort(&v.1, &v.3)
  }

  @inline(__always)
  private static func dropTwoLargest(_ v: inout (Lanes, Lanes, Lanes, Lanes, Lanes)) {
    largest(&v)
    sort(&v.0, &v.1)
    sort(&v.2, &v.3)
    sort(&v.1, &v.3)
    // The largest of the first four sits in 3 now.
  }

  /// The median of thirteen: the least and the greatest of what is held are dropped in turn, and one value is added.
  @inline(__always)
  private static func seventh(
    _ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes, _ e: Lanes, _ f: Lanes, _ g: Lanes, _ h: Lanes, _ i: Lanes,
    _ j: Lanes, _ k: Lanes, _ l: Lanes, _ m: Lanes
  ) -> Lanes {
    var (v0, v1, v2, v3, v4, v5, v6, v7) = (a, b, c, d, e, f, g, h)
    // Eight: pairs are sorted, so the least is among the first of each pair and the greatest among the second.
    sort(&v0, &v1)
    sort(&v2, &v3)
    sort(&v4, &v5)
    sort(&v6, &v7)
    sort(&v0, &v2)
    sort(&v4, &v6)
    sort(&v0, &v4)
    sort(&v1, &v3)
    sort(&v5, &v7)
    sort(&v3, &v7)
    // v0 and v7 are gone; seven with the next.
    v0 = i
    sort(&v0, &v1)
    sort(&v2, &v3)
    sort(&v4, &v5)
    sort(&v0, &v2)
    sort(&v0, &v4)
    sort(&v0, &v6)
    sort(&v1, &v3)
    sort(&v5, &v6)
    sort(&v3, &v6)
    // v0 and v6 are gone; six with the next.
    v0 = j
    sort(&v0, &v1)
    sort(&v2, &v3)
    sort(&v4, &v5)
    sort(&v0, &v2)
    sort(&v0, &v4)
    sort(&v1, &v3)
    sort(&v3, &v5)
    // v0 and v5 are gone; five with the next.
    v0 = k
    sort(&v0, &v1)
    sort(&v2, &v3)
    sort(&v0, &v2)
    sort(&v0, &v4)
    sort(&v1, &v3)
    sort(&v3, &v4)
    // v0 and v4 are gone; four with the next.
    v0 = l
    sort(&v0, &v1)
    sort(&v2, &v3)
    sort(&v0, &v2)
    sort(&v1, &v3)
    // v0 and v3 are gone; the middle of three.
    v0 = m
    sort(&v0, &v1)
    return cv_max_i16(v0, cv_min_i16(v1, v2))
  }
}
