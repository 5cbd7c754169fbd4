import Synchronization

/// Buffers that threads take and lay back, so that stages which start and end often do not allocate each time.
final class Shelf<Item: AnyObject>: Sendable {
  private struct Items: @unchecked Sendable {
    var free: [Item] = []
  }
  private let items = Mutex(Items())
  private let make: @Sendable () -> Item

  init(_ make: @escaping @Sendable () -> Item) { self.make = make }

  /// A free item, or a new one; it goes back when the loan is given up.
  func take() -> Loan { Loan(items.withLock { $0.free.popLast() } ?? make(), self) }

  /// An item in use by one thread.
  final class Loan {
    let item: Item
    private let shelf: Shelf

    fileprivate init(_ item: Item, _ shelf: Shelf) {
      self.item = item
      self.shelf = shelf
    }

    deinit {
      let item = item
      shelf.items.withLock { $0.free.append(item) }
    }
  }
}
