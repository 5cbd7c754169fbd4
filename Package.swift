// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Which x86-64 level the pixel kernels are compiled for. The default, x86-64-v3 (AVX2, FMA, F16C), runs on every
// x86-64 CPU made since about 2015; `DUO_MARCH=x86-64 swift build` makes a binary for older ones. The command checks
// the CPU at start-up and says so when it does not fit. Other architectures take no flag.
#if arch(x86_64)
  let march = ProcessInfo.processInfo.environment["DUO_MARCH"] ?? "x86-64-v3"
  let kernelISA: [SwiftSetting] = [.unsafeFlags(["-Xcc", "-march=\(march)"])]
#else
  let march = "native"
  let kernelISA: [SwiftSetting] = []
#endif

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]
// Tells the command not to ask the CPU for features that the kernels were not compiled for.
let baseline: [SwiftSetting] = march == "x86-64-v3" ? [] : [.define("DUO_BASELINE")]
// Pixel loops are ~100 times slower without optimisation, so kernel targets are optimised in debug builds too.
let kernels: [SwiftSetting] = strict + kernelISA + [.unsafeFlags(["-O"], .when(configuration: .debug))]
// Swift never fuses a*b+c, clang does unless told not to: shims keep to Swift's rule so that bits agree everywhere.
let shim: [CSetting] = [.unsafeFlags(["-ffp-contract=off", "-Wall", "-Werror"])]

let package = Package(
  name: "duo-process",
  products: [
    .executable(name: "duo-process", targets: ["duo-process"]),
    .library(name: "ImageCore", targets: ["ImageCore"]),
    .library(name: "RawFiles", targets: ["RawFiles"]),
    .library(name: "PhotoFiles", targets: ["PhotoFiles"]),
    .library(name: "Develop", targets: ["Develop"]),
    .library(name: "HDRMerge", targets: ["HDRMerge"]),
    .library(name: "Synthesis", targets: ["Synthesis"]),
    .library(name: "CaptureModel", targets: ["CaptureModel"]),
    .library(name: "Pipeline", targets: ["Pipeline"]),
    .library(name: "TIFFTags", targets: ["TIFFTags"]),
    // For Benchmarks alone: the decoder that ours is measured against.
    .library(name: "CLibRaw", targets: ["CLibRaw"]),
  ],
  targets: [
    // L0: C shims. No logic; only what cannot be called safely from Swift, or a module map.
    .target(name: "CVector", cSettings: shim + [.unsafeFlags(["-O2"], .when(configuration: .debug))]),
    .target(
      name: "CDemosaicTables", exclude: ["tables"],
      cSettings: [.unsafeFlags(["-Wall", "-Werror", "-Wno-c23-extensions"])]),
    .target(
      name: "CReportPage", exclude: ["page"], cSettings: [.unsafeFlags(["-Wall", "-Werror", "-Wno-c23-extensions"])]),
    .target(name: "CLibRaw", cSettings: shim),
    .target(name: "CTIFF", cSettings: shim),
    .target(name: "CPNG", cSettings: shim),
    .target(name: "CJPEG", cSettings: shim),
    .target(name: "CEXR", cSettings: shim),
    .target(name: "CJXL", cSettings: shim),
    .target(name: "CHEIF", cSettings: shim),
    .target(name: "CExiv2", cxxSettings: [.unsafeFlags(["-std=c++17", "-Wno-deprecated-declarations"])]),
    .systemLibrary(name: "CLCMS"),
    .systemLibrary(name: "CCrypto"),
    .systemLibrary(name: "CZlib"),
    .systemLibrary(name: "CSQLite"),

    // L1: values and kernels.
    .target(name: "ImageCore", dependencies: ["CVector"], swiftSettings: kernels),
    .target(name: "TIFFTags", swiftSettings: strict),

    // L2: one concern each; they never import each other.
    .target(
      name: "RawFiles", dependencies: ["ImageCore", "TIFFTags", "CLibRaw", "CJXL", "CZlib"], swiftSettings: kernels),
    .target(
      name: "PhotoFiles",
      dependencies: ["ImageCore", "TIFFTags", "CTIFF", "CPNG", "CJPEG", "CEXR", "CJXL", "CHEIF", "CExiv2", "CLCMS"],
      swiftSettings: strict),
    .target(name: "Develop", dependencies: ["ImageCore", "CVector", "CDemosaicTables"], swiftSettings: kernels),
    .target(name: "HDRMerge", dependencies: ["ImageCore", "CVector"], swiftSettings: kernels),
    .target(name: "Synthesis", dependencies: ["ImageCore"], swiftSettings: kernels),
    // Pure values: decides, and never touches a pixel.
    .target(name: "CaptureModel", dependencies: ["ImageCore"], swiftSettings: strict),

    // L3: the one place that knows the order of the stages.
    .target(
      name: "Pipeline",
      dependencies: [
        "ImageCore", "TIFFTags", "RawFiles", "PhotoFiles", "Develop", "HDRMerge", "Synthesis", "CaptureModel",
        "CCrypto", "CReportPage", "CSQLite",
      ],
      swiftSettings: strict),

    // L4: parse, call, print.
    .executableTarget(
      name: "duo-process",
      dependencies: [
        "Pipeline", "ImageCore", "TIFFTags", "RawFiles", "PhotoFiles", "Develop", "HDRMerge", "Synthesis",
        "CaptureModel", "CVector",
      ],
      swiftSettings: strict + baseline,
      // Without Swift's shared libraries to load the command starts a third sooner. The two others are what the static
      // FoundationEssentials needs and does not name.
      linkerSettings: [
        .unsafeFlags(
          ["-static-stdlib", "-l_FoundationCShims", "-l_FoundationCollections"], .when(configuration: .release))
      ]),

    .target(
      name: "TestSupport", dependencies: ["ImageCore"], path: "Tests/TestSupport", swiftSettings: strict),
    .testTarget(
      name: "ImageCoreTests", dependencies: ["ImageCore", "Synthesis", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "TIFFTagsTests", dependencies: ["TIFFTags", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "RawFilesTests", dependencies: ["RawFiles", "ImageCore", "TIFFTags", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "PhotoFilesTests", dependencies: ["PhotoFiles", "ImageCore", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "DevelopTests", dependencies: ["Develop", "ImageCore", "TestSupport"], exclude: ["Vectors"],
      swiftSettings: strict),
    .testTarget(
      name: "HDRMergeTests", dependencies: ["HDRMerge", "ImageCore", "Synthesis", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "CaptureModelTests", dependencies: ["CaptureModel", "ImageCore"], swiftSettings: strict),
    .testTarget(
      name: "SynthesisTests", dependencies: ["Synthesis", "ImageCore", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "PipelineTests",
      dependencies: [
        "Pipeline", "CaptureModel", "Develop", "HDRMerge", "ImageCore", "PhotoFiles", "RawFiles", "Synthesis",
        "TIFFTags", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "CommandTests",
      dependencies: ["duo-process", "TestSupport"], exclude: ["Page"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
