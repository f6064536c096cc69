/// An error that can explain itself to the user. Its facts are data; the prose is made here.
public protocol DiagnosableError: Error {
  /// At least one; all the mistakes of one input, in the order in which they stand there.
  var diagnostics: [Diagnostic] { get }
}

/// Diagnostics on their way up as an error: all the mistakes that were found in one input.
public struct DiagnosticError: DiagnosableError, Hashable {
  public var diagnostics: [Diagnostic]

  public init(_ diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics
  }

  public init(_ diagnostic: Diagnostic) {
    self.init([diagnostic])
  }
}
