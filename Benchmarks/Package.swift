// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "duo-process", path: "..")],
  targets: [
    .executableTarget(
      name: "Benchmarks",
      dependencies: [.product(name: "ImageCore", package: "duo-process")],
      swiftSettings: strict),
    .executableTarget(
      name: "Codecs",
      dependencies: [
        .product(name: "ImageCore", package: "duo-process"), .product(name: "RawFiles", package: "duo-process"),
        .product(name: "TIFFTags", package: "duo-process"), .product(name: "CLibRaw", package: "duo-process"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "Quality",
      dependencies: [
        .product(name: "ImageCore", package: "duo-process"), .product(name: "Develop", package: "duo-process"),
        .product(name: "PhotoFiles", package: "duo-process"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "HDRQuality",
      dependencies: [
        .product(name: "ImageCore", package: "duo-process"), .product(name: "HDRMerge", package: "duo-process"),
        .product(name: "Synthesis", package: "duo-process"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "FusionQuality",
      dependencies: [
        .product(name: "ImageCore", package: "duo-process"), .product(name: "Develop", package: "duo-process"),
        .product(name: "PhotoFiles", package: "duo-process"), .product(name: "Synthesis", package: "duo-process"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "Throughput",
      dependencies: [
        .product(name: "ImageCore", package: "duo-process"), .product(name: "Develop", package: "duo-process"),
        .product(name: "Synthesis", package: "duo-process"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "CFATable",
      dependencies: [
        .product(name: "ImageCore", package: "duo-process"), .product(name: "PhotoFiles", package: "duo-process"),
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
