extension Image {
  /// A new image of this one's pixels laid by an orientation.
  ///
  /// - Returns: `orientation.applied(to: size)` pixels in memory of `resources.pool`.
  /// - Complexity: O(width × height).
  public func oriented(_ orientation: Orientation, resources: Resources = Resources()) -> Image {
    var result = Image(uninitialized: orientation.applied(to: size), in: resources.pool)
    let bytes = MemoryLayout<Pixel>.stride
    withRows { from in
      result.withMutableRows { to in
        OrientationKernel.lay(
          orientation, source: UnsafeRawPointer(from.base), sourceBytesPerRow: from.stride * bytes,
          sourceSize: PixelSize(width: from.width, height: from.height),
          destination: UnsafeMutableRawPointer(to.base), destinationBytesPerRow: to.stride * bytes,
          bytesPerPixel: bytes, workers: resources.workers)
      }
    }
    return result
  }

  /// A copy that shares no memory: makes a crop independent of the whole, so that the whole can be let go.
  ///
  /// - Complexity: O(width × height).
  public func copied(resources: Resources = Resources()) -> Image { oriented(.up, resources: resources) }
}

extension Mosaic {
  /// The mosaic laid by an orientation; the pattern and the levels are re-phased to its new first photosite.
  public func oriented(_ orientation: Orientation, resources: Resources = Resources()) -> Mosaic {
    Mosaic(
      samples: samples.oriented(orientation, resources: resources), cfa: cfa.oriented(orientation, of: size),
      levels: levels.oriented(orientation, of: size))
  }
}

extension LinearPicture {
  /// The picture laid by an orientation; the levels are re-phased to its new first pixel.
  public func oriented(_ orientation: Orientation, resources: Resources = Resources()) -> LinearPicture {
    LinearPicture(
      samples: samples.oriented(orientation, resources: resources), levels: levels.oriented(orientation, of: size))
  }
}
