import SQLiteAccess
import StorePredicate

/// The `WHERE` of a partial index, in the form that known stores show: `ZMESSAGEID > 0`,
/// `(ZDURATION <> 0 AND ZSESSION IS NOT NULL)`.
struct PartialIndexCondition {
  /// The column of a property; nil for one without.
  var attributes: (String) -> String?

  /// Nil for a predicate that is more than comparisons of properties with numbers, texts and nil.
  func sql(of text: String) -> SQL? {
    do {
      return sql(of: try FormatPredicate(parsing: text))
    } catch {
      // `model check` reports predicates that can't be read; the index is left out.
      return nil
    }
  }

  private func sql(of predicate: FormatPredicate) -> SQL? {
    switch predicate {
    case .comparison(let comparison): return sql(of: comparison)
    case .and(let members): return sql(of: members, joinedBy: " AND ")
    case .or(let members): return sql(of: members, joinedBy: " OR ")
    case .constant, .not: return nil
    }
  }

  private func sql(of members: [FormatPredicate], joinedBy word: SQL) -> SQL? {
    let conditions = members.compactMap(sql(of:))
    return conditions.count == members.count ? "(\(conditions.joined(word)))" : nil
  }

  private func sql(of comparison: Comparison) -> SQL? {
    guard comparison.modifier == .direct, comparison.options.isEmpty,
      case .keyPath(let base, let steps) = comparison.left.kind, base.kind == .selfObject,
      steps.count == 1, case .key(let name) = steps[0].kind, let column = attributes(name),
      case .constant(let constant) = comparison.right.kind
    else { return nil }
    if case .null = constant { return sql(ofNil: column, comparison.operator) }
    guard let symbol = Self.symbols[comparison.operator], let value = literal(constant) else {
      return nil
    }
    return "\(name: column) \(symbol) \(value: value)"
  }

  private func sql(ofNil column: String, _ symbol: Comparison.Operator) -> SQL? {
    switch symbol {
    case .equal: "\(name: column) IS NULL"
    case .notEqual: "\(name: column) IS NOT NULL"
    default: nil
    }
  }

  private static let symbols: [Comparison.Operator: SQL] = [
    .equal: "=", .notEqual: "<>", .less: "<", .lessOrEqual: "<=", .greater: ">",
    .greaterOrEqual: ">=",
  ]

  private func literal(_ value: Value) -> SQLiteValue? {
    switch value {
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .integer(let number): .integer(number)
    case .double(let number), .date(let number): number.isFinite ? .real(number) : nil
    case .string(let text): .text(text)
    case .null, .uuid, .binary, .objectID: nil
    }
  }
}
