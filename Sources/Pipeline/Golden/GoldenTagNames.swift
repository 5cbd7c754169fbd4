/// What people call tags: TIFF 6.0, EXIF 2.32, DNG 1.7.
enum GoldenTagNames {
  private static let names: [UInt16: String] = [
    254: "NewSubfileType", 256: "ImageWidth", 257: "ImageLength", 258: "BitsPerSample",
    262: "PhotometricInterpretation", 270: "ImageDescription", 271: "Make", 272: "Model", 274: "Orientation",
    277: "SamplesPerPixel", 282: "XResolution", 283: "YResolution", 284: "PlanarConfiguration",
    296: "ResolutionUnit", 306: "DateTime", 315: "Artist", 339: "SampleFormat", 33421: "CFARepeatPatternDim",
    33422: "CFAPattern", 33432: "Copyright", 33434: "ExposureTime", 33437: "FNumber", 34855: "ISO",
    36864: "ExifVersion", 36867: "DateTimeOriginal", 36868: "DateTimeDigitized", 37380: "ExposureBias",
    37386: "FocalLength", 37500: "MakerNote", 40961: "ColorSpace", 40962: "PixelXDimension",
    40963: "PixelYDimension", 42036: "LensModel", 50706: "DNGVersion", 50707: "DNGBackwardVersion",
    50708: "UniqueCameraModel", 50711: "CFALayout", 50713: "BlackLevelRepeatDim", 50714: "BlackLevel",
    50717: "WhiteLevel", 50719: "DefaultCropOrigin", 50720: "DefaultCropSize", 50721: "ColorMatrix1",
    50722: "ColorMatrix2", 50727: "AnalogBalance", 50728: "AsShotNeutral", 50729: "AsShotWhiteXY",
    50730: "BaselineExposure", 50778: "CalibrationIlluminant1", 50779: "CalibrationIlluminant2",
    50829: "ActiveArea", 50964: "ForwardMatrix1", 50965: "ForwardMatrix2", 51008: "OpcodeList1",
    51009: "OpcodeList2", 51022: "OpcodeList3", 51041: "NoiseProfile", 51125: "DefaultUserCrop",
  ]

  /// `IFD0.274` → `IFD0.274 Orientation`; other names as they are.
  static func title(_ name: String) -> String {
    guard let number = name.split(separator: ".").last.flatMap({ UInt16($0) }), !name.hasPrefix("GPS"),
      let word = names[number]
    else { return name }
    return "\(name) \(word)"
  }
}
