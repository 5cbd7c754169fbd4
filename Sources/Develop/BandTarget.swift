import ImageCore
import Synchronization

/// Memory for some rows of a result.
struct Band<Pixel: BitwiseCopyable & Sendable>: @unchecked Sendable {
  /// Where row 0 of the whole result would lie.
  let origin: UnsafeMutablePointer<Pixel>
  /// Pixels between rows.
  let stride: Int
}

/// Where the rows of a result go: into a whole image or, band after band, to someone who takes them while the threads
/// that have nothing to take make the next band. At most two bands are held.
///
/// Used by one thread, which lends it to others only in ``work(_:tiles:scratch:handsOn:_:)``: there one thread at a
/// time hands rows on, and the others write only to the band under way.
final class BandTarget<Pixel: BitwiseCopyable & Sendable>: @unchecked Sendable {
  /// Takes rows; answers whether it wants more.
  typealias Taker = @Sendable (PixelRows<Pixel>) -> Bool

  private enum Destination {
    case whole(Band<Pixel>)
    case taker(Taker, width: Int, pool: MemoryPool?)
  }

  /// How much of a band in hand is to be handed on while other work is done.
  enum Share { case whatFits, all }

  /// Rows handed on at once: those of a row of JPEG blocks with halved chroma.
  private static var rowsAtOnce: Int { 16 }

  private let destination: Destination
  /// The band under way, and the finished one.
  private var making: (image: Image<Pixel>, rows: Int)?
  private var waiting: (image: Image<Pixel>, rows: Int)?
  private var handedOn = 0
  private var spare: [Image<Pixel>] = []
  /// Whether the taker wants no more.
  private(set) var isStopped = false

  /// All rows of a result lie in `rows`.
  init(_ rows: MutablePixelRows<Pixel>) { destination = .whole(Band(origin: rows.base, stride: rows.stride)) }

  /// Rows of `width` pixels are handed to `taker`.
  init(width: Int, pool: MemoryPool?, _ taker: @escaping Taker) {
    destination = .taker(taker, width: width, pool: pool)
  }

  /// Begins the band of the next rows, in order and without gaps.
  func begin(_ rows: Range<Int>) -> Band<Pixel> {
    guard case .taker(_, let width, let pool) = destination else {
      guard case .whole(let band) = destination else { preconditionFailure("there is no other destination") }
      return band
    }
    var image =
      spare.popLast().flatMap { $0.height >= rows.count ? $0 : nil }
      ?? Image(uninitialized: PixelSize(width: width, height: rows.count), in: pool)
    let base = image.withMutableRows { $0.base }
    making = (image, rows.count)
    return Band(origin: base - rows.lowerBound * image.stride, stride: image.stride)
  }

  /// The band that was begun is complete.
  func end() {
    guard let making else { return }
    precondition(waiting == nil, "a band was begun before the one before was handed on")
    waiting = making
    self.making = nil
    handedOn = 0
  }

  /// Runs `body` for each tile as ``Workers`` does, and hands rows of the finished band on meanwhile.
  ///
  /// - Parameter share: ``Share/whatFits`` stops handing on when no tile is left to begin.
  func work<Scratch>(
    _ workers: Workers, tiles count: Int, scratch: @Sendable () -> Scratch, handsOn share: Share,
    _ body: @Sendable (Int, inout Scratch) -> Void
  ) {
    guard waiting != nil else { return workers.forEach(tiles: count, scratch: scratch, body) }
    let begun = Atomic<Int>(0)
    workers.forEach(tiles: count + 1, scratch: scratch) { index, own in
      if index == 0 {
        handOn { share == .whatFits && begun.load(ordering: .relaxed) >= count }
      } else {
        begun.wrappingAdd(1, ordering: .relaxed)
        body(index - 1, &own)
      }
    }
  }

  /// Hands on what is left.
  func finish() { handOn { false } }

  private func handOn(until isOver: () -> Bool) {
    guard let waiting, case .taker(let take, _, _) = destination else { return }
    waiting.image.withRows { rows in
      while handedOn < waiting.rows, !isStopped, !isOver() {
        let count = min(Self.rowsAtOnce, waiting.rows - handedOn)
        isStopped = !take(
          PixelRows(base: rows.row(handedOn), width: rows.width, height: count, stride: rows.stride))
        handedOn += count
      }
    }
    if handedOn == waiting.rows || isStopped {
      spare = [waiting.image]
      self.waiting = nil
    }
  }
}
