import SQLiteAccess
import StoreModel
package import StorePredicate

/// The model's validation rules for the values of an attribute.
struct ValueRules: Sendable {
  private let validation: AttributeDescription.Validation
  /// The pattern of the model. It is ignored if it isn't a valid regular expression.
  private let pattern: (text: String, matcher: TextMatcher)?
  private let isText: Bool

  /// Nil if the model doesn't have rules for the field.
  init?(_ field: InsertPlan.Field) {
    guard field.validation != AttributeDescription.Validation() else { return nil }
    validation = field.validation
    pattern = field.validation.pattern.flatMap { text in
      TextMatcher(rule: text).map { (text, $0) }
    }
    isText =
      switch field.content {
      case .attribute(.string, _), .attribute(.uri, _): true
      case .attribute, .toOne: false
      }
  }

  func check(_ cell: PackedRows.Cell, in rows: PackedRows) throws(ValueError) {
    switch cell.kind {
    case .null, .blob: return
    case .integer: try checkBounds(Double(cell.integer), exact: cell.integer)
    case .real: try checkBounds(cell.real, exact: nil)
    case .text where isText: try check(text: String(decoding: rows.bytes(of: cell), as: UTF8.self))
    case .text: return
    }
  }

  private func checkBounds(_ value: Double, exact: Int64?) throws(ValueError) {
    if let minimum = validation.minimum, Self.isLess(value, exact, than: minimum) {
      throw .belowMinimum(minimum)
    }
    if let maximum = validation.maximum, Self.isGreater(value, exact, than: maximum) {
      throw .aboveMaximum(maximum)
    }
  }

  /// Compares whole numbers exactly, because a Double represents only 53 of 64 bits.
  private static func isLess(_ value: Double, _ exact: Int64?, than bound: DataValue) -> Bool {
    switch bound {
    case .integer(let bound): exact.map { $0 < bound } ?? (value < Double(bound))
    case .double(let bound), .date(let bound): value < bound
    case .null, .boolean, .string, .uuid, .binary, .objectID: false
    }
  }

  private static func isGreater(_ value: Double, _ exact: Int64?, than bound: DataValue) -> Bool {
    switch bound {
    case .integer(let bound): exact.map { $0 > bound } ?? (value > Double(bound))
    case .double(let bound), .date(let bound): value > bound
    case .null, .boolean, .string, .uuid, .binary, .objectID: false
    }
  }

  /// Checks a text. Lengths count UTF-16 units, like `length` of NSString in Core Data.
  private func check(text: String) throws(ValueError) {
    if case .integer(let least)? = validation.minimum, text.utf16.count < least {
      throw .tooShort(Int(least))
    }
    if case .integer(let most)? = validation.maximum, text.utf16.count > most {
      throw .tooLong(Int(most))
    }
    guard let pattern else { return }
    let isMatch: Bool
    do throws(TextMatcher.ExcessiveWork) {
      isMatch = try pattern.matcher.matches(text)
    } catch {
      throw .excessivePattern(error)
    }
    if !isMatch { throw .noMatch(pattern: pattern.text) }
  }
}

extension TextMatcher {
  /// Compiles the pattern of a model's rule. Nil if it isn't a regular expression, because such a rule is skipped.
  package init?(rule pattern: String) {
    do {
      try self.init(.matches, pattern, options: [])
    } catch {
      return nil
    }
  }
}
