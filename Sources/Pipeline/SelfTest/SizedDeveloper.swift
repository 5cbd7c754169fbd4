import Develop
import ImageCore

/// A developer that knows the whole of its photo.
struct SizedDeveloper {
  let developer: Developer
  let bounds: PixelRect

  init(_ photo: RawPhoto, _ options: DevelopOptions) throws(JobFailure) {
    bounds = PixelRect(photo.pixels.size)
    do { developer = try Developer(photo, options: options) } catch { throw JobFailure(error) }
  }
}
