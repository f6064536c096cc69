public import StoreDiagnostics

/// Why a template can't be run with the values that were given for its variables.
public enum TemplateArgumentError: Error, Hashable {
  case unknownVariable(String, template: String, known: [String])
  case missing([TypedVariable], template: String)
  case wrongValue(String, variable: String, expected: ValueType)
  case needsList(String, variable: String, expected: ValueType)
}

extension TemplateArgumentError: DiagnosableError {
  public var diagnostics: [Diagnostic] { [diagnostic] }

  private var diagnostic: Diagnostic {
    switch self {
    case .unknownVariable(let name, let template, let known):
      Diagnostic(
        .error, "template.unknown-variable", "'\(template)' has no variable '\(name)'",
        cause: .notFound
      ).didYouMean(name, among: known).helping(Self.listing(known))
    case .missing(let variables, let template):
      Diagnostic(
        .error, "template.missing-variable",
        "'\(template)' needs a value for \(Self.quoted(variables.map(\.name)))", cause: .usage
      ).helping("add \(variables.map(Self.example).joined(separator: " "))")
    case .wrongValue(let text, let variable, let expected):
      Self.hinting(
        Diagnostic(
          .error, "template.wrong-value",
          "'\(text)' is not \("\(expected)".withArticle) for '\(variable)'"),
        expected)
    case .needsList(let text, let variable, let expected):
      Diagnostic(
        .error, "template.wrong-value",
        "'\(text)' is not \("\(expected)".withArticle) for '\(variable)'"
      ).helping("write \(variable):={…, …}")
    }
  }

  private static func listing(_ variables: [String]) -> String {
    variables.isEmpty ? "it has none" : "it has \(quoted(variables))"
  }

  private static func quoted(_ names: [String]) -> String {
    names.map { "'\($0)'" }.joined(separator: ", ")
  }

  /// `NAME=<String>`, `IDS:={…}`
  private static func example(_ variable: TypedVariable) -> String {
    variable.type.isCollection ? "\(variable.name):={…}" : "\(variable.name)=<\(variable.type)>"
  }

  private static func hinting(_ diagnostic: Diagnostic, _ expected: ValueType) -> Diagnostic {
    expected.form.map { diagnostic.helping("write it as \($0)") } ?? diagnostic
  }
}
