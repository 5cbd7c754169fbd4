import Develop
import ImageCore
import PhotoFiles

/// How pixels of one type are developed: in stripes, or whole where they are resampled afterwards.
struct Rendition<Pixel: BitwiseCopyable & Sendable> {
  typealias RowTaker = @Sendable (PixelRows<Pixel>) throws(PhotoFileError) -> Void

  let sample: SampleType
  let render: (PixelRect, Orientation, inout Image<Pixel>, Resources) -> Void
  let stream: (PixelRect, Orientation, Resources, @escaping RowTaker) throws(PhotoFileError) -> Void
  let resample: (Image<Pixel>, PixelSize, Resources) -> Image<Pixel>

  /// Develops `rect` and hands rows of the result, laid by `lay` and of size `shown`, to `take` from top to bottom.
  ///
  /// - Throws: what `take` threw.
  func develop(
    _ rect: PixelRect, _ lay: Orientation, to shown: PixelSize, _ resources: Resources, _ take: @escaping RowTaker
  ) throws(PhotoFileError) {
    let size = lay.applied(to: rect.size)
    if shown == size { return try stream(rect, lay, resources, take) }
    var image = Image<Pixel>(uninitialized: size, in: resources.pool)
    render(rect, lay, &image, resources)
    image = resample(image, shown, resources)
    try image.withRows { (rows) throws(PhotoFileError) in
      for start in stride(from: 0, to: rows.height, by: PictureEncoder.rowsPerBand) {
        try take(
          PixelRows(
            base: rows.row(start), width: rows.width, height: min(PictureEncoder.rowsPerBand, rows.height - start),
            stride: rows.stride))
      }
    }
  }
}

extension Rendition where Pixel == RGB<UInt8> {
  init(_ developer: Developer) {
    self.init(
      sample: .uint8, render: { developer.render($0, orientation: $1, into: &$2, resources: $3) },
      stream: { (rect, lay, resources, take) throws(PhotoFileError) in
        try developer.stream(rect, orientation: lay, resources: resources, to: take)
      }, resample: { $0.resampled(to: $1, resources: $2) })
  }
}

extension Rendition where Pixel == RGB<UInt16> {
  init(_ developer: Developer) {
    self.init(
      sample: .uint16, render: { developer.render($0, orientation: $1, into: &$2, resources: $3) },
      stream: { (rect, lay, resources, take) throws(PhotoFileError) in
        try developer.stream(rect, orientation: lay, resources: resources, to: take)
      }, resample: { $0.resampled(to: $1, resources: $2) })
  }
}

extension Rendition where Pixel == RGB<Float> {
  init(_ developer: Developer) {
    self.init(
      sample: .float32, render: { developer.render($0, orientation: $1, into: &$2, resources: $3) },
      stream: { (rect, lay, resources, take) throws(PhotoFileError) in
        try developer.stream(rect, orientation: lay, resources: resources, to: take)
      }, resample: { $0.resampled(to: $1, resources: $2) })
  }
}
