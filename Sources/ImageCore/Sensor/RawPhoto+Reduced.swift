extension RawPhoto {
  /// A small stand-in for previews: the default crop, each result sample the mean of the samples of its colour over
  /// several cells of the colour filter array, so that pattern, colour and tone stay what they are.
  ///
  /// - Parameter side: the longer side gets at most twice this many pixels, and at least this many when there are as
  ///   many.
  /// - Complexity: O(pixels of the crop).
  public func reduced(toSide side: Int, resources: Resources = Resources()) -> RawPhoto {
    var result = self
    let crop = defaultCrop
    switch pixels {
    case .mosaic(let mosaic):
      let part = mosaic.cropped(to: crop)
      let reduction = Reduction(
        size: crop.size, cell: PixelSize(width: part.cfa.width, height: part.cfa.height), planes: 1, side: side)
      var image = Image<UInt16>(uninitialized: reduction.result, in: resources.pool)
      part.samples.withRows { from in
        image.withMutableRows { to in
          reduction.run(from.base, from.stride, part.levels, into: to.base, to.stride, resources.workers)
        }
      }
      result.pixels = .mosaic(
        Mosaic(
          samples: image, cfa: part.cfa, levels: SensorLevels(black: Reduction.black, white: Reduction.white)))
    case .linear(let picture):
      let planes = 3
      let part = picture.samples.cropped(to: crop)
      let reduction = Reduction(
        size: crop.size, cell: PixelSize(width: 1, height: 1), planes: planes, side: side)
      var image = Image<RGB<UInt16>>(uninitialized: reduction.result, in: resources.pool)
      let levels = picture.levels.cropped(to: crop)
      part.withRows { from in
        image.withMutableRows { to in
          let source = UnsafeRawPointer(from.base).assumingMemoryBound(to: UInt16.self)
          let target = UnsafeMutableRawPointer(to.base).assumingMemoryBound(to: UInt16.self)
          reduction.run(source, from.stride * planes, levels, into: target, to.stride * planes, resources.workers)
        }
      }
      result.pixels = .linear(
        LinearPicture(
          samples: image,
          levels: SensorLevels(
            black: BlackLevel(uniform: Reduction.black, planes: planes),
            white: Array(repeating: Reduction.white, count: planes))))
    }
    result.defaultCrop = PixelRect(result.pixels.size)
    result.userCrop = nil
    return result
  }
}

/// Averages samples over blocks of cells.
private struct Reduction: Sendable {
  /// Levels of the result: room for noise below black, all of 16 bits above.
  static let black: Float = 4096
  static let white: Float = 65535

  /// Cells that become one, each way.
  let factor: Int
  let cell: PixelSize
  let planes: Int
  let result: PixelSize

  init(size: PixelSize, cell: PixelSize, planes: Int, side: Int) {
    let longest = max(size.width, size.height)
    let fitting = min(size.width / cell.width, size.height / cell.height)
    factor = max(1, min(longest / max(1, side), fitting))
    self.cell = cell
    self.planes = planes
    // A picture smaller than one cell stays as it is.
    result =
      fitting < 1
      ? size
      : PixelSize(
        width: size.width / (factor * cell.width) * cell.width,
        height: size.height / (factor * cell.height) * cell.height)
  }

  private struct Samples: @unchecked Sendable {
    let source: UnsafePointer<UInt16>
    let sourceStride: Int
    let target: UnsafeMutablePointer<UInt16>
    let targetStride: Int
  }

  func run(
    _ source: UnsafePointer<UInt16>, _ sourceStride: Int, _ levels: SensorLevels,
    into target: UnsafeMutablePointer<UInt16>, _ targetStride: Int, _ workers: Workers
  ) {
    let samples = Samples(source: source, sourceStride: sourceStride, target: target, targetStride: targetStride)
    let columns = result.width * factor
    let black = levels.black
    // The black level of each sample of a row, for each row of the black level's cell.
    let blackRows = (0..<black.height).map { y in
      (0..<columns * planes).map { index in
        black.value(x: index / planes, y: y, plane: index % planes)
          - (black.rowDeltas.isEmpty ? 0 : black.rowDeltas[y])
      }
    }
    let range = Self.white - Self.black
    let scale = range / max(levels.white[0] - black.mean, .leastNormalMagnitude) / Float(factor * factor)
    let rowsPerBand = 8
    workers.forEachBand(of: result.height, rowsPerBand: rowsPerBand) { band in
      var sums = [Float](repeating: 0, count: result.width * planes)
      for y in band {
        for index in sums.indices { sums[index] = 0 }
        for step in 0..<factor {
          let sourceY = (y / cell.height * factor + step) * cell.height + y % cell.height
          let delta = black.rowDeltas.isEmpty ? 0 : black.rowDeltas[sourceY]
          add(
            samples.source + sourceY * samples.sourceStride, blackRows[sourceY % black.height], delta, into: &sums)
        }
        let row = samples.target + y * samples.targetStride
        for index in sums.indices {
          row[index] = UInt16(max(0, min((sums[index] * scale + Self.black).rounded(), Self.white)))
        }
      }
    }
  }

  /// Adds a row of samples above black, the cells of a block on top of each other.
  private func add(
    _ row: UnsafePointer<UInt16>, _ black: [Float], _ delta: Float, into sums: inout [Float]
  ) {
    let width = cell.width * planes
    sums.withUnsafeMutableBufferPointer { sums in
      black.withUnsafeBufferPointer { black in
        for block in 0..<sums.count / width {
          for step in 0..<factor {
            let start = (block * factor + step) * width
            for x in 0..<width { sums[block * width + x] += Float(row[start + x]) - (black[start + x] + delta) }
          }
        }
      }
    }
  }
}
