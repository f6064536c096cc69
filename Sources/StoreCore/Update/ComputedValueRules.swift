import StoreLayout
import PredicateSQL
import SQLiteAccess
import StoreModel
import StorePredicate

/// The rules of an attribute for a value that SQLite computes: `ValueRules` in SQL.
struct ComputedValueRules {
  let field: InsertPlan.Field
  let type: AttributeType
  let nullCauses: Set<NullCause>

  /// - Parameter validates: false skips the model's validation rules.
  func rules(for value: SQL, validates: Bool) -> [UpdatePlan.Rule] {
    let violations = typeViolations(value) + (validates ? modelViolations(value) : [])
    return violations.map {
      UpdatePlan.Rule(
        property: field.name, value: value, violation: $0.0, problem: $0.1, nullCauses: nullCauses)
    }
  }

  private typealias Violation = (SQL, ValueError)

  /// Returns the conditions for values that the column could store but that aren't valid for the type.
  private func typeViolations(_ value: SQL) -> [Violation] {
    switch type {
    case .integer16, .integer32, .integer64:
      [
        ("\(value) <> CAST(\(value) AS INTEGER)", .wrongType(type)),
        (
          "\(value) NOT BETWEEN \(.number(bounds.lowerBound)) AND \(.number(bounds.upperBound))",
          .outOfRange(type)
        ),
      ]
    case .boolean: [("\(value) NOT IN (0, 1)", .wrongType(type))]
    case .double, .float, .decimal, .date:
      [("abs(\(value)) > \(value: .real(.greatestFiniteMagnitude))", .outOfRange(type))]
    case .string, .binary, .uuid, .uri, .transformable, .objectID, .undefined, .composite: []
    }
  }

  private var bounds: ClosedRange<Int64> { type.integerBounds }

  private func modelViolations(_ value: SQL) -> [Violation] {
    var violations: [Violation] = []
    if field.isRequired { violations.append(("\(value) IS NULL", .missing)) }
    let rules = field.validation
    if type == .string || type == .uri {
      if case .integer(let least)? = rules.minimum {
        violations.append(("TEXT_UNITS(\(value)) < \(.number(least))", .tooShort(Int(least))))
      }
      if case .integer(let most)? = rules.maximum {
        violations.append(("TEXT_UNITS(\(value)) > \(.number(most))", .tooLong(Int(most))))
      }
      if let pattern = rules.pattern, TextMatcher(rule: pattern) != nil {
        violations.append(
          ("NOT TEXT_MATCHES(\(value), \(value: .text(pattern)), '')", .noMatch(pattern: pattern)))
      }
    } else {
      if let minimum = rules.minimum {
        violations.append(("\(value) < \(value: SQLiteValue(minimum))", .belowMinimum(minimum)))
      }
      if let maximum = rules.maximum {
        violations.append(("\(value) > \(value: SQLiteValue(maximum))", .aboveMaximum(maximum)))
      }
    }
    return violations
  }
}
