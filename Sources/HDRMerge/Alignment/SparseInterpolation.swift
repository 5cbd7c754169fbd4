import ImageCore

/// Makes samples of any mosaic at places between its photosites, each from the own colour's nearest sites.
struct SparseInterpolation {
  let patch: WarpPatch
  let cell: SampleCell
  let kernels: SiteKernels
  /// The kernels' name of the colour of each sample of a cell.
  private let colours: [Int]

  init(patch: WarpPatch, cell: SampleCell, kernels: SiteKernels) {
    (self.patch, self.cell, self.kernels) = (patch, cell, kernels)
    colours = cell.colours.map { kernels.index(of: $0) }
  }

  func sample(_ x: Float, _ y: Float, into out: Plane, column: Int, row: Int) {
    for phaseY in 0..<cell.height {
      for phaseX in 0..<cell.width {
        let colour = colours[phaseY * cell.width + phaseX]
        out.row(row + phaseY)[column + phaseX] = kernels.value(
          patch.light, patch.size, x + Float(phaseX), y + Float(phaseY), colour)
      }
    }
  }
}
