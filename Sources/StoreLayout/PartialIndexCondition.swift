import StoreSQL
import StorePredicate

/// The `WHERE` of a partial index, in the form that known stores show: `ZMESSAGEID > 0`.
struct PartialIndexCondition {
  /// The column of a property.
  var attributes: (String) -> String?

  /// Nil for a predicate that is more than comparisons of attributes with numbers and texts.
  func sql(of text: String) -> SQL? {
    do {
      return sql(of: try Predicate(parsing: text))
    } catch {
      // `model check` reports predicates that can't be read; the index is left out.
      return nil
    }
  }

  private func sql(of predicate: Predicate) -> SQL? {
    switch predicate {
    case .comparison(let comparison): return sql(of: comparison)
    case .and(let members):
      let conditions = members.compactMap(sql(of:))
      return conditions.count == members.count ? conditions.joined(" AND ") : nil
    case .constant, .or, .not: return nil
    }
  }

  private func sql(of comparison: Comparison) -> SQL? {
    guard comparison.modifier == .direct, comparison.options.isEmpty,
      let symbol = Self.symbols[comparison.operator],
      case .keyPath(let base, let steps) = comparison.left.kind, base.kind == .selfObject,
      steps.count == 1, case .key(let name) = steps[0].kind, let column = attributes(name),
      case .constant(let constant) = comparison.right.kind, let value = literal(constant)
    else { return nil }
    return "\(name: column) \(symbol) \(value: value)"
  }

  private static let symbols: [Comparison.Operator: SQL] = [
    .equal: "=", .less: "<", .lessOrEqual: "<=", .greater: ">", .greaterOrEqual: ">=",
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
