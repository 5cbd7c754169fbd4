public import ImageCore

extension Developer {
  /// Develops `rect` (in coordinates of the photo's pixels, inside them, not empty) and lays it by `orientation`.
  ///
  /// - Parameter image: of size `orientation.applied(to: rect.size)`; every pixel is written. Stored values 0...255.
  public func render(
    _ rect: PixelRect, orientation: Orientation, into image: inout Image<RGB<UInt8>>,
    resources: Resources = Resources()
  ) {
    let quantiser = quantiser
    whole(rect, orientation, into: &image, resources) { quantiser.store($0, $1, into: $2) }
  }

  /// The same with stored values 0...65535.
  public func render(
    _ rect: PixelRect, orientation: Orientation, into image: inout Image<RGB<UInt16>>,
    resources: Resources = Resources()
  ) {
    let quantiser = quantiser
    whole(rect, orientation, into: &image, resources) { quantiser.store($0, $1, into: $2) }
  }

  /// The same with stored values as numbers: 0...1 for a picture; camera rendering is not clipped, scene light not from
  /// above.
  public func render(
    _ rect: PixelRect, orientation: Orientation, into image: inout Image<RGB<Float>>,
    resources: Resources = Resources()
  ) {
    let quantiser = quantiser
    whole(rect, orientation, into: &image, resources) { quantiser.store($0, $1, into: $2) }
  }

  /// Develops `rect` and hands the result's rows on, from top to bottom, a few at a time, for any `orientation`: the
  /// same rows as those of the whole image.
  ///
  /// Rows are taken by one thread while the others develop the next; each is valid only during the call.
  ///
  /// - Parameter take: called from several threads, but never from two at once. When it throws, nothing more is
  ///   developed.
  /// - Throws: what `take` threw.
  /// - Complexity: memory of two to three hundred rows (columns, when `orientation` exchanges them).
  public func stream<Failure: Error>(
    _ rect: PixelRect, orientation: Orientation, resources: Resources = Resources(),
    to take: @escaping @Sendable (PixelRows<RGB<UInt8>>) throws(Failure) -> Void
  ) throws(Failure) {
    let quantiser = quantiser
    try bands(rect, orientation, resources, take) { quantiser.store($0, $1, into: $2) }
  }

  /// The same with stored values 0...65535.
  public func stream<Failure: Error>(
    _ rect: PixelRect, orientation: Orientation, resources: Resources = Resources(),
    to take: @escaping @Sendable (PixelRows<RGB<UInt16>>) throws(Failure) -> Void
  ) throws(Failure) {
    let quantiser = quantiser
    try bands(rect, orientation, resources, take) { quantiser.store($0, $1, into: $2) }
  }

  /// The same with stored values as numbers.
  public func stream<Failure: Error>(
    _ rect: PixelRect, orientation: Orientation, resources: Resources = Resources(),
    to take: @escaping @Sendable (PixelRows<RGB<Float>>) throws(Failure) -> Void
  ) throws(Failure) {
    let quantiser = quantiser
    try bands(rect, orientation, resources, take) { quantiser.store($0, $1, into: $2) }
  }

  /// Memory that streaming takes at most, bytes.
  ///
  /// - Parameters:
  ///   - size: of the photo.
  ///   - bytesPerPixel: of the result.
  public static func streamingMemory(of size: PixelSize, bytesPerPixel: Int) -> Int {
    let around = 2 * DetailDepth.full.halo
    let rows = (TrainedDemosaic.tileHeight + around) * size.width
    let columns = (TrainedDemosaic.tileWidth + around) * size.height
    // Three planes of floats and a quarter more at half resolution; two bands.
    let stripe = 3 * (4 + 1)
    return max(rows, columns) * (stripe + 2 * bytesPerPixel)
  }

  private typealias Store<Pixel> = @Sendable (SceneRow, Placement, UnsafeMutablePointer<Pixel>) -> Void

  @inline(__always)
  private func whole<Pixel>(
    _ rect: PixelRect, _ orientation: Orientation, into image: inout Image<Pixel>, _ resources: Resources,
    _ store: Store<Pixel>
  ) {
    precondition(image.size == orientation.applied(to: rect.size), "the result has the wrong size \(image.size)")
    image.withMutableRows { run(rect, orientation, into: BandTarget($0), resources, store) }
  }

  @inline(__always)
  private func bands<Pixel, Failure: Error>(
    _ rect: PixelRect, _ orientation: Orientation, _ resources: Resources,
    _ take: @escaping @Sendable (PixelRows<Pixel>) throws(Failure) -> Void, _ store: Store<Pixel>
  ) throws(Failure) {
    let outcome = Outcome<Failure>()
    let target = BandTarget<Pixel>(width: orientation.applied(to: rect.size).width, pool: resources.pool) { rows in
      do throws(Failure) {
        try take(rows)
        return true
      } catch {
        outcome.failure = error
        return false
      }
    }
    run(rect, orientation, into: target, resources, store)
    if let failure = outcome.failure { throw failure }
  }

  /// Why rows were not taken. Written by the thread that hands them on, read when all have ended.
  private final class Outcome<Failure: Error>: @unchecked Sendable {
    var failure: Failure?
  }

  @inline(__always)
  private func run<Pixel>(
    _ rect: PixelRect, _ orientation: Orientation, into target: BandTarget<Pixel>, _ resources: Resources,
    _ store: Store<Pixel>
  ) {
    precondition(!rect.isEmpty && bounds.contains(rect), "rectangle \(rect) is outside the photo \(bounds)")
    let sweep = Sweep(orientation)
    if let finisher {
      DetailRun(scene: scene, finisher: finisher, bounds: bounds, sweep: sweep).run(
        rect, into: target, resources: resources
      ) { row, x, y, band in
        localGains?.apply(row, x: rect.x + x, y: rect.y + y)
        store(row, Placement(x: x, y: y, of: rect.size, orientation: orientation, stride: band.stride), band.origin)
      }
    } else {
      let shelf = Shelf { scene.scratch() }
      for step in sweep.steps(scene.tiles(of: rect), of: rect) {
        let band = target.begin(sweep.resultRows(step.lines, of: rect))
        target.work(
          resources.workers, tiles: step.tiles.count, scratch: { shelf.take() }, handsOn: .all
        ) { index, loan in
          let (core, scratch) = (step.tiles[index], loan.item)
          scratch.prepare(core)
          for y in 0..<core.height {
            let row = scene.row(y, of: core, scratch: scratch)
            localGains?.apply(row, x: core.x, y: core.y + y)
            let place = Placement(
              x: core.x - rect.x, y: core.y - rect.y + y, of: rect.size, orientation: orientation,
              stride: band.stride)
            store(row, place, band.origin)
          }
        }
        target.end()
        if target.isStopped { return }
      }
    }
    target.finish()
  }
}
