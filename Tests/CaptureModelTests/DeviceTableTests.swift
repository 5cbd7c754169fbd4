import CaptureModel
import ImageCore
import Testing

/// The table of cameras, row by row.
@Suite("Cameras and formats")
struct DeviceTableTests {
  @Test func outerCamera() {
    let camera = CameraDescriptor.outer
    #expect(camera.deviceType.rawValue == "builtInOuterUltraWideCamera" && camera.position == .front)
    #expect(camera.formats.allSatisfy({ $0.isSquare }))
    #expect(camera.formats.compactMap(\.video?.dimensions).max { $0.area < $1.area } == VideoMode.uhd4K)
    #expect(camera.formats.compactMap(\.video?.maxFrameRate).max() == 120)
    #expect(camera.formats.contains(where: { $0.deliversDepth }))
  }

  @Test func innerCamera() {
    let camera = CameraDescriptor.inner
    #expect(camera.deviceType.rawValue == "builtInInnerUltraWideCamera" && camera.position == .front)
    #expect(camera.formats.map(\.video) == [VideoMode(dimensions: VideoMode.hd, maxFrameRate: 60)])
    #expect(camera.formats.allSatisfy { $0.isSquare && $0.deliversDepth })
  }

  @Test func rearCamera() {
    let camera = CameraDescriptor.rear
    #expect(camera.deviceType.rawValue == "builtInDualWideCamera" && camera.position == .back)
    #expect(camera.formats.map(\.sensorDimensions) == [PhotoSize.mp48.dimensions])
    #expect(camera.formats.allSatisfy { $0.video == nil && !$0.isSquare })
    #expect(camera.formats[0].supportedMaxPhotoDimensions == [.mp12, .mp24, .mp48])
  }

  @Test("The virtual front camera has what both share: 1080p, 60 fps, no depth")
  func virtualFrontCamera() {
    let formats = CameraDescriptor.front.formats
    #expect(formats.map(\.video) == [VideoMode(dimensions: VideoMode.hd, maxFrameRate: 60)])
    #expect(formats.allSatisfy { !$0.deliversDepth })
    #expect(formats.map(\.supportedMaxPhotoDimensions) == [[.mp12, .mp18]])
  }

  @Test("Capabilities of the virtual camera are never more than a constituent's")
  func intersectionLaws() throws {
    for a in CameraDescriptor.outer.formats + CameraDescriptor.inner.formats {
      #expect(a.intersection(a) == a)
      for b in CameraDescriptor.outer.formats + CameraDescriptor.inner.formats {
        guard let both = a.intersection(b) else {
          #expect(a.video?.dimensions != b.video?.dimensions)
          continue
        }
        #expect(both == b.intersection(a))
        #expect(both.depth.isSubset(of: a.depth) && both.depth.isSubset(of: b.depth))
        let rate = try #require(both.video?.maxFrameRate)
        #expect(rate <= a.video?.maxFrameRate ?? 0 && rate <= b.video?.maxFrameRate ?? 0)
      }
    }
  }

  @Test func virtualCameraSwitchesByItself() {
    #expect(CameraDescriptor.front.active(in: .closed) == .outer)
    #expect(CameraDescriptor.front.active(in: .open) == .inner)
    #expect(CameraDescriptor.front.active(in: .openFlipped) == .inner)
    for posture in Posture.allCases {
      for camera in [CameraDescriptor.outer, .inner, .rear] { #expect(camera.active(in: posture) == camera) }
    }
  }

  @Test(arguments: [DeviceType.builtInWideAngleCamera, .builtInUltraWideCamera])
  func frontDiscoveryFindsTheVirtualCamera(type: DeviceType) {
    #expect(CameraDiscovery.cameras([type], position: .front) == [.front])
    #expect(CameraDiscovery.cameras([type], position: .back) == [])
  }

  @Test func discoveryByTypeAndPosition() {
    #expect(CameraDiscovery.cameras(DirectionMap.physicalTypes) == [.outer, .inner, .rear])
    #expect(CameraDiscovery.cameras([.builtInDualWideCamera], position: .back) == [.rear])
    #expect(CameraDiscovery.cameras([.builtInDualWideCamera], position: .front) == [])
    for camera in CameraDescriptor.all {
      #expect(CameraDescriptor(named: camera.name) == camera)
      #expect(CameraDescriptor(named: camera.deviceType.rawValue) == camera)
    }
    #expect(CameraDescriptor(named: "periscope") == nil)
  }

  @Test func aDeviceIsMadeOfItsDescriptorAndKeepsToItsFormats() throws {
    let device = CaptureDevice(.outer)
    #expect(device.dynamicAspectRatio == AspectRatio("1:1"))
    try device.setDynamicAspectRatio(try #require(AspectRatio("16:9")))
    #expect(device.dynamicAspectRatio == AspectRatio("16:9"))
    try device.setActiveFormat(CameraDescriptor.outer.formats[1])
    #expect(device.dynamicAspectRatio == AspectRatio("1:1"))
    #expect(throws: CaptureError.foreignFormat(camera: "outer")) {
      try device.setActiveFormat(CameraDescriptor.rear.formats[0])
    }
    let ratio = try #require(AspectRatio("3:2"))
    #expect(throws: CaptureError.unsupportedAspectRatio(ratio, listed: DynamicAspectRatio.all)) {
      try device.setDynamicAspectRatio(ratio)
    }
  }
}

@Suite("Dynamic aspect ratios of square sensors")
struct DynamicAspectRatioTests {
  @Test func theListedOnesAreTheFive() {
    #expect(DynamicAspectRatio.all.map(\.description) == ["1:1", "4:3", "3:4", "16:9", "9:16"])
    #expect(CaptureDevice(.rear).dynamicAspectRatio == nil)
  }

  @Test("Each ratio uses the full width or height, exactly and centred", arguments: DynamicAspectRatio.all)
  func rectangles(ratio: AspectRatio) throws {
    let format = CameraDescriptor.outer.formats[0]
    let rect = try DynamicAspectRatio.sensorRect(ratio, in: format)
    let side = format.sensorDimensions.width
    #expect(max(rect.width, rect.height) == side, "\(rect)")
    #expect(rect.width * ratio.height == rect.height * ratio.width)
    #expect(abs(2 * rect.x + rect.width - side) <= 1 && abs(2 * rect.y + rect.height - side) <= 1)
  }

  @Test func fourToThreeIsThe18MPPhoto() throws {
    let ratio = try #require(AspectRatio("4:3"))
    #expect(
      try DynamicAspectRatio.sensorRect(ratio, in: CameraDescriptor.outer.formats[0]).size
        == PhotoSize.mp18.dimensions)
  }
}
