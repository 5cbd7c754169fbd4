// Reports name metrics as the command line does, in the spelling of JSON: `--min-psnr` limits `psnr`.

/// A number that may be infinite, which JSON has no word for: `"inf"` then.
private struct Decibels: Encodable {
  let value: Double

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if value.isFinite { try container.encode(value) } else { try container.encode(value < 0 ? "-inf" : "inf") }
  }
}

extension Comparison.ByChannel: Encodable {
  private enum CodingKeys: String, CodingKey { case all, channels }

  /// Infinite values are the text `"inf"`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Decibels(value: all), forKey: .all)
    try container.encode(channels.map { Decibels(value: $0) }, forKey: .channels)
  }
}

extension Comparison: Encodable {
  private enum CodingKeys: String, CodingKey {
    case size, channels, fullScale, identical, differingPixels, nonFinite, maxAbs, rmse, psnr, psnrMu, ssim, msSsim,
      de,
      flip, shift, alignment, notes
  }

  /// Metrics that were not asked for are left out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(size, forKey: .size)
    try container.encode(channels, forKey: .channels)
    try container.encode(fullScale, forKey: .fullScale)
    try container.encode(isIdentical, forKey: .identical)
    try container.encode(differingPixels, forKey: .differingPixels)
    try container.encode(nonFinite, forKey: .nonFinite)
    try container.encodeIfPresent(maxAbs, forKey: .maxAbs)
    try container.encodeIfPresent(rmse, forKey: .rmse)
    try container.encodeIfPresent(psnr, forKey: .psnr)
    try container.encodeIfPresent(psnrMu, forKey: .psnrMu)
    try container.encodeIfPresent(ssim, forKey: .ssim)
    try container.encodeIfPresent(msSSIM, forKey: .msSsim)
    try container.encodeIfPresent(colour, forKey: .de)
    try container.encodeIfPresent(flip, forKey: .flip)
    try container.encodeIfPresent(shift, forKey: .shift)
    try container.encodeIfPresent(alignment, forKey: .alignment)
    if !notes.isEmpty { try container.encode(notes, forKey: .notes) }
  }
}
