package import StoreDiagnostics
import StoreModel

extension RulesError: DiagnosableError {
  package var diagnostics: [DiagnosticMessage] { issues.map(\.diagnostic) }
}

extension RuleIssue {
  fileprivate var diagnostic: DiagnosticMessage {
    var diagnostic = plain
    switch origin {
    case .file(let text, let attribute, let rule):
      let range = isAboutAttribute ? attribute : rule
      diagnostic.place = SourceOrigin(file: text.file, linesOf: text.text)
        .place(of: range.lowerBound, in: text.text)
      diagnostic.excerpt = DiagnosticMessage.Excerpt(text: text.text, range: range)
    case .userInfo(let attribute):
      diagnostic.message += ", in the user info of '\(attribute)'"
    }
    return diagnostic
  }

  private var isAboutAttribute: Bool {
    switch kind {
    case .unknownAttribute, .otherVersion, .relationship, .derived, .transient, .repeated: true
    case .noColon, .text, .fit: false
    }
  }

  /// The diagnostic without the location.
  private var plain: DiagnosticMessage {
    switch kind {
    case .noColon:
      DiagnosticMessage(
        .error, "anonymize.no-colon",
        "a rule consists of an attribute, a colon and a replacement",
        help: ["write it as Person.name: fake-name"])
    case .text(let error): error.diagnostic
    case .unknownAttribute(let path, let known):
      DiagnosticMessage(
        .error, "anonymize.unknown-attribute", "the model has no attribute '\(path)'",
        cause: .notFound
      ).didYouMean(path, among: known)
    case .otherVersion(let path):
      DiagnosticMessage(
        .note, "anonymize.other-version",
        "'\(path)' exists only in another version of the model, so its rule isn't used here"
      )
    case .relationship(let path):
      DiagnosticMessage(
        .error, "anonymize.relationship",
        "'\(path)' is a relationship, and relationships stay as they are")
    case .derived(let path):
      DiagnosticMessage(
        .error, "anonymize.derived",
        "'\(path)' is derived, so it is computed from other attributes")
    case .transient(let path):
      DiagnosticMessage(
        .error, "anonymize.transient",
        "'\(path)' is transient, so the store doesn't contain its values")
    case .repeated(let path):
      DiagnosticMessage(.error, "anonymize.repeated", "'\(path)' has a rule already")
    case .fit(let error, let attribute): error.diagnostic(for: attribute)
    }
  }
}

extension RuleTextError {
  fileprivate var diagnostic: DiagnosticMessage {
    switch self {
    case .empty:
      DiagnosticMessage(
        .error, "anonymize.unknown-rule", "the rule is missing",
        help: ["'keep' leaves values as they are"])
    case .unknownRule(let name, let known):
      DiagnosticMessage(.error, "anonymize.unknown-rule", "unknown rule '\(name)'")
        .didYouMean(name, among: known)
        .helping("the rules are: \(known.joined(separator: ", "))")
    case .unknownStep(let name, let known):
      DiagnosticMessage(.error, "anonymize.rule", "a value can't be rounded to '\(name)'")
        .didYouMean(name, among: known, elseListing: "a date is rounded to")
        .helping("to round numbers to multiples of 10: round 10")
    case .unexpected(let rest, let name):
      DiagnosticMessage(.error, "anonymize.rule", "unexpected '\(rest)' after '\(name)'")
    case .notASpan(let text, let least):
      DiagnosticMessage(
        .error, "anonymize.rule",
        least.map { "'\(text)' is less than \($0), and dates are shifted by whole days" }
          ?? (text.isEmpty ? "a duration is missing" : "'\(text)' isn't a duration"),
        help: ["write it as 90d, 12h, 30m or 45s"])
    case .notANumber(let text):
      DiagnosticMessage(
        .error, "anonymize.rule",
        text.isEmpty ? "a number is missing" : "'\(text)' isn't a positive number",
        help: ["write it as 10, 0.5 or, with jitter, 10%"])
    }
  }
}

extension RuleFitError {
  fileprivate func diagnostic(for attribute: String) -> DiagnosticMessage {
    let (message, help) = description(for: attribute)
    return DiagnosticMessage(
      .error, "anonymize.unfit-rule", message, help: help.map { [.text($0)] } ?? [])
  }

  private func description(for attribute: String) -> (message: String, help: String?) {
    switch self {
    case .type(let rule, let type, let isRequired):
      let rules = AnonymizationRule.names(for: type)
        .filter { !isRequired || $0 != AnonymizationRule.null.text }
      return (
        "'\(rule.text)' isn't a valid rule for '\(attribute)', which is \(type.name.withArticle)",
        "valid rules: \(rules.joined(separator: ", "))"
      )
    case .required(let type):
      let removals =
        AnonymizationRule.blank.suits(type)
        ? "'blank' or a constant removes the values" : "a constant removes the values"
      return (
        "'\(attribute)' is required and can't become NULL",
        AnonymizationRule.constant("").suits(type) ? removals : nil
      )
    case .constant(let text, let type):
      return (
        "'\(text)' isn't \(type.name.withArticle), which '\(attribute)' requires",
        type.form.map { "write it as \($0)" }
      )
    case .unique(let rule):
      return (
        "the values of '\(attribute)' must be unique, but '\(rule.text)' can make them equal",
        "'hash', 'scramble' and fake values result in different values"
      )
    }
  }
}
