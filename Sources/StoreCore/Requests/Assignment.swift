package import StoreDiagnostics
package import StoreLayout
import StoreModel
package import StorePredicate

/// A name and its value in the user's notation, such as `NAME=Ray` or `IDS:={1, 2, 3}`.
package struct Assignment: Hashable, Sendable {
  /// The text after the name.
  package enum Value: Hashable, Sendable {
    /// `NAME=text`, whose type depends on the name.
    case literal(String)
    /// `NAME:=expression` in the predicate language.
    case expression(PredicateText)
  }

  package var name: String
  package var value: Value

  /// - Throws: `AssignmentError.malformed`
  package init(_ text: String) throws(AssignmentError) {
    guard let (left, right) = text.split(atFirst: "=") else { throw .malformed(text) }
    let isExpression = left.hasSuffix(":")
    name = String(left.dropLast(isExpression ? 1 : 0))
    guard !name.isEmpty else { throw .malformed(text) }
    value =
      isExpression
      ? .expression(PredicateText(right, context: "in '\(name)'")) : .literal(right)
  }

  /// Reads a list without duplicate names.
  ///
  /// - Throws: `AssignmentError`
  package static func list(_ texts: [String]) throws(AssignmentError) -> [Assignment] {
    var assignments: [Assignment] = []
    for text in texts {
      let assignment = try Assignment(text)
      guard !assignments.contains(where: { $0.name == assignment.name }) else {
        throw .repeated(assignment.name)
      }
      assignments.append(assignment)
    }
    return assignments
  }
}

extension Assignment {
  /// Returns a note if a string attribute is set to the text `null` or `nil`, in upper or lower case.
  ///
  /// - Parameters:
  ///   - entity: the name of the entity with the attribute.
  ///   - layout: the layout of the store.
  package func note(of entity: String, in layout: StoreLayout) -> DiagnosticMessage? {
    guard case .literal(let text) = value, ["null", "nil"].contains(text.lowercased()),
      layout.entity(named: entity)?.attributes[name]?.type == .string
    else { return nil }
    let property = layout.model.entity(named: entity)
      .flatMap { layout.model.property(named: name, of: $0)?.0 }
    let isRequired =
      if case .attribute(let attribute)? = property { !attribute.isOptional } else { false }
    return DiagnosticMessage(
      .note, "value.null-text", "'\(name)' is set to the text '\(text)'",
      help: isRequired ? [] : ["to set NULL instead: \(name):=nil"])
  }
}

/// The error for an argument that isn't an assignment, or that repeats a name.
package enum AssignmentError: DiagnosableError, Hashable {
  case malformed(String)
  case repeated(String)

  package var diagnostics: [DiagnosticMessage] { [diagnostic] }

  private var diagnostic: DiagnosticMessage {
    switch self {
    case .malformed(let text):
      DiagnosticMessage(
        .error, "value.malformed", "'\(text)' doesn't have the form NAME=value", cause: .usage,
        help: ["for a literal: NAME=text; for an expression: NAME:=expression"])
    case .repeated(let name):
      DiagnosticMessage(.error, "value.repeated", "'\(name)' is set twice", cause: .usage)
    }
  }
}

extension FormatExpression {
  /// Creates the key path of a property, such as `title`, or `address.city` for an element of a composite.
  package init(property name: String) {
    let keys = name.split(separator: ".").map { KeyPathStep(.key(String($0))) }
    self.init(.keyPath(base: FormatExpression(.selfObject), keys))
  }
}
