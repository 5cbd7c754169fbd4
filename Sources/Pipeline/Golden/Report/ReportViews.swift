import ImageCore

/// What a report shows of pictures: views of limited size, single pixels around a place, differences, histograms.
enum ReportViews {
  /// The longer side of a view is at most this, pixels: enough for a laptop's screen, and a few hundred kilobytes.
  static let viewSide = 1024
  /// Of thumbnails, pixels.
  static let thumbSide = 120
  /// Of the part that is shown in single pixels.
  static let cropSide = 96
  /// Bins of a histogram.
  static let bins = 64

  /// The size within a square, not enlarged.
  static func size(of size: PixelSize, within side: Int) -> PixelSize {
    let longest = max(size.width, size.height)
    guard longest > side else { return size }
    return PixelSize(width: max(1, size.width * side / longest), height: max(1, size.height * side / longest))
  }

  /// The picture in 8 bits, scaled down to fit.
  static func view(_ image: Image<RGB<UInt16>>, within side: Int, resources: Resources) -> Image<RGB<UInt8>> {
    let narrow = narrowed(image)
    let target = size(of: image.size, within: side)
    return target == image.size ? narrow : narrow.resampled(to: target, resources: resources)
  }

  /// High bytes, rounded.
  static func narrowed(_ image: Image<RGB<UInt16>>) -> Image<RGB<UInt8>> {
    func eight(_ sample: UInt16) -> UInt8 { UInt8((Int(sample) + 128) / 257) }
    return image.withRows { rows in
      Image(image.size) { x, y in
        let pixel = rows.row(y)[x]
        return RGB(eight(pixel.red), eight(pixel.green), eight(pixel.blue))
      }
    }
  }

  /// The part around a place, inside the picture.
  static func crop(around x: Int, _ y: Int, of size: PixelSize) -> PixelRect {
    let width = min(cropSide, size.width)
    let height = min(cropSide, size.height)
    return PixelRect(
      x: min(max(0, x - width / 2), size.width - width), y: min(max(0, y - height / 2), size.height - height),
      width: width, height: height)
  }

  /// A map of the largest difference of the channels, scaled down so that every pixel that differs remains to be seen.
  static func heat(
    _ golden: Image<RGB<UInt16>>, _ candidate: Image<RGB<UInt16>>, within side: Int
  ) -> (map: Image<RGB<UInt8>>, largest: Int, x: Int, y: Int) {
    let target = size(of: golden.size, within: side)
    var worst = [Int](repeating: 0, count: target.area)
    var (largest, placeX, placeY) = (0, 0, 0)
    golden.withRows { a in
      candidate.withRows { b in
        for y in 0..<a.height {
          let line = y * target.height / a.height * target.width
          for x in 0..<a.width {
            let (p, q) = (a.row(y)[x], b.row(y)[x])
            let difference = max(
              abs(Int(p.red) - Int(q.red)), abs(Int(p.green) - Int(q.green)), abs(Int(p.blue) - Int(q.blue)))
            let place = line + x * target.width / a.width
            worst[place] = max(worst[place], difference)
            if difference > largest { (largest, placeX, placeY) = (difference, x, y) }
          }
        }
      }
    }
    let map = Image<RGB<UInt8>>(target) { x, y in HeatRamp.colour(of: worst[y * target.width + x]) }
    return (map, largest, placeX, placeY)
  }

  /// Shares of the pixels in bins of equal width, and the mean in parts of full scale, for each of `channels`.
  static func histograms(_ picture: ReportPicture) -> [(bins: [Double], mean: Double)] {
    let shift = 10  // 65536 codes in 64 bins
    var counts = [[Int]](repeating: [Int](repeating: 0, count: bins), count: picture.channels.count)
    var sums = [Int](repeating: 0, count: picture.channels.count)
    picture.image.withRows { rows in
      for y in 0..<rows.height {
        for x in 0..<rows.width {
          let pixel = rows.row(y)[x]
          for (channel, sample) in zip(counts.indices, [pixel.red, pixel.green, pixel.blue]) {
            counts[channel][Int(sample) >> shift] += 1
            sums[channel] += Int(sample)
          }
        }
      }
    }
    let area = Double(picture.image.size.area)
    return zip(counts, sums).map { counts, sum in
      (counts.map { Double($0) / area }, Double(sum) / area / Double(UInt16.max))
    }
  }
}

/// Colours of differences: those of ``HeatColours`` by the logarithm of 1...65535; no difference is black.
enum HeatRamp {
  private static let octaves = 16.0
  private static let legendSteps = 16

  static func colour(of difference: Int) -> RGB<UInt8> {
    guard difference > 0 else { return RGB(0, 0, 0) }
    // The logarithm to base 2: the exponent, and the fraction on a straight line.
    let value = Double(difference)
    let log = Double(value.exponent) + value.significand - 1
    // A single code must be seen to be no black.
    let (darkest, steps) = (40.0, Double(HeatColours.table.count - 1))
    return HeatColours.table[Int((darkest + (steps - darkest) * min(1, log / octaves)).rounded())]
  }

  /// Colours at equal steps of the logarithm, black first, for the legend: `rgb(r g b)`.
  static var legend: [String] {
    let steps = (0...legendSteps).map { colour(of: min(Int(UInt16.max), 1 << $0)) }
    return ([RGB(0, 0, 0)] + steps).map { "rgb(\($0.red) \($0.green) \($0.blue))" }
  }
}
