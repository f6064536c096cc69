import StoreModel
import StorePredicate

/// A reason why the new value of an attribute can be NULL in a row whose old value isn't NULL.
package enum NullCause: Int, Hashable, Sendable, CaseIterable {
  case division
  case operand
  /// A function without a result, such as `sqrt(-1)`, or a failed CAST.
  case function
  /// A `nil` in the expression, which the user intended.
  case written
}

extension TypedExpression {
  /// Returns the reasons why the expression can be NULL although the old value of the attribute isn't.
  ///
  /// - Parameter property: the name of the attribute to which the expression is assigned.
  func nullCauses(assignedTo property: String) -> Set<NullCause> {
    switch kind {
    case .constant(let value): return value == .null ? [.written] : []
    case .selfObject, .list, .set, .subquery: return []
    case .variable, .untypedKeyPath: return [.operand]
    case .element(let collection, .size): return collection.nullCauses(assignedTo: property)
    case .element: return [.operand]
    case .keyPath(let base, _, let path):
      if base.kind == .selfObject, path.steps.isEmpty, case .attribute(_, property) = path.ending {
        return []
      }
      return path.canBeNull ? [.operand] : []
    case .arithmetic(.divide, let dividend, let divisor):
      return dividend.nullCauses(assignedTo: property)
        .union(divisor.nullCausesOfDivisor(assignedTo: property))
    case .arithmetic(.power, _, _): return partCauses(property).union([.function])
    case .cast: return partCauses(property).union([.function])
    case .ternary(_, let first, let second):
      return first.nullCauses(assignedTo: property)
        .union(second.nullCauses(assignedTo: property))
    case .function(let function, let arguments):
      return nullCauses(of: function, arguments, assignedTo: property)
    case .arithmetic, .negated, .method: return partCauses(property)
    }
  }

  private func nullCauses(
    of function: FormatFunction, _ arguments: [TypedExpression], assignedTo property: String
  ) -> Set<NullCause> {
    let isOverCollection = arguments.contains { $0.type.isCollection && !$0.isWrittenList }
    switch function {
    case .count: return []
    case .sum where isOverCollection: return []
    case _ where function.isAggregate && isOverCollection: return [.operand]
    default: break
    }
    switch function.definition.gap {
    case .never: return partCauses(property)
    case .zeroDivisor:
      return partCauses(property)
        .union(arguments.last?.nullCausesOfDivisor(assignedTo: property) ?? [])
    case .outsideDomain: return partCauses(property).union([.function])
    }
  }

  private func nullCausesOfDivisor(assignedTo property: String) -> Set<NullCause> {
    switch kind {
    case .constant(.integer(let number)) where number != 0: []
    case .constant(.double(let number)) where number != 0: []
    default: nullCauses(assignedTo: property).union([.division])
    }
  }

  private func partCauses(_ property: String) -> Set<NullCause> {
    parts.reduce(into: []) { causes, part in
      causes.formUnion(
        part.isWrittenList ? part.partCauses(property) : part.nullCauses(assignedTo: property))
    }
  }

  private var isWrittenList: Bool {
    if case .list = kind { true } else { false }
  }
}

extension ResolvedKeyPath {
  fileprivate var canBeNull: Bool {
    switch ending {
    case .aggregate(.count, _), .aggregate(.sum, _): false
    case .aggregate: true
    case .attribute(let attribute, _): attribute.isOptional || !steps.isEmpty
    case .object, .entity: !steps.isEmpty
    }
  }
}
