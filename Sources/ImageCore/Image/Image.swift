/// A grid of pixels in aligned memory, with value semantics.
///
/// Copies share their memory until one is written to. A cropped image (``cropped(to:)``) is a view: it shares the
/// memory of the whole. Rows lie `stride` pixels apart; pixels between `width` and `stride` are nobody's.
///
/// Kernels take ``withRows(_:)`` or ``withMutableRows(_:)`` and walk pointers; code that is not hot uses ``withRow(_:_:)``.
public struct Image<Pixel: BitwiseCopyable & Sendable>: @unchecked Sendable {
  /// Pixels in a row, at least 1.
  public let width: Int
  /// Rows, at least 1.
  public let height: Int
  /// Distance between the starts of two rows, in pixels.
  public private(set) var stride: Int
  private var origin: Int
  private var storage: PixelStorage
  private let pool: MemoryPool?

  /// Makes an image whose pixels are unspecified until written.
  ///
  /// - Parameters:
  ///   - size: both at least 1.
  ///   - pool: where the memory comes from and goes back to; `nil` asks the system.
  public init(uninitialized size: PixelSize, in pool: MemoryPool? = nil) {
    precondition(size.width > 0 && size.height > 0, "an image has at least one pixel, not \(size)")
    width = size.width
    height = size.height
    stride = Self.alignedStride(size.width)
    origin = 0
    self.pool = pool
    storage = PixelStorage(byteCount: stride * size.height * MemoryLayout<Pixel>.stride, pool: pool)
  }

  /// Makes an image of one colour.
  public init(_ size: PixelSize, repeating pixel: Pixel, in pool: MemoryPool? = nil) {
    self.init(uninitialized: size, in: pool)
    withMutableRows { rows in
      for y in 0..<size.height { rows.row(y).initialize(repeating: pixel, count: size.width) }
    }
  }

  /// Makes an image by asking for each pixel. Slow: for tests and tables.
  public init(_ size: PixelSize, in pool: MemoryPool? = nil, pixel: (_ x: Int, _ y: Int) throws -> Pixel) rethrows {
    self.init(uninitialized: size, in: pool)
    try withMutableRows { rows in
      for y in 0..<size.height {
        let row = rows.row(y)
        for x in 0..<size.width { row[x] = try pixel(x, y) }
      }
    }
  }

  /// Width and height together.
  public var size: PixelSize { PixelSize(width: width, height: height) }

  /// One pixel. Slow: for tests; kernels use rows.
  public subscript(x: Int, y: Int) -> Pixel {
    get {
      precondition(x >= 0 && y >= 0 && x < width && y < height, "pixel (\(x), \(y)) is outside \(size)")
      return base[origin + y * stride + x]
    }
    set {
      precondition(x >= 0 && y >= 0 && x < width && y < height, "pixel (\(x), \(y)) is outside \(size)")
      makeUnique()
      base[origin + y * stride + x] = newValue
    }
  }

  /// A view of a part, without copying.
  ///
  /// - Parameter rect: inside the image, not empty.
  public func cropped(to rect: PixelRect) -> Image {
    precondition(!rect.isEmpty && PixelRect(size).contains(rect), "crop \(rect) is outside \(size)")
    return Image(viewOf: self, rect: rect)
  }

