internal import CVector

/// Rows of one picture → codes and linear light as Floats, channel by channel.
struct SampleDecoder: Sendable {
  typealias Floats = UnsafeMutablePointer<Float>

  let format: PixelFormat
  /// Stored value → units of the comparison.
  private let scale: Float
  /// Light of each integer code, one table a colour; or of equal steps, for floating point. `nil` is linear.
  private let tables: [LightTable?]
  private let steps: Int
  /// Linear RGB → X, Y, Z relative to white, row by row.
  private let matrix: [Float]

  private static let floatSteps = 4096
  /// Light beyond this many whites says no more.
  private static let brightest: Float = 65504

  /// - Parameters:
  ///   - unit: the code of full scale in which differences are counted.
  ///   - made: tables that exist already; those of equal curves are shared, so that they stay in the CPU's cache.
  init(_ picture: ComparedPicture, unit: Double, sharing made: inout [LightTable]) {
    format = picture.format
    let own: Double
    switch picture.format.sample {
    case .uint8: (own, steps) = (UInt8.fullScale, Int(UInt8.max))
    case .uint16: (own, steps) = (UInt16.fullScale, Int(UInt16.max))
    case .float32: (own, steps) = (1, Self.floatSteps)
    }
    scale = Float(unit / own)
    let white = Chromaticity.d65.xyz
    matrix = (0..<9).map { Float(picture.encoding.toXYZ.values[$0] / white[$0 / 3]) }
    let count = steps + 1
    let isFloat = picture.format.sample == .float32
    var known = made
    tables = picture.encoding.curves.map { curve in
      if curve == .linear && isFloat { return nil }
      if let table = known.first(where: { $0.count == count && $0.curve == curve }) { return table }
      let table = LightTable(curve, count: count)
      known.append(table)
      return table
    }
    made = known
  }

  /// The first `count` pixels of a row in units of the comparison.
  func codes(_ row: UnsafeRawPointer, count: Int, into out: [Floats]) {
    switch format.sample {
    case .uint8: Self.spread(row.assumingMemoryBound(to: UInt8.self), format.channels.count, count, scale, out)
    case .uint16: Self.spread(row.assumingMemoryBound(to: UInt16.self), format.channels.count, count, scale, out)
    case .float32: Self.spread(row.assumingMemoryBound(to: Float.self), format.channels.count, count, scale, out)
    }
  }

  private static func spread(
    _ p: UnsafePointer<UInt8>, _ step: Int, _ count: Int, _ scale: Float, _ out: [Floats]
  ) {
    if step == 3 {
      let (r, g, b) = (out[0], out[1], out[2])
      for x in 0..<count {
        r[x] = Float(p[3 &* x]) * scale
        g[x] = Float(p[3 &* x &+ 1]) * scale
        b[x] = Float(p[3 &* x &+ 2]) * scale
      }
    } else {
      for k in 0..<step {
        let to = out[k]
        for x in 0..<count { to[x] = Float(p[x &* step &+ k]) * scale }
      }
    }
  }

  private static func spread(
    _ p: UnsafePointer<UInt16>, _ step: Int, _ count: Int, _ scale: Float, _ out: [Floats]
  ) {
    if step == 3 {
      cv_spread3_u16(p, count, scale, out[0], out[1], out[2])
    } else {
      for k in 0..<step {
        let to = out[k]
        for x in 0..<count { to[x] = Float(p[x &* step &+ k]) * scale }
      }
    }
  }

  private static func spread(
    _ p: UnsafePointer<Float>, _ step: Int, _ count: Int, _ scale: Float, _ out: [Floats]
  ) {
    for k in 0..<step {
      let to = out[k]
      for x in 0..<count { to[x] = p[x &* step &+ k] * scale }
    }
  }

  /// Linear light of the colours of a row. Floating-point samples are taken from `codes`, where they are numbers.
  func light(_ row: UnsafeRawPointer, codes: [Floats], count: Int, into out: [Floats]) {
    let step = format.channels.count
    for colour in 0..<(step < 3 ? 1 : 3) {
      let to = out[colour]
      guard let table = tables[colour]?.values else {
        let from = codes[colour]
        let top = Self.brightest
        for x in 0..<count { to[x] = from[x] < -top ? -top : from[x] > top ? top : from[x] }
        continue
      }
      switch format.sample {
      case .uint8:
        let p = row.assumingMemoryBound(to: UInt8.self) + colour
        for x in 0..<count { to[x] = table[Int(p[x &* step])] }
      case .uint16:
        let p = row.assumingMemoryBound(to: UInt16.self) + colour
        for x in 0..<count { to[x] = table[Int(p[x &* step])] }
      case .float32:
        let from = codes[colour]
        for x in 0..<count { to[x] = interpolated(table, from[x]) }
      }
    }
  }

  /// Beyond 0...1 the curve goes on in a straight line from its end.
  private func interpolated(_ table: UnsafeMutablePointer<Float>, _ value: Float) -> Float {
    let place = min(max(value, -Self.brightest), Self.brightest) * Float(steps)
    let index = Int(min(max(place, 0), Float(steps - 1)))
    return table[index] + (table[index + 1] - table[index]) * (place - Float(index))
  }

  /// Light → Y, X − Y, Y − Z relative to white.
  func opponents(_ light: [Floats], count: Int, _ y: Floats, _ xy: Floats, _ yz: Floats) {
    if format.channels.count < 3 {
      let grey = light[0]
      for x in 0..<count {
        y[x] = grey[x]
        xy[x] = 0
        yz[x] = 0
      }
      return
    }
    let (r, g, b) = (light[0], light[1], light[2])
    let (x0, x1, x2) = (matrix[0], matrix[1], matrix[2])
    let (y0, y1, y2) = (matrix[3], matrix[4], matrix[5])
    let (z0, z1, z2) = (matrix[6], matrix[7], matrix[8])
    for x in 0..<count {
      let bright = (y0 * r[x] + y1 * g[x]) + y2 * b[x]
      y[x] = bright
      xy[x] = ((x0 * r[x] + x1 * g[x]) + x2 * b[x]) - bright
      yz[x] = bright - ((z0 * r[x] + z1 * g[x]) + z2 * b[x])
    }
  }
}

extension ColourEncoding.Curve {
  /// The light of a stored value 0...1.
  func light(at stored: Double) -> Float {
    switch self {
    case .linear: return Float(stored)
    case .table(let values):
      let place = stored * Double(values.count - 1)
      let index = min(Int(place), values.count - 2)
      // Exactly a table's own value where the place is whole.
      let part = Float(place - Double(index))
      return part == 0 ? values[index] : values[index] + (values[index + 1] - values[index]) * part
    }
  }
}

/// The light of equal steps of stored values.
final class LightTable: @unchecked Sendable {
  let curve: ColourEncoding.Curve
  let count: Int
  /// Never written after it was made.
  let values: UnsafeMutablePointer<Float>

  init(_ curve: ColourEncoding.Curve, count: Int) {
    (self.curve, self.count) = (curve, count)
    values = .allocate(capacity: count)
    for code in 0..<count { (values + code).initialize(to: curve.light(at: Double(code) / Double(count - 1))) }
  }

  deinit { values.deallocate() }
}
