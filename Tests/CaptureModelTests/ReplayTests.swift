import CaptureModel
import ImageCore
import Testing

@Suite("Replay of a session")
struct ReplayTests {
  /// Stages as a phone has them: processing takes long, frames and proxies little.
  private static let costs: [ProcessingTimes.Key: StageCost] = {
    var costs: [ProcessingTimes.Key: StageCost] = [:]
    for size in PhotoSize.allCases {
      for prioritization in size.prioritizations {
        let seconds = prioritization == .quality ? 3000 : 1000
        costs[ProcessingTimes.Key(size: size, prioritization: prioritization)] = StageCost(
          capture: .milliseconds(prioritization == .quality ? 200 : 80), processing: .milliseconds(seconds),
          proxy: .milliseconds(150))
      }
    }
    return costs
  }()

  private func burst(_ options: SessionOptions, presses: Int = 5, gap: Int = 300) -> SessionScript {
    var script = SessionScript()
    script.camera = .named(.rear)
    script.options = options
    script.costs = Self.costs
    script.events = (0..<presses).map { SessionEvent(.milliseconds($0 * gap), .shutter(.mp24, .quality)) }
    return script
  }

  @Test("The burst: 1 photo with everything off, 5 with everything on")
  func demonstration() throws {
    let off = try SessionReplay.timeline(of: burst([]))
    #expect(off.shots.count == 1 && off.ignoredPresses == 4)
    #expect(off.shotToShotTimes == [.milliseconds(3200)])
    let on = try SessionReplay.timeline(
      of: burst([.responsiveCapture, .fastCapturePrioritization, .deferredProcessing]))
    #expect(on.shots.count == 5 && on.ignoredPresses == 0)
    #expect(on.shots.allSatisfy { $0.resolved.size == .mp24 && $0.isDeferred && $0.finalDelivered != nil })
  }

  @Test("Fusion counts where a photo is fused, and only there")
  func fusionIsCounted() throws {
    var script = burst([], presses: 1)
    for (key, cost) in script.costs {
      script.costs[key] = StageCost(
        capture: cost.capture, processing: cost.processing, proxy: cost.proxy, fusion: .milliseconds(500))
    }
    #expect(try SessionReplay.timeline(of: script).shotToShotTimes == [.milliseconds(200 + 3000 + 500)])
    script.events = [SessionEvent(.zero, .shutter(.mp48, .quality))]
    #expect(try SessionReplay.timeline(of: script).shotToShotTimes == [.milliseconds(200 + 3000)])
    script = burst([.responsiveCapture, .deferredProcessing], presses: 1)
    script.costs[ProcessingTimes.Key(size: .mp24, prioritization: .quality)] = StageCost(
      capture: .milliseconds(200), processing: .milliseconds(3000), proxy: .milliseconds(150),
      fusion: .milliseconds(500))
    let shot = try #require(try SessionReplay.timeline(of: script).shots.first)
    #expect(shot.delivered == .milliseconds(350), "a proxy is not fused")
    #expect(shot.finalDelivered == .milliseconds(350 + 1000 + 3000 + 500))
  }

  @Test func aSeriesIsRapidWhenPressesOutrunAStage() {
    var series = RapidSeries()
    #expect(series.press(at: .seconds(5)) == nil && series.press(at: .seconds(7)) == .seconds(2))
    #expect(series.press(at: .milliseconds(7300)) == .milliseconds(300))
    #expect(RapidSeries.isRapid(gap: .milliseconds(300), stage: .seconds(1)))
    #expect(!RapidSeries.isRapid(gap: .seconds(1), stage: .seconds(1)))
    #expect(!RapidSeries.isRapid(gap: nil, stage: .seconds(1)) && !RapidSeries.isRapid(gap: .zero, stage: nil))
  }