  /// Calls `body` with the pixels of row `y`.
  public func withRow<Result, Failure: Error>(
    _ y: Int, _ body: (Span<Pixel>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(y >= 0 && y < height, "row \(y) is outside \(size)")
    defer { withExtendedLifetime(storage) {} }
    return try body(UnsafeBufferPointer(start: UnsafePointer(base + origin + y * stride), count: width).span)
  }

  /// Calls `body` with the pixels of row `y`, which it may change.
  public mutating func withMutableRow<Result, Failure: Error>(
    _ y: Int, _ body: (inout MutableSpan<Pixel>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(y >= 0 && y < height, "row \(y) is outside \(size)")
    makeUnique()
    var span = UnsafeMutableBufferPointer(start: base + origin + y * stride, count: width).mutableSpan
    return try body(&span)
  }

  /// Calls `body` with pointers to all rows, for kernels. The pointers are valid only inside `body`.
  public func withRows<Result, Failure: Error>(
    _ body: (PixelRows<Pixel>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(storage) {} }
    return try body(
      PixelRows(base: UnsafePointer(base + origin), width: width, height: height, stride: stride))
  }

  /// Calls `body` with pointers to all rows, for kernels that write. The pointers are valid only inside `body`;
  /// several threads may write as long as no two write the same pixel.
  public mutating func withMutableRows<Result, Failure: Error>(
    _ body: (MutablePixelRows<Pixel>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    makeUnique()
    defer { withExtendedLifetime(storage) {} }
    return try body(MutablePixelRows(base: base + origin, width: width, height: height, stride: stride))
  }

  private var base: UnsafeMutablePointer<Pixel> { storage.block.base.assumingMemoryBound(to: Pixel.self) }

  private init(viewOf whole: Image, rect: PixelRect) {
    width = rect.width
    height = rect.height
    stride = whole.stride
    origin = whole.origin + rect.y * whole.stride + rect.x
    storage = whole.storage
    pool = whole.pool
  }

  private mutating func makeUnique() {
    if isKnownUniquelyReferenced(&storage) { return }
    let copy = Image(uninitialized: size, in: pool)
    let source = UnsafePointer(base + origin)
    for y in 0..<height {
      (copy.base + y * copy.stride).update(from: source + y * stride, count: width)
    }
    self = copy
  }

  /// Rows start on a cache line when the pixel size allows it.
  private static func alignedStride(_ width: Int) -> Int {
    let bytes = MemoryLayout<Pixel>.stride
    guard bytes & (bytes - 1) == 0, bytes <= MemoryPool.cacheLine else { return width }
    let unit = MemoryPool.cacheLine / bytes
    return (width + unit - 1) / unit * unit
  }
}

extension Image: Equatable where Pixel: Equatable {
  /// Equal sizes and equal pixels; strides and sharing do not matter.
  public static func == (left: Image, right: Image) -> Bool {
    guard left.size == right.size else { return false }
    return left.withRows { a in
      right.withRows { b in
        for y in 0..<a.height {
          let rowA = a.row(y)
          let rowB = b.row(y)
          for x in 0..<a.width where rowA[x] != rowB[x] { return false }
        }
        return true
      }
    }
  }
}

/// Read-only pointers to an image's rows, for kernels. Valid only while the image's closure runs.
@frozen
public struct PixelRows<Pixel: BitwiseCopyable & Sendable>: @unchecked Sendable {
  /// The first pixel of row 0.
  public let base: UnsafePointer<Pixel>
  /// Pixels in a row that belong to the image.
  public let width: Int
  /// Number of rows.
  public let height: Int
  /// Distance between rows, in pixels.
  public let stride: Int

  /// Pointers to memory that holds `height` rows, `stride` pixels apart; `stride` is at least `width`.
  @inlinable
  public init(base: UnsafePointer<Pixel>, width: Int, height: Int, stride: Int) {
    self.base = base
    self.width = width
    self.height = height
    self.stride = stride
  }

  /// The start of row `y`; not checked.
  @inlinable
  public func row(_ y: Int) -> UnsafePointer<Pixel> { base + y &* stride }
}

/// Writable pointers to an image's rows, for kernels. Valid only while the image's closure runs.
///
/// This is the one place where threads write side by side: the caller sees to it that no two write one pixel.
@frozen
public struct MutablePixelRows<Pixel: BitwiseCopyable & Sendable>: @unchecked Sendable {
  /// The first pixel of row 0.
  public let base: UnsafeMutablePointer<Pixel>
  /// Pixels in a row that belong to the image.
  public let width: Int
  /// Number of rows.
  public let height: Int
  /// Distance between rows, in pixels.
  public let stride: Int

  /// Pointers to memory that holds `height` rows, `stride` pixels apart; `stride` is at least `width`.
  @inlinable
  public init(base: UnsafeMutablePointer<Pixel>, width: Int, height: Int, stride: Int) {
    self.base = base
    self.width = width
    self.height = height
    self.stride = stride
  }

  /// The start of row `y`; not checked.
  @inlinable
  public func row(_ y: Int) -> UnsafeMutablePointer<Pixel> { base + y &* stride }
}
