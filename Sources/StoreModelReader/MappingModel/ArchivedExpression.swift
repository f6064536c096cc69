import ModelArchives
import StorePredicate

/// An expression of a mapping model, as Core Data archives it (docs/formats/mapping-models.md).
enum ArchivedExpression {
  /// One that the predicate language has; `$source` is the source row.
  case plain(FormatExpression)
  /// What has become of the source rows that an expression leads to.
  case destinations(of: FormatExpression)
  /// A method of the app's own class, which gets these arguments.
  case policy(selector: String, arguments: [FormatExpression])
  /// For the message: what it is.
  case unknown(String)

  /// - Parameter text: the archive in base64.
  init(base64 text: String) {
    do throws(KeyedArchiveError) {
      self = try Self.decode(try KeyedArchive(base64: text).root)
    } catch {
      self = .unknown(error.reason)
    }
  }

  /// Calls of `$entityPolicy` and `$manager` mean something where they are the whole expression.
  private static func decode(
    _ object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> ArchivedExpression {
    var expressions = ArchivedExpressions()
    guard
      case .method(let receiver, let selector, let arguments) = try expressions.expression(
        object
      ).kind, case .variable(let name) = receiver.kind
    else { return .plain(try expressions.expression(object)) }
    switch (name, selector) {
    case ("entityPolicy", _): return .policy(selector: selector, arguments: arguments)
    case ("manager", "destinationInstancesForEntityMappingNamed:sourceInstances:"),
      ("manager", "destinationInstancesForSourceRelationshipNamed:sourceInstances:"):
      return arguments.last.map { .destinations(of: $0) } ?? .unknown("'\(selector)' of nothing")
    case ("manager", _): return .unknown("'\(selector)' of $manager")
    default: return .plain(try expressions.expression(object))
    }
  }
}
