public import ImageCore

/// A capture of several frames of one scene: one at full resolution for its detail, the others for their light.
public struct ShotRecipe: Sendable, Codable, Hashable {
  /// What the other frames are.
  public enum Companions: String, Sendable, Codable, Hashable, CaseIterable {
    /// Clusters added up by the sensor: Bayer frames of a quarter of the photosites.
    case binned
    /// Full-resolution quad frames too.
    case quad
  }

  /// For tests of frames that promise more than they hold.
  public enum Enlargement: String, Sendable, Codable, Hashable, CaseIterable {
    /// A full-resolution frame.
    case none
    /// A binned frame, interpolated between photosites of one colour.
    case smooth
    /// The same with the noise of single photosites added.
    case noisy
  }

  /// What the scene shows.
  public var kind = SceneKind.chart
  /// Photosites of the full-resolution frame; both sides are whole multiples of ``sideStep``.
  public var size: PixelSize
  /// Frames besides the full-resolution one, 1 or more.
  public var frames = 8
  /// What they are.
  public var companions = Companions.binned
  /// Photoelectrons of a full-resolution photosite at saturation.
  public var electrons = 1000.0
  /// Read noise of a full-resolution photosite, electrons.
  public var readNoise = 2.0
  /// Blur of the lens, standard deviation in full-resolution photosites.
  public var blurSigma = 0.6
  /// Companions are displaced by up to this much in each direction, full-resolution photosites.
  public var largestShift = 0.0
  /// Companions are turned by up to this much, degrees.
  public var largestTurn = 0.0
  /// Whether something moves through the scene from frame to frame.
  public var hasMover = false
  /// Companions are exposed by 0, minus and plus this many stops in turn; 0 for equal exposures.
  public var bracketStops = 0.0
  /// What the full-resolution frame really is.
  public var enlargement = Enlargement.none
  /// Makes scene, noise and motion differ from another shot's.
  public var seed: UInt64 = 1
  /// Counts in darkness and at saturation: 14 bits.
  public var black = 1024
  /// Counts at saturation.
  public var white = 16383

  /// Whole cells of a quad array, whose binned frame has whole Bayer cells.
  public static let sideStep = 4

  /// - Parameter size: photosites of the full-resolution frame.
  public init(size: PixelSize) { self.size = size }

  /// How a companion's scene lies, and what it was exposed by. `index` counts from 0.
  func view(of index: Int) -> SceneView {
    var view = SceneView()
    var random = CounterRandom(seed: seed, x: index, stream: Self.motionStream)
    view.shiftX = (2 * random.uniform() - 1) * largestShift
    view.shiftY = (2 * random.uniform() - 1) * largestShift
    view.rotation = (2 * random.uniform() - 1) * largestTurn
    if hasMover { view.mover = mover(at: Double(index + 1) / Double(frames)) }
    return view
  }

  /// Stops of a companion relative to the full-resolution frame.
  func stops(of index: Int) -> Double {
    switch index % 3 {
    case 0: 0
    case 1: -bracketStops
    default: bracketStops
    }
  }

  /// The mover after a part of its way: one and a half of its sides in all.
  func mover(at part: Double) -> SceneView.Mover {
    let side = Double(min(size.width, size.height)) * Self.moverShare
    return SceneView.Mover(
      x: Double(size.width) * Self.moverStart.x + part * side * Self.moverWay,
      y: Double(size.height) * Self.moverStart.y + part * side * Self.moverWay / 3, side: side)
  }

  private static let motionStream: UInt32 = 211
  /// The mover's side in parts of the picture's, where it starts, and its way in sides.
  private static let moverShare = 0.16
  private static let moverStart = (x: 0.42, y: 0.58)
  private static let moverWay = 1.5
}