  @Test("Each option alone helps as far as it can")
  func responsiveAlone() throws {
    let responsive = try SessionReplay.timeline(of: burst([.responsiveCapture]))
    #expect(responsive.shots.count == 2, "one capture overlaps one processing")
    let deferred = try SessionReplay.timeline(of: burst([.deferredProcessing]))
    #expect(deferred.shots.count == 3, "200 + 150 ms a shot, a press each 300 ms")
    let fast = try SessionReplay.timeline(of: burst([.responsiveCapture, .fastCapturePrioritization]))
    #expect(fast.shots.dropFirst().allSatisfy { $0.resolved.prioritization == .balanced })
    #expect(throws: CaptureError.fastCaptureNeedsResponsiveCapture) {
      try SessionReplay.timeline(of: burst([.fastCapturePrioritization]))
    }
  }

  @Test("Balanced fast captures are deferred too")
  func fastCapturesAreDeferred() throws {
    let all: SessionOptions = [.responsiveCapture, .fastCapturePrioritization, .deferredProcessing]
    let timeline = try SessionReplay.timeline(of: burst(all, gap: 190))
    let lowered = timeline.shots.filter { $0.resolved.reasons == [.fastCapture] }
    #expect(!lowered.isEmpty && lowered.allSatisfy({ $0.isDeferred }))
  }

  @Test("Callbacks of every shot come in order", arguments: [0, 1, 3, 4, 5, 7] as [UInt8])
  func callbackOrder(bits: UInt8) throws {
    let timeline = try SessionReplay.timeline(of: burst(SessionOptions(rawValue: bits)))
    for shot in timeline.shots {
      let calls = timeline.entries.compactMap { entry -> ShotCallback? in
        if case .callback(let call, let number) = entry.event, number == shot.number { call } else { nil }
      }
      let finish: ShotCallback = shot.isDeferred ? .didFinishDeferredProxy : .didFinishProcessing
      #expect(calls == [.willBeginCapture, .willCapture, .didCapture, finish, .didFinishCapture])
    }
    for (a, b) in zip(timeline.entries, timeline.entries.dropFirst()) { #expect(a.time <= b.time) }
  }

  @Test("Presses are photos, or not heard while not ready")
  func nothingIsLost() throws {
    for gap in [10, 90, 200, 350, 1000, 4000] {
      for bits: UInt8 in [0, 1, 3, 4, 5, 7] {
        let timeline = try SessionReplay.timeline(of: burst(SessionOptions(rawValue: bits), presses: 9, gap: gap))
        #expect(timeline.shots.count + timeline.ignoredPresses == 9)
        #expect(timeline.shots.allSatisfy { $0.delivered != nil && ($0.finalDelivered != nil) == $0.isDeferred })
      }
    }
  }

  @Test("Finals wait until the device is idle, or until they are wanted")
  func finals() throws {
    var script = burst([.responsiveCapture, .deferredProcessing], presses: 1)
    let idle = try SessionReplay.timeline(of: script)
    #expect(idle.shots[0].delivered == .milliseconds(350))
    #expect(idle.shots[0].finalDelivered == .milliseconds(350 + 1000 + 3000))
    script.events.append(SessionEvent(.milliseconds(400), .finish))
    let wanted = try SessionReplay.timeline(of: script)
    #expect(wanted.shots[0].finalDelivered == .milliseconds(400 + 3000))
  }

  @Test func readinessHasAllItsStates() throws {
    var script = burst([.responsiveCapture], presses: 3, gap: 250)
    script.events.append(SessionEvent(.seconds(8), .stop))
    script.events.append(SessionEvent(.seconds(9), .shutter(.mp12, .speed)))
    script.events.append(SessionEvent(.seconds(10), .start))
    script.events.append(SessionEvent(.seconds(11), .shutter(.mp12, .balanced)))
    let timeline = try SessionReplay.timeline(of: script)
    let seen = Set(
      timeline.entries.compactMap { entry -> CaptureReadiness? in
        if case .readiness(let readiness) = entry.event { readiness } else { nil }
      })
    #expect(seen == Set(CaptureReadiness.allCases))
  }

  @Test("Fold, unfold, flip and turn in mid-session")
  func postures() throws {
    var script = SessionScript()
    script.costs = Self.costs
    script.events = [
      SessionEvent(.seconds(1), .unfold), SessionEvent(.seconds(2), .flip),
      SessionEvent(.seconds(3), .choose(.named(.rear))), SessionEvent(.seconds(4), .rotate(.landscapeLeft)),
      SessionEvent(.seconds(5), .shutter(.mp48, .balanced)), SessionEvent(.seconds(6), .flip),
      SessionEvent(.seconds(7), .fold), SessionEvent(.seconds(8), .choose(.named(.inner))),
    ]
    let timeline = try SessionReplay.timeline(of: script)
    let states = timeline.entries.compactMap { entry -> SessionState? in
      if case .state(let state) = entry.event { state } else { nil }
    }
    #expect(
      states.map(\.posture) == [.closed, .open, .openFlipped, .openFlipped, .openFlipped, .open, .closed, .closed])
    #expect(states.map(\.camera) == [.outer, .inner, .outer, .rear, .rear, .rear, .rear, .outer])
    #expect(states.map(\.isMirrored) == [true, true, true, true, true, false, false, true])
    // A forward-facing rear camera in landscape is turned as a front camera; flipped, the device leans to the right.
    #expect(states[4].captureAngle.degrees == 180)
    #expect(states[5].captureAngle.degrees == 180)
    let shot = try #require(timeline.shots.first)
    #expect(shot.state.isMirrored && shot.state.camera == .rear && shot.resolved.size == .mp48)
  }

  @Test func badScriptsAreRefused() throws {
    var back = SessionScript()
    back.events = [SessionEvent(.seconds(2), .unfold), SessionEvent(.seconds(1), .fold)]
    #expect(throws: CaptureError.eventOutOfOrder(index: 1)) { try SessionReplay.timeline(of: back) }
    var flip = SessionScript()
    flip.events = [SessionEvent(.seconds(1), .flip)]
    #expect(throws: CaptureError.nothingBehindClosedDevice(index: 0)) { try SessionReplay.timeline(of: flip) }
    var free = burst([])
    free.costs = [:]
    #expect(throws: CaptureError.missingCost(size: .mp24, prioritization: .quality)) {
      try SessionReplay.timeline(of: free)
    }
    var covered = SessionScript()
    covered.view = .inner
    #expect(throws: CaptureError.viewOnCoveredDisplay(.inner, .closed)) { try SessionReplay.timeline(of: covered) }
    var illegal = burst([])
    illegal.events = [SessionEvent(.zero, .shutter(.mp18, .quality))]
    #expect(throws: CaptureError.self) { try SessionReplay.timeline(of: illegal) }
  }
}
