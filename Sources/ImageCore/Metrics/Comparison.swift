/// How two pictures or mosaics of one size differ: every metric that was asked for, `nil` for the others.
///
/// Samples are compared as parts of full scale (the largest integer, 1 for floating point, white − black for mosaics),
/// so that pictures of 8 and 16 bits can be compared. Definitions with formulas: Documentation/metrics.md.
public struct Comparison: Sendable, Hashable {
  /// A metric of all channels together and of each by itself, in the order of ``Comparison/channels``.
  public struct ByChannel: Sendable, Hashable {
    /// Of all channels together, each counted alike (of a mosaic: each photosite).
    public var all: Double
    /// One a channel.
    public var channels: [Double]

    /// From its parts.
    public init(all: Double, channels: [Double]) {
      self.all = all
      self.channels = channels
    }
  }

  /// The largest difference.
  public struct Largest: Sendable, Hashable, Encodable {
    /// In stored codes of the finer of the two integer types (0...255, 0...65535); in parts of 1 for floating point.
    public var value: Double
    /// In parts of full scale.
    public var share: Double
    /// Column of the first pixel that differs so much, in row order; `nil` where nothing differs.
    public var x: Int?
    /// Its row.
    public var y: Int?
    /// The name of its channel.
    public var channel: String?

    /// From its parts.
    public init(value: Double, share: Double, x: Int? = nil, y: Int? = nil, channel: String? = nil) {
      (self.value, self.share, self.x, self.y, self.channel) = (value, share, x, y, channel)
    }
  }

  /// A difference that every pixel has: its distribution.
  public struct Distribution: Sendable, Hashable, Encodable {
    /// Mean over the pixels.
    public var mean: Double
    /// 99.9 of 100 pixels have no more: the upper edge of a bin of a histogram, see ``Histogram``; never more than ``max``.
    public var p999: Double
    /// The worst pixel.
    public var max: Double

    /// From its parts.
    public init(mean: Double, p999: Double, max: Double) {
      (self.mean, self.p999, self.max) = (mean, p999, max)
    }
  }

  /// Structural similarity at several scales.
  public struct MultiScale: Sendable, Hashable, Encodable {
    /// 1 for equal pictures.
    public var value: Double
    /// Scales that fitted into the picture, 1...5; with fewer than 5 the weights are those of the first, rescaled.
    public var scales: Int

    /// From its parts.
    public init(value: Double, scales: Int) {
      (self.value, self.scales) = (value, scales)
    }
  }

  /// How the right picture lies on the left one.
  public struct Alignment: Sendable, Hashable, Encodable {
    /// Shift to the right, pixels.
    public var x: Double
    /// Shift down, pixels.
    public var y: Double
    /// Clockwise, degrees.
    public var turn: Double
    /// Correlation of gradients with the motion undone, -1...1: below about 0.5 the shift says little.
    public var similarity: Double

    /// From its parts.
    public init(x: Double, y: Double, turn: Double, similarity: Double) {
      (self.x, self.y, self.turn, self.similarity) = (x, y, turn, similarity)
    }

    /// Length of the shift, pixels.
    public var distance: Double { (x * x + y * y).squareRoot() }
  }

  /// Samples that are not numbers or infinite; where either picture has one, both are taken for 0 in all metrics.
  public struct NonFinite: Sendable, Hashable, Codable {
    /// In the left picture.
    public var left = 0
    /// In the right one.
    public var right = 0
    /// Places where one has such a sample and the other does not, or another kind.
    public var mismatched = 0

    /// None.
    public init() {}
  }

  /// Columns and rows compared.
  public var size: PixelSize
  /// Names of the channels (or of a mosaic's filters), in order.
  public var channels: [String]
  /// What ``Largest/value`` counts in: the code of full scale.
  public var fullScale: Double
  /// Pixels (photosites) of which any sample differs.
  public var differingPixels: Int
  /// What is no number.
  public var nonFinite = NonFinite()
  /// `max |right − left|`.
  public var maxAbs: Largest?
  /// `√ mean (right − left)²`, in parts of full scale.
  public var rmse: ByChannel?
  /// `−20 log₁₀ RMSE`, decibels; infinite when equal.
  public var psnr: ByChannel?
  /// PSNR of `ln(1 + μ v) / ln(1 + μ)`, μ = 5000, of linear light `v` of each channel, clipped to 0...1; decibels.
  ///
  /// Source: Kalantari, Ramamoorthi 2017, "Deep high dynamic range imaging of dynamic scenes", section 3.
  public var psnrMu: ByChannel?
  /// Mean SSIM of the luma (0.2125 R + 0.7154 G + 0.0721 B of stored values), whole windows only; 1 for equal pictures.
  /// `nil` too where the picture is smaller than the window of 11 pixels.
  ///
  /// Source: Wang, Bovik, Sheikh, Simoncelli 2004, "Image quality assessment: from error visibility to structural
  /// similarity", Gaussian window of 1.5 pixels, K1 = 0.01, K2 = 0.03.
  public var ssim: Double?
  /// MS-SSIM of the luma. `nil` where ``ssim`` is.
  ///
  /// Source: Wang, Simoncelli, Bovik 2003, "Multi-scale structural similarity for image quality assessment".
  public var msSSIM: MultiScale?
  /// CIEDE2000 of each pixel, Lab relative to D65.
  ///
  /// Source: Sharma, Wu, Dalal 2005, "The CIEDE2000 color-difference formula".
  public var colour: Distribution?
  /// FLIP of each pixel, 0...1, at 67 pixels a degree.
  ///
  /// Source: Andersson et al. 2020, "FLIP: a difference evaluator for alternating images".
  public var flip: Distribution?
  /// Mean of `right − left`, parts of full scale, one a channel.
  public var shift: [Double]?
  /// Displacement of the right picture; `nil` too where pictures are too small or too flat to tell.
  public var alignment: Alignment?
  /// What the user should know of the way of comparing; one line each.
  public var notes: [String] = []

  /// Whether every sample is the same.
  public var isIdentical: Bool { differingPixels == 0 && nonFinite.mismatched == 0 }

  /// A comparison of which nothing but the frame is known.
  public init(size: PixelSize, channels: [String], fullScale: Double, differingPixels: Int = 0) {
    (self.size, self.channels, self.fullScale, self.differingPixels) = (size, channels, fullScale, differingPixels)
  }
}
