/// One value a tile, each written by one thread, read when all tiles are done; folded in tile order, so that sums do not
/// depend on threads.
public final class TileSlots<Value: Sendable>: @unchecked Sendable {
  private let base: UnsafeMutablePointer<Value>
  private let count: Int

  /// `count` slots that hold `value`.
  public init(repeating value: Value, count: Int) {
    self.count = count
    base = .allocate(capacity: max(1, count))
    base.initialize(repeating: value, count: max(1, count))
  }

  deinit {
    base.deinitialize(count: max(1, count))
    base.deallocate()
  }

  /// The slot of a tile; no two threads may use one at the same time.
  public subscript(index: Int) -> Value {
    get {
      precondition(index >= 0 && index < count, "there is no slot \(index) of \(count)")
      return base[index]
    }
    set {
      precondition(index >= 0 && index < count, "there is no slot \(index) of \(count)")
      base[index] = newValue
    }
  }

  /// All values in tile order.
  public var values: [Value] { (0..<count).map { base[$0] } }
}
