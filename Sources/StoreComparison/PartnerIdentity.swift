import StoreLayout
import SQLiteAccess

/// What stands for a row that a relationship leads to, so that equal texts in both stores mean the same row.
struct PartnerIdentity {
  enum Side: Hashable {
    case old, new
  }

  let plan: ComparisonPlan
  let side: Side

  private var layout: StoreLayout { side == .old ? plan.old : plan.new }

  /// Whether the numbers of entities and keys are the same identity in both stores, so that they can be compared as they are.
  func isPlain(_ destination: String) -> Bool {
    let sides = [plan.old, plan.new].map { layout in
      Dictionary(
        members(below: destination, in: layout).map { ($0.number, $0.name) }
      ) { first, _ in first }
    }
    return sides[0] == sides[1] && sides[0].values.allSatisfy { plan.matching(of: $0) == .objectID }
  }

  /// Whether object IDs alone tell the rows apart that a relationship leads to.
  func isByObjectID(_ destination: String) -> Bool {
    [plan.old, plan.new].flatMap { members(below: destination, in: $0) }
      .allSatisfy { plan.matching(of: $0.name) == .objectID }
  }

  /// What stands for a row that is not looked at: a key, and the number of its entity where that is not the only one.
  func sql(of destination: String, key: SQL, number: SQL?) -> SQL {
    let members = members(below: destination, in: layout)
    guard let number else {
      return "\(value: .text("\(members.first?.name ?? destination)#")) || \(key)"
    }
    let cases = members.map { entity -> SQL in
      " WHEN \(value: .integer(entity.number)) THEN \(value: .text("\(entity.name)#"))"
    }
    let unknown: SQL = "'?' || ifnull(\(number), '') || ':'"
    guard !cases.isEmpty else { return "\(unknown) || \(key)" }
    return "CASE \(number)\(cases.joined("")) ELSE \(unknown) END || \(key)"
  }

  private func members(below name: String, in layout: StoreLayout) -> [EntityLayout] {
    (layout.entity(named: name)?.subtree ?? []).compactMap { layout.entity(numbered: $0) }
      .filter { !$0.isAbstract }
  }

  /// `CASE m.Z_ENT WHEN 4 THEN 'Item#' || m.Z_PK WHEN 5 THEN 'List:' || … END` for a row of the table of an entity.
  func sql(of destination: String, alias: String) -> SQL {
    let number = SQL.name(alias, FixedColumn.entity)
    let key = SQL.name(alias, FixedColumn.primaryKey)
    let members = members(below: destination, in: layout)
    let cases = members.map { entity -> SQL in
      " WHEN \(value: .integer(entity.number)) THEN \(identity(of: entity, alias, key))"
    }
    let unknown: SQL = "'?' || ifnull(\(number), '') || ':' || \(key)"
    guard !cases.isEmpty else { return unknown }
    return "CASE \(number)\(cases.joined("")) ELSE \(unknown) END"
  }

  private func identity(of entity: EntityLayout, _ alias: String, _ key: SQL) -> SQL {
    guard case .key(let attributes)? = plan.matching(of: entity.name) else {
      return "\(value: .text("\(entity.name)#")) || \(key)"
    }
    let columns = attributes.compactMap { entity.attributes[$0]?.column }
      .map { SQL.name(alias, $0) }
    let isAbsent = columns.map { column -> SQL in "\(column) IS NULL" }
    let texts = columns.map(Self.text)
    // A row without a key is no row of the other store.
    let alone = "\(entity.name) of the \(side == .old ? "older" : "newer") store#"
    return """
      CASE WHEN \(isAbsent.joined(" OR ")) THEN \(value: .text(alone)) || \(key) \
      ELSE \(value: .text("\(entity.name):")) || \(texts.joined(" || '+' || ")) END
      """
  }

  /// Without a comma, which stands between members.
  private static func text(of column: SQL) -> SQL {
    """
    CASE typeof(\(column)) WHEN 'text' THEN 't' || hex(\(column)) \
    WHEN 'blob' THEN 'b' || hex(\(column)) ELSE quote(\(column)) END
    """
  }
}
