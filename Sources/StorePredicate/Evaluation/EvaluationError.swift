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
}
