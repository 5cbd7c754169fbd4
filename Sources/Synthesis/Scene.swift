public import ImageCore

/// What a synthetic scene shows.
public enum SceneKind: String, CaseIterable, Sendable, Codable, Hashable {
  /// All the others at once, with letters, a lamp and a dark corner: for eyes and for end-to-end tests.
  case chart
  /// One straight edge, 5° off the vertical.
  case slantedEdge = "slanted-edge"
  /// Rings that reach the Nyquist frequency at the edge.
  case zonePlate = "zone-plate"
  /// Overlapping discs of many sizes.
  case deadLeaves = "dead-leaves"
  /// 24 colour patches.
  case patches
  /// One grey.
  case flat
}

/// How a scene lies before the camera in one frame of a series.
public struct SceneView: Sendable, Codable, Hashable {
  /// How far the picture moved to the right, pixels.
  public var shiftX = 0.0
  /// How far it moved down, pixels.
  public var shiftY = 0.0
  /// Clockwise turn about the picture's centre, degrees.
  public var rotation = 0.0
  /// A thing that moves on its own.
  public var mover: Mover?

  /// A chequered square before the scene.
  public struct Mover: Sendable, Codable, Hashable {
    /// Its left edge, scene pixels.
    public var x: Double
    /// Its upper edge, scene pixels.
    public var y: Double
    /// Its side, scene pixels.
    public var side: Double

    /// - Parameters: scene pixels.
    public init(x: Double, y: Double, side: Double) {
      (self.x, self.y, self.side) = (x, y, side)
    }
  }

  /// The scene as it is.
  public init() {}
}

/// All that a scene depends on.
public struct SceneRecipe: Sendable, Codable, Hashable {
  /// What it shows.
  public var kind: SceneKind
  /// Pixels of the upright picture; a chart wants at least 64x64.
  public var size: PixelSize
  /// Places the leaves.
  public var seed: UInt64
  /// How it lies in this frame.
  public var view = SceneView()

  /// - Parameters:
  ///   - size: pixels of the upright picture.
  ///   - seed: places the leaves.
  public init(kind: SceneKind, size: PixelSize, seed: UInt64 = 1) {
    self.kind = kind
    self.size = size
    self.seed = seed
  }
}

/// The light of a synthetic scene, upright.
public struct Scene: Sendable {
  /// What it was made from.
  public let recipe: SceneRecipe
  /// Linear light, sRGB primaries, D65 white; 1 saturates the sensor at exposure 0, the lamp goes up to 8.
  public let light: Image<RGB<Float>>

  private static let rowsPerBand = 16

  /// Renders a scene with 2x2 samples a pixel; each pixel depends on the recipe and its place alone.
  public init(_ recipe: SceneRecipe, resources: Resources = Resources()) {
    self.recipe = recipe
    let chart = Chart(recipe)
    let size = recipe.size
    let view = ViewTransform(recipe.view, size: size)
    var light = Image<RGB<Float>>(uninitialized: size, in: resources.pool)
    light.withMutableRows { rows in
      resources.workers.forEachBand(of: size.height, rowsPerBand: Self.rowsPerBand) { band in
        for y in band {
          let row = rows.row(y)
          for x in 0..<size.width {
            var sum = SIMD3<Double>()
            for sample in 0..<4 {
              let point = view.scenePoint(
                Double(x) + (sample & 1 == 0 ? 0.25 : 0.75), Double(y) + (sample & 2 == 0 ? 0.25 : 0.75))
              sum += view.moverColour(point) ?? chart.colour(point.x, point.y)
            }
            sum *= 0.25
            row[x] = RGB(Float(sum.x), Float(sum.y), Float(sum.z))
          }
        }
      }
    }
    self.light = light
  }
}
