package import StoreDiagnostics
import StoreModel

extension RulesError: DiagnosableError {
  package var diagnostics: [Diagnostic] { issues.map(\.diagnostic) }
}

extension RuleIssue {
  private var code: String {
    switch kind {
    case .noColon: "no-colon"
    case .text(.unknownRule), .text(.empty): "unknown-rule"
    case .text: "rule"
    case .unknownAttribute: "unknown-attribute"
    case .otherVersion: "other-version"
    case .relationship: "relationship"
    case .derived: "derived"
    case .transient: "transient"
    case .repeated: "repeated"
    case .fit: "unfit-rule"
    }
  }

  fileprivate var diagnostic: Diagnostic {
    var diagnostic = Diagnostic(severity, "anonymize.\(code)", message, cause: cause)
    switch origin {
    case .file(let text, let attribute, let rule):
      let range = isAboutAttribute ? attribute : rule
      diagnostic.place = SourceOrigin(file: text.file, linesOf: text.text)
        .place(of: range.lowerBound, in: text.text)
      diagnostic.excerpt = Diagnostic.Excerpt(text: text.text, range: range)
    case .userInfo(let attribute):
      diagnostic.message += ", in the user info of '\(attribute)'"
    }
    return help(diagnostic)
  }

  private var isAboutAttribute: Bool {
    switch kind {
    case .unknownAttribute, .otherVersion, .relationship, .derived, .transient, .repeated: true
    case .noColon, .text, .fit: false
    }
  }

  private var severity: Diagnostic.Severity {
    if case .otherVersion = kind { .note } else { .error }
  }

  private var cause: Diagnostic.Cause {
    if case .unknownAttribute = kind { .notFound } else { .invalid }
  }

  private var message: String {
    switch kind {
    case .noColon: "a rule consists of an attribute, a colon and a replacement"
    case .text(let error): error.sentence
    case .unknownAttribute(let path, _): "the model has no attribute '\(path)'"
    case .otherVersion(let path):
      "'\(path)' exists only in another version of the model, so its rule isn't used here"
    case .relationship(let path): "'\(path)' is a relationship, and relationships stay as they are"
    case .derived(let path):
      "'\(path)' is derived, so it is computed from other attributes"
    case .transient(let path): "'\(path)' is transient, so the store doesn't contain its values"
    case .repeated(let path): "'\(path)' has a rule already"
    case .fit(let error, let attribute): error.sentence(for: attribute)
    }
  }

  private func help(_ diagnostic: Diagnostic) -> Diagnostic {
    switch kind {
    case .noColon: diagnostic.helping("write it as Person.name: fake-name")
    case .text(.empty): diagnostic.helping("'keep' leaves values as they are")
    case .text(.unknownRule(let name, let known)):
      diagnostic.didYouMean(name, among: known).helping(
        "the rules are: \(known.joined(separator: ", "))")
    case .text(.unknownStep(let name, let known)):
      diagnostic.didYouMean(name, among: known, elseListing: "a date is rounded to").helping(
        "to round numbers to multiples of 10: round 10")
    case .text(.notASpan): diagnostic.helping("write it as 90d, 12h, 30m or 45s")
    case .text(.notANumber): diagnostic.helping("write it as 10, 0.5 or, with jitter, 10%")
    case .unknownAttribute(let path, let known): diagnostic.didYouMean(path, among: known)
    case .fit(.type(_, let type, let isRequired), _):
      diagnostic.helping(
        "valid rules: \(Self.rules(for: type, isRequired).joined(separator: ", "))")
    case .fit(.required(let type), _):
      if AnonymizationRule.blank.suits(type) {
        diagnostic.helping("'blank' or a constant removes the values")
      } else if AnonymizationRule.constant("").suits(type) {
        diagnostic.helping("a constant removes the values")
      } else {
        diagnostic
      }
    case .fit(.constant(_, let type), _):
      type.form.map { diagnostic.helping("write it as \($0)") } ?? diagnostic
    case .fit(.unique, _):
      diagnostic.helping("'hash', 'scramble' and fake values result in different values")
    case .text, .otherVersion, .relationship, .derived, .transient, .repeated: diagnostic
    }
  }

  private static func rules(for type: AttributeType, _ isRequired: Bool) -> [String] {
    AnonymizationRule.names(for: type).filter { !isRequired || $0 != AnonymizationRule.null.text }
  }
}

extension RuleTextError {
  fileprivate var sentence: String {
    switch self {
    case .empty: "the rule is missing"
    case .unknownRule(let name, _): "unknown rule '\(name)'"
    case .unknownStep(let name, _): "a value can't be rounded to '\(name)'"
    case .unexpected(let rest, let name): "unexpected '\(rest)' after '\(name)'"
    case .notASpan(let text, let least):
      least.map { "'\(text)' is less than \($0), and dates are shifted by whole days" }
        ?? (text.isEmpty ? "a duration is missing" : "'\(text)' isn't a duration")
    case .notANumber(let text):
      text.isEmpty ? "a number is missing" : "'\(text)' isn't a positive number"
    }
  }
}

extension RuleFitError {
  fileprivate func sentence(for attribute: String) -> String {
    switch self {
    case .type(let rule, let type, _):
      "'\(rule.text)' isn't a valid rule for '\(attribute)', which is \(type.name.withArticle)"
    case .required: "'\(attribute)' is required and can't become NULL"
    case .constant(let text, let type):
      "'\(text)' isn't \(type.name.withArticle), which '\(attribute)' requires"
    case .unique(let rule):
      "the values of '\(attribute)' must be unique, but '\(rule.text)' can make them equal"
    }
  }
}
