extension MemoryPool {
  /// Fills the pool with blocks for coming images, so that these find memory that was touched before.
  ///
  /// - Parameters:
  ///   - byteCount: of one block.
  ///   - count: of blocks; blocks that the pool holds already count.
  /// - Returns: bytes that are now ready; fewer than asked for when the pool's limit for unused blocks is reached.
  /// - Complexity: O(bytes): fresh pages are touched once.
  @discardableResult public func reserve(byteCount: Int, count: Int) -> Int {
    let blocks = (0..<max(0, count)).map { _ in take(byteCount: byteCount) }
    for block in blocks {
      for offset in stride(from: 0, to: block.byteCount, by: Self.smallestPage) {
        (block.base + offset).storeBytes(of: 0, as: UInt8.self)
      }
    }
    let before = retainedBytes
    for block in blocks { give(block) }
    return retainedBytes - before
  }

  /// The smallest page of Linux on x86-64 and arm64, bytes.
  private static let smallestPage = 4096
}
