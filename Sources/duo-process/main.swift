import Glibc
import Pipeline

StandardStreams.fillClosed()
TemporaryFiles.endOnSignals()
exit(DuoProcess.run(CommandLine.unsafeWords()))

extension CommandLine {
  /// The words after the program's name, as the bytes the system passed.
  static func unsafeWords() -> [ArgumentWord] {
    (1..<max(1, Int(argc))).compactMap { index in
      unsafeArgv[index].map { word in
        ArgumentWord(Array(UnsafeBufferPointer(start: word, count: strlen(word))).map { UInt8(bitPattern: $0) })
      }
    }
  }
}
