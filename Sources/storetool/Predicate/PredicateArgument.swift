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

  /// - Throws: `InputFileError`; `DiagnosticError` for input that is too long or no text.
  func read() throws -> PredicateText {
    if let text, text != "-" { return PredicateText(text) }
    let source = InputFile.standard
    guard let bytes = try source.readAll(atMost: Self.limit) else {
      throw DiagnosticError(
        Diagnostic(
          .error, "predicate.too-long",
          "the predicate from '\(source.name)' has more than \(Self.limit / 1_000_000) MB"))
    }
    guard let input = String(validating: bytes, as: UTF8.self) else {
      throw DiagnosticError(
        Diagnostic(.error, "input.encoding", "'\(source.name)' is not UTF-8")
          .helping("convert it to UTF-8"))
    }
    return PredicateText(input, origin: SourceOrigin(file: source.name, linesOf: input))
  }
}
