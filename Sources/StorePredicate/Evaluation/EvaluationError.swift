public import StoreDiagnostics

/// The reason why a predicate can't be evaluated for an object, with the location in its text.
public struct EvaluationError: Error, Hashable, Sendable {
  /// The kinds of evaluation errors.
  public indirect enum Kind: Hashable, Sendable {
    /// A property that doesn't exist. `entity` is nil for a value that isn't an object.
    case unknownKey(String, entity: String?)
    /// A variable without a value.
    case unboundVariable(String)
    /// A key path that begins at an object ID for which the evaluator's `object` returns nil.
    case unknownObject(ObjectID)
    /// Values of different kinds whose order is compared, for example by `<` or `max`.
    case incomparable(String, String)
    /// An operand that isn't a number.
    case expectedNumber(found: String)
    /// An operand that isn't text.
    case expectedText(found: String)
    /// An operand that isn't a collection.
    case expectedCollection(found: String)
    /// FIRST, LAST or an index of an unordered collection.
    case unordered
    /// An index of a member that doesn't exist.
    case indexOutOfRange(Int64, count: Int)
    /// BETWEEN with a list of more or fewer than two bounds.
    case boundsCount(Int)
    /// A pattern of MATCHES that isn't a regular expression.
    case invalidPattern(String)
    /// A pattern of MATCHES that takes too many steps or too much memory for a text.
    case excessivePattern(String)
    /// A call of a method that doesn't exist.
    case unknownMethod(String)
    /// An object without latitude and longitude.
    case expectedLocation(found: String)
    /// A tree that exceeds the maximum depth.
    case nestedTooDeeply(limit: Int)
  }

  /// The kind of the error.
  public var kind: Kind
  /// The location in the text of the predicate.
  public var range: TextRange

  init(_ kind: Kind, at range: TextRange) {
    self.kind = kind
    self.range = range
  }

  /// Returns a diagnostic that explains the error.
  ///
  /// - Parameter text: the parsed text with its origin.
  /// - Returns: an error with its location and, if possible, a fix.
  public func diagnostic(in text: PredicateText) -> DiagnosticMessage {
    let (code, message) = headline
    var diagnostic = DiagnosticMessage(.error, "evaluation.\(code)", message)
    if let help { diagnostic = diagnostic.helping(help) }
    return text.locate(diagnostic, at: range.range)
  }

  private var headline: (code: String, message: String) {
    switch kind {
    case .unknownKey(let key, let entity):
      ("unknown-key", "\(entity.map { "'\($0)'" } ?? "this value") has no property '\(key)'")
    case .unboundVariable(let name): ("unbound-variable", "the variable $\(name) has no value")
    case .unknownObject(let id): ("unknown-object", "the object \(id.uri) isn't available")
    case .incomparable(let left, let right):
      ("incomparable", "\(left) can't be compared with \(right)")
    case .expectedNumber(let found): ("expected-number", "expected a number, found \(found)")
    case .expectedText(let found): ("expected-text", "expected text, found \(found)")
    case .expectedCollection(let found):
      ("expected-collection", "expected a collection, found \(found)")
    case .unordered: ("unordered", "this collection isn't ordered")
    case .indexOutOfRange(let index, let count):
      ("index-out-of-range", "index \(index) is out of range for a collection of \(count)")
    case .boundsCount(let count): ("bounds-count", "BETWEEN requires two bounds, not \(count)")
    case .invalidPattern(let pattern):
      ("invalid-pattern", "'\(pattern)' isn't a regular expression")
    case .excessivePattern(let pattern):
      ("excessive-pattern", TextMatcher.ExcessiveWork(pattern: pattern).message)
    case .unknownMethod(let selector):
      ("unknown-method", "unknown method '\(selector)'")
    case .expectedLocation(let found):
      ("expected-location", "expected an object with latitude and longitude, found \(found)")
    case .nestedTooDeeply(let limit):
      ("nested-too-deeply", "more than \(limit) levels of nesting")
    }
  }

  private var help: String? {
    switch kind {
    case .unboundVariable: "add a value to the evaluator's variables"
    case .incomparable(let left, let right):
      [left, right].contains(DataValue.Kind.text.rawValue)
        ? "convert text to a number with CAST(value, \"NSNumber\")" : nil
    case .unordered: "only lists and ordered to-many relationships have a first and a last member"
    case .excessivePattern: TextMatcher.ExcessiveWork.help
    case .boundsCount: "write the bounds as a list: x BETWEEN {1, 5}"
    case .unknownKey, .unknownObject, .expectedNumber, .expectedText, .expectedCollection,
      .indexOutOfRange,
      .invalidPattern, .unknownMethod, .expectedLocation, .nestedTooDeeply:
      nil
    }
  }
}
