public import StoreDiagnostics

/// Why a predicate has no answer for an object, and where in its text.
public struct EvaluationError: Error, Hashable, Sendable {
  public indirect enum Kind: Hashable, Sendable {
    /// `entity` is nil for a value that is not an object.
    case unknownKey(String, entity: String?)
    case unboundVariable(String)
    /// A key asked of an ID whose object the evaluator does not know.
    case unknownObject(ObjectID)
    /// `<` between two that have no common order.
    case incomparable(String, String)
    case expectedNumber(found: String)
    case expectedText(found: String)
    case expectedCollection(found: String)
    /// FIRST, LAST or a number asked of a collection that has no order.
    case unordered
    case indexOutOfRange(Int64, count: Int)
    /// BETWEEN takes two.
    case boundsCount(Int)
    case invalidPattern(String)
    /// MATCHES would try too many ways to match a text.
    case excessivePattern(String)
    case unknownMethod(String)
    case expectedLocation(found: String)
    case nestedTooDeeply(limit: Int)
  }

  public var kind: Kind
  public var range: TextRange

  init(_ kind: Kind, at range: TextRange) {
    self.kind = kind
    self.range = range
  }

  /// Explains the error to the user; `text` is what was parsed, and where it came from.
  public func diagnostic(in text: PredicateText) -> Diagnostic {
    let (code, message) = headline
    var diagnostic = Diagnostic(.error, "evaluation.\(code)", message)
    if let help { diagnostic = diagnostic.helping(help) }
    return text.locate(diagnostic, at: range.range)
  }

  private var headline: (code: String, message: String) {
    switch kind {
    case .unknownKey(let key, let entity):
      ("unknown-key", "\(entity.map { "'\($0)'" } ?? "this value") has no property '\(key)'")
    case .unboundVariable(let name): ("unbound-variable", "the variable $\(name) has no value")
    case .unknownObject(let id): ("unknown-object", "there is no object \(id.uri) at hand")
    case .incomparable(let left, let right):
      ("incomparable", "\(left) and \(right) have no order between them")
    case .expectedNumber(let found): ("expected-number", "expected a number, found \(found)")
    case .expectedText(let found): ("expected-text", "expected text, found \(found)")
    case .expectedCollection(let found):
      ("expected-collection", "expected a collection, found \(found)")
    case .unordered: ("unordered", "the members of this collection have no order")
    case .indexOutOfRange(let index, let count):
      ("index-out-of-range", "there is no member \(index) among \(count)")
    case .boundsCount(let count): ("bounds-count", "BETWEEN takes two bounds, not \(count)")
    case .invalidPattern(let pattern):
      ("invalid-pattern", "'\(pattern)' is not a regular expression")
    case .excessivePattern(let pattern):
      ("excessive-pattern", TextMatcher.ExcessiveWork(pattern: pattern).message)
    case .unknownMethod(let selector):
      ("unknown-method", "there is no method '\(selector)' to call")
    case .expectedLocation(let found):
      ("expected-location", "expected an object with latitude and longitude, found \(found)")
    case .nestedTooDeeply(let limit):
      ("nested-too-deeply", "more than \(limit) levels of nesting")
    }
  }

  private var help: String? {
    switch kind {
    case .unboundVariable: "give it a value with the evaluator's variables"
    case .incomparable(let left, let right):
      [left, right].contains(Value.Kind.text.rawValue)
        ? "CAST(value, \"NSNumber\") makes a number of text" : nil
    case .unordered: "only ordered to-manys and lists have a first and a last member"
    case .excessivePattern: TextMatcher.ExcessiveWork.help
    case .boundsCount: "write them as a list: x BETWEEN {1, 5}"
    case .unknownKey, .unknownObject, .expectedNumber, .expectedText, .expectedCollection,
      .indexOutOfRange,
      .invalidPattern, .unknownMethod, .expectedLocation, .nestedTooDeeply:
      nil
    }
  }
}
