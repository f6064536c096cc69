/// The words of an interface for what libraries leave open: what its options and commands are called.
public protocol DiagnosticWording: Sendable {
  func sentence(for remedy: Remedy) -> String
  func sentence(for problem: ArgumentIssue) -> String
}

/// Words that fit every interface.
public struct NeutralWording: DiagnosticWording {
  public init() {}

  public func sentence(for remedy: Remedy) -> String { remedy.description }
  public func sentence(for problem: ArgumentIssue) -> String { problem.sentence }
}

extension Diagnostic {
  /// The message in the words of an interface.
  public func message(in wording: any DiagnosticWording) -> String {
    argumentIssue.map(wording.sentence) ?? message
  }
}
