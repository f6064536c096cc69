import SQLiteAccess
import StorePredicate

/// The condition of an attribute that counts the destinations of a relationship, as in the attribute's user info:
/// `(faces.hidden == NO) && (faces.width != 0)` (docs/formats/store-layout.md, "Counting attributes").
struct TriggerKey: Hashable {
  /// The key of the user info.
  static let name = "NSTriggerKey"

  struct Comparison: Hashable {
    /// An attribute of the counted rows.
    var attribute: String
    /// `==` or `!=`.
    var symbol: SQL
    var number: Int64
  }

  let relationship: String
  let comparisons: [Comparison]

  /// Returns nil for a condition of an unknown form. Known conditions compare attributes of a single relationship's
  /// destinations with integers or Booleans.
  init?(_ text: String) {
    let predicate: FormatPredicate
    do {
      predicate = try FormatPredicate(parsing: text)
    } catch {
      // `create` reports that the attribute has no triggers.
      return nil
    }
    let found = Self.members(of: predicate).map(Self.comparison)
    guard let relationship = found.first??.relationship,
      found.allSatisfy({ $0?.relationship == relationship })
    else { return nil }
    self.relationship = relationship
    comparisons = found.compactMap { $0?.comparison }
  }

  private static func members(of predicate: FormatPredicate) -> [FormatPredicate] {
    guard case .and(let members) = predicate else { return [predicate] }
    return members.flatMap(members(of:))
  }

  private static func comparison(
    _ predicate: FormatPredicate
  ) -> (relationship: String, comparison: Comparison)? {
    guard case .comparison(let comparison) = predicate, comparison.modifier == .direct,
      comparison.options.isEmpty, let keys = comparison.left.ownKeys, keys.count == 2,
      case .constant(let value) = comparison.right.kind, let number = number(value)
    else { return nil }
    let symbol: SQL
    switch comparison.operator {
    case .equal: symbol = "=="
    case .notEqual: symbol = "!="
    default: return nil
    }
    return (keys[0], Comparison(attribute: keys[1], symbol: symbol, number: number))
  }

  private static func number(_ value: DataValue) -> Int64? {
    switch value {
    case .integer(let number): number
    case .boolean(let flag): flag ? 1 : 0
    default: nil
    }
  }
}
