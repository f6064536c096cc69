import RecordFormats
import ArgumentParser
import StoreDiagnostics
import StorePredicate

/// A predicate: as an argument, or from standard input.
struct PredicateArgument: ParsableArguments {
  @Argument(
    help: "The predicate. Default: standard input, which - names too.", completion: .predicate())
  var text: String?

  /// In bytes; its tree takes some thirty times as many. An argument can't be as long: the system limits it.
  private static let limit = 4_000_000

  /// - Throws: `InputFileFailure`; `DiagnosticFailure` for input that is too long or no text.
  func read() throws -> PredicateText {
    if let text, text != "-" { return PredicateText(text) }
    let source = InputFile.standard
    guard let bytes = try source.readAll(atMost: Self.limit) else {
      throw DiagnosticFailure(
        Diagnostic(
          .error, "predicate.too-long",
          "the predicate from '\(source.name)' has more than \(Self.limit / 1_000_000) MB"))
    }
    guard let input = String(validating: bytes, as: UTF8.self) else {
      throw DiagnosticFailure(
        Diagnostic(.error, "input.encoding", "'\(source.name)' is not UTF-8")
          .helping("convert it to UTF-8"))
    }
    return PredicateText(input, origin: SourceOrigin(file: source.name, linesOf: input))
  }
}

extension ByteSource {
  /// All that is left; nil where that is more.
  fileprivate func readAll(atMost limit: Int) throws -> [UInt8]? {
    var source = self
    var bytes: [UInt8] = []
    while true {
      let piece = try [UInt8](unsafeUninitializedCapacity: 1 << 16) { space, count in
        count = try source.read(into: UnsafeMutableRawBufferPointer(space))
      }
      guard !piece.isEmpty else { return bytes }
      bytes += piece
      guard bytes.count <= limit else { return nil }
    }
  }
}
