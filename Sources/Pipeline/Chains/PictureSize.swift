import ImageCore

/// How large a developed picture is asked to be.
public enum PictureSize: String, Sendable, Hashable, Codable, CaseIterable {
  /// Every photosite becomes a pixel.
  case full
  /// About 12 megapixels: a sensor with clusters of one colour is binned before it is developed; any other picture that
  /// is larger is developed in full and then scaled down.
  case twelveMegapixels = "12MP"
  /// The full size of a 48 megapixel sensor: the same as ``full``. No picture is enlarged.
  case fortyEightMegapixels = "48MP"

  /// Pixels of the picture that 12MP means.
  private static let twelve = 4032 * 3024
  /// Pictures larger than that by less than this part are left alone: a small change of size only costs sharpness.
  private static let tolerance = 0.1

  /// The photo to develop: binned when that is asked for and its sensor has clusters.
  func prepared(_ photo: RawPhoto, resources: Resources) throws(JobFailure) -> (photo: RawPhoto, sizing: String) {
    guard self == .twelveMegapixels, case .mosaic(let mosaic) = photo.pixels, let clusters = mosaic.cfa.clusters,
      clusters.side > 1
    else { return (photo, "full") }
    do { return (try photo.binned(.mean, resources: resources), Self.binned(photo)) } catch {
      throw JobFailure(error)
    }
  }

  /// The size to which a finished picture of size `size` is scaled; `nil` when it stays.
  func limit(_ size: PixelSize, sizing: String) -> PixelSize? {
    let excess = Double(size.area) / Double(Self.twelve)
    guard self == .twelveMegapixels, sizing == "full", excess > 1 + Self.tolerance else { return nil }
    let scale = 1 / excess.squareRoot()
    func scaled(_ side: Int) -> Int { max(1, Int((Double(side) * scale).rounded())) }
    return PixelSize(width: scaled(size.width), height: scaled(size.height))
  }

  /// What a report says of a binned photo.
  static func binned(_ photo: RawPhoto) -> String {
    guard case .mosaic(let mosaic) = photo.pixels, let side = mosaic.cfa.clusters?.side else { return "full" }
    return "binned \(side)x\(side)"
  }
}
