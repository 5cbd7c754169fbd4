import Glibc
public import ImageCore

/// What each container's decoder knows and does; rows go from top to bottom and are counted by the caller.
protocol RowDecoder: AnyObject {
  var size: PixelSize { get }
  var format: PixelFormat { get }
  var orientation: Orientation { get }
  var iccProfile: [UInt8] { get }
  var isRandomAccess: Bool { get }
  var primaries: RGBPrimaries? { get }
  func read(rows count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) throws(PhotoFileError)
  func read(_ rect: PixelRect, into target: UnsafeMutableRawPointer, bytesPerRow: Int) throws(PhotoFileError)
}

extension RowDecoder {
  var isRandomAccess: Bool { false }
  var primaries: RGBPrimaries? { nil }

  func read(_ rect: PixelRect, into target: UnsafeMutableRawPointer, bytesPerRow: Int) throws(PhotoFileError) {
    throw .usage(found: "a part of a compressed picture", expected: "rows from top to bottom")
  }
}

/// Reads one picture, row by row, or part by part where the file allows it.
///
/// Not for use from several threads at once.
public final class PictureReader {
  /// The file's format, told by its contents.
  public let container: PictureContainer
  /// The stored pixels' size.
  public let size: PixelSize
  /// How rows are delivered: samples in native byte order, palettes and bit depths below 8 expanded.
  public let format: PixelFormat
  /// What the file's tag says has to be done to the stored pixels; nothing when there is no tag.
  public let orientation: Orientation
  /// The embedded profile; empty when there is none.
  public let iccProfile: [UInt8]
  private let decoder: any RowDecoder
  private var rowsRead = 0

  /// Opens a file and reads its header.
  ///
  /// - Parameter path: as the system takes it, without a trailing zero.
  /// - Parameter workers: for formats that are decoded whole (HEIF, JPEG XL); results do not depend on it.
  public init(path: [UInt8], workers: Workers = .serial) throws(PhotoFileError) {
    let file = try InputFile(path: path)
    let first = try file.firstBytes(12)
    guard let container = PictureContainer.sniff(first) else { throw .unknownContainer(firstBytes: first) }
    self.container = container
    switch container {
    case .jpeg: decoder = try JPEGDecoder(file)
    case .png: decoder = try PNGDecoder(file)
    case .tiff: decoder = try TIFFDecoder(file)
    case .exr: decoder = try EXRDecoder(file)
    case .heif: decoder = try HEIFDecoder(file, workers)
    case .jxl: decoder = try JXLDecoder(file, workers)
    }
    size = decoder.size
    format = decoder.format
    orientation = decoder.orientation
    iccProfile = decoder.iccProfile
  }

  /// Whether ``read(_:into:bytesPerRow:)`` works: the pixels lie in the file as they are.
  public var isRandomAccess: Bool { decoder.isRandomAccess }

  /// The primaries of linear light that the file records by numbers (OpenEXR); `nil` when it records none.
  public var primaries: RGBPrimaries? { decoder.primaries }

  /// Reads the next rows, from top to bottom.
  ///
  /// - Parameters:
  ///   - count: how many; no more than are left.
  ///   - rows: where the first goes.
  ///   - bytesPerRow: from the start of one row to the next.
  public func read(
    rows count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int
  ) throws(PhotoFileError) {
    guard count >= 0, rowsRead + count <= size.height else {
      throw .usage(found: "\(rowsRead + count) rows asked for", expected: "\(size.height)")
    }
    guard bytesPerRow >= size.width * format.bytesPerPixel else {
      throw .usage(found: "\(bytesPerRow) bytes per row", expected: "at least \(size.width * format.bytesPerPixel)")
    }
    try decoder.read(rows: count, into: rows, bytesPerRow: bytesPerRow)
    rowsRead += count
  }

  /// Reads a part, in any order and without reading the rest. Only when ``isRandomAccess``.
  ///
  /// - Parameters:
  ///   - rect: inside the picture.
  ///   - target: where its first pixel goes.
  ///   - bytesPerRow: from the start of one row of the part to the next.
  public func read(
    _ rect: PixelRect, into target: UnsafeMutableRawPointer, bytesPerRow: Int
  ) throws(PhotoFileError) {
    guard !rect.isEmpty, rect.x >= 0, rect.y >= 0, PixelRect(size).contains(rect),
      bytesPerRow >= rect.width * format.bytesPerPixel
    else { throw .usage(found: "part \(rect), \(bytesPerRow) bytes per row", expected: "a part of \(size)") }
    try decoder.read(rect, into: target, bytesPerRow: bytesPerRow)
  }
}
