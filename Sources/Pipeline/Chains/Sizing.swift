import ImageCore

/// How a picture came by its size. Encoded as ``description``.
public struct Sizing: Sendable, Hashable, Encodable, CustomStringConvertible {
  /// Photosites a side of the clusters that became one each; 1 when none did.
  public var binned = 1
  /// Whether the finished picture was scaled down.
  public var isScaled = false

  /// Each photosite became a pixel.
  public static let full = Sizing()

  /// The same, and scaled down.
  var scaled: Sizing { Sizing(binned: binned, isScaled: true) }

  /// `full`, `binned 2x2`, `scaled` or `binned 2x2, scaled`.
  public var description: String {
    let parts = [binned > 1 ? "binned \(binned)x\(binned)" : nil, isScaled ? "scaled" : nil].compactMap { $0 }
    return parts.isEmpty ? "full" : parts.joined(separator: ", ")
  }

  /// Writes ``description``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Binning may leave this part less than the pixels that were asked for: sensors of one class differ by some columns,
  /// and a binned picture is cleaner than one that is developed in full and scaled.
  private static let tolerance = 0.1

  /// The photo to develop: binned when it is larger than asked for, and binning leaves enough pixels.
  ///
  /// - Parameters:
  ///   - limit: size to which the picture will be scaled down; `nil` when it is not.
  ///   - shown: size of the picture when nothing is binned.
  static func prepare(
    _ photo: RawPhoto, for limit: PixelSize?, shown: PixelSize, resources: Resources
  ) throws(JobFailure) -> (photo: RawPhoto, sizing: Sizing) {
    guard let limit, let side = photo.clusterSide, side > 1,
      Double(shown.area / (side * side)) >= Double(limit.area) * (1 - tolerance)
    else { return (photo, .full) }
    do { return (try photo.binned(.mean, resources: resources), Sizing(binned: side)) } catch {
      throw JobFailure(error)
    }
  }
}

extension RawPhoto {
  /// Photosites a side of a cluster of one colour; `nil` when the pixels are no such mosaic.
  var clusterSide: Int? {
    guard case .mosaic(let mosaic) = pixels else { return nil }
    return mosaic.cfa.clusters?.side
  }
}
