import RecordFormats
import ArgumentParser
import StoreDiagnostics
import StorePredicate

/// A predicate: as an argument, or from standard input.
struct PredicateArgument: ParsableArguments {
  @Argument(help: "The predicate. Default: standard input, which - names too.")
  var text: String?

  /// - Throws: `InputFileFailure`; `DiagnosticFailure` for input that is no text.
  func read() throws -> PredicateText {
    if let text, text != "-" { return PredicateText(text) }
    let source = InputFile.standard
    guard let input = String(validating: try source.readAll(), as: UTF8.self) else {
      throw DiagnosticFailure(
        Diagnostic(.error, "input.encoding", "'\(source.name)' is not UTF-8")
          .helping("convert it to UTF-8"))
    }
    return PredicateText(input, origin: SourceOrigin(file: source.name, linesOf: input))
  }
}

extension ByteSource {
  /// All that is left.
  fileprivate func readAll() throws -> [UInt8] {
    var source = self
    var bytes: [UInt8] = []
    while true {
      let piece = try [UInt8](unsafeUninitializedCapacity: 1 << 16) { space, count in
        count = try source.read(into: UnsafeMutableRawBufferPointer(space))
      }
      guard !piece.isEmpty else { return bytes }
      bytes += piece
    }
  }
}
