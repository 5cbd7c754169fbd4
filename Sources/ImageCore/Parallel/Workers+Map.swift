extension Workers {
  /// The results of `body` for `0 ..< count`, in order, whatever order they were computed in: what a reduction that
  /// must not depend on the number of threads folds afterwards.
  ///
  /// - Parameter scratch: made once on each thread, for buffers that calls reuse.
  func map<Element: Sendable, Scratch>(
    count: Int, scratch: @Sendable () -> Scratch, _ body: @Sendable (Int, inout Scratch) -> Element
  ) -> [Element] {
    if count <= 0 { return [] }
    return [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
      let slots = ResultSlots(base: buffer.baseAddress!)
      forEach(tiles: count, scratch: scratch) { index, own in slots.put(body(index, &own), at: index) }
      initialized = count
    }
  }
}

/// Uninitialised memory for results; threads write side by side, each index once.
private struct ResultSlots<Element>: @unchecked Sendable {
  let base: UnsafeMutablePointer<Element>

  func put(_ element: Element, at index: Int) { (base + index).initialize(to: element) }
}
