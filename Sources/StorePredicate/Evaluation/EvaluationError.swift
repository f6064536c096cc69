public import StoreDiagnostics

/// The reason and the location if a predicate can't be evaluated for an object.
public struct EvaluationError: Error, Hashable, Sendable {
  /// The reason of an evaluation error.
  public indirect enum Kind: Hashable, Sendable {
    /// The property doesn't exist. `entity` is nil for a value that isn't an object.
    case unknownKey(String, entity: String?)
    /// A variable without a value.
    /// A variable without a value.
    case unboundVariable(String)
    /// A key of an ID whose object the evaluator doesn't know.
    case unknownObject(ObjectID)
    /// `<` between two values without a common order.
    case incomparable(String, String)
    /// A value that isn't a number.
    case expectedNumber(found: String)
    /// A value that isn't text.
    case expectedText(found: String)
    /// A value that isn't a collection.
    case expectedCollection(found: String)
    /// FIRST, LAST or an index of an unordered collection.
    case unordered
    /// An index outside of the collection.
    case indexOutOfRange(Int64, count: Int)
    /// BETWEEN with a number of bounds other than two.
    case boundsCount(Int)
    /// A regular expression that can't be parsed.
    case invalidPattern(String)
    /// MATCHES would require too many steps.
    case excessivePattern(String)
    /// FUNCTION with an unknown method.
    case unknownMethod(String)
    /// A value that isn't an object with a latitude and a longitude.
    case expectedLocation(found: String)
    /// The expression has more levels of nesting than `limit`.
    case nestedTooDeeply(limit: Int)
  }

  /// The reason of the error.
  public var kind: Kind
  /// The location in the text of the predicate.
  public var range: TextRange

  init(_ kind: Kind, at range: TextRange) {
    self.kind = kind
    self.range = range
  }

  /// Returns the diagnostic of the error. `text` is the parsed text with its origin.
  public func diagnostic(in text: PredicateText) -> Diagnostic {
    let (code, message) = headline
    var diagnostic = Diagnostic(.error, "evaluation.\(code)", message)
    if let help { diagnostic = diagnostic.helping(help) }
    return text.locate(diagnostic, at: range.range)
  }

  private var headline: (code: String, message: String) {
    switch kind {
    case .unknownKey(let key, let entity):
      (
        "unknown-key",
        "\(entity.map { "'\($0)'" } ?? "this value") doesn't have the property '\(key)'"
      )
    case .unboundVariable(let name): ("unbound-variable", "the variable $\(name) has no value")
    case .unknownObject(let id): ("unknown-object", "the object \(id.uri) isn't available")
    case .incomparable(let left, let right):
      ("incomparable", "\(left) and \(right) can't be ordered")
    case .expectedNumber(let found): ("expected-number", "expected a number, found \(found)")
    case .expectedText(let found): ("expected-text", "expected text, found \(found)")
    case .expectedCollection(let found):
      ("expected-collection", "expected a collection, found \(found)")
    case .unordered: ("unordered", "the members of this collection are not ordered")
    case .indexOutOfRange(let index, let count):
      ("index-out-of-range", "member \(index) doesn't exist in a collection of \(count)")
    case .boundsCount(let count): ("bounds-count", "BETWEEN requires two bounds, not \(count)")
    case .invalidPattern(let pattern):
      ("invalid-pattern", "'\(pattern)' is not a regular expression")
    case .excessivePattern(let pattern):
      ("excessive-pattern", TextMatcher.ExcessiveWork(pattern: pattern).message)
    case .unknownMethod(let selector):
      ("unknown-method", "unknown method '\(selector)'")
    case .expectedLocation(let found):
      ("expected-location", "expected an object with latitude and longitude, found \(found)")
    case .nestedTooDeeply(let limit):
      ("nested-too-deeply", "the expression has more than \(limit) levels of nesting")
    }
  }

  private var help: String? {
    switch kind {
    case .unboundVariable: "set it in the variables of the evaluator"
    case .incomparable(let left, let right):
      [left, right].contains(Value.Kind.text.rawValue)
        ? "CAST(value, \"NSNumber\") converts text to a number" : nil
    case .unordered: "only ordered to-many relationships and lists have a first and a last member"
    case .excessivePattern: TextMatcher.ExcessiveWork.help
    case .boundsCount: "write them as a list: x BETWEEN {1, 5}"
    case .unknownKey, .unknownObject, .expectedNumber, .expectedText, .expectedCollection,
      .indexOutOfRange,
      .invalidPattern, .unknownMethod, .expectedLocation, .nestedTooDeeply:
      nil
    }
  }
}
