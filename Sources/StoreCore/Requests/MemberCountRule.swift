import PredicateSQL
package import StoreLayout
package import SQLiteAccess
import StoreModel

/// The number of members that the model allows in a to-many relationship: `minCount` and `maxCount`.
///
/// A required relationship without a minimum doesn't have a rule, because apps can save it without members
/// (docs/formats/model-xml.md). An optional relationship can be empty regardless of its minimum.
package struct MemberCountRule: Hashable, Sendable {
  /// The relationship, such as `Team.players`.
  let name: String
  package let property: String
  let isOptional: Bool
  package let minimum: Int
  package let maximum: Int?
  package let owner: EntityLayout
  package let toMany: ToManyLayout

  /// Returns a SELECT of the owners with an invalid number of members, as `entity`, `key` and `count`.
  ///
  /// - Parameters:
  ///   - condition: a condition for the owner, which has the alias `o`.
  ///   - deleted: rows that aren't counted as members, because they will be deleted.
  package func violations(where condition: SQL = "TRUE", outside deleted: DeletedRows? = nil) -> SQL
  {
    var wrong: SQL = "count < \(.number(Int64(minimum)))"
    if let maximum { wrong += " OR count > \(.number(Int64(maximum)))" }
    let isKnown: SQL = isOptional ? " AND count > 0" : ""
    return """
      SELECT entity, key, count FROM \
      (SELECT o.\(name: FixedColumn.entity) AS entity, o.\(name: FixedColumn.primaryKey) AS key, \
      (\(count(outside: deleted))) AS count FROM \(name: owner.table) AS o \
      WHERE \(isOwner) AND \(condition)) WHERE (\(wrong))\(isKnown)
      """
  }

  /// The condition that the row `o` belongs to an entity with the relationship.
  var isOwner: SQL {
    PredicateCompiler.isOne(of: owner.subtree, "o.\(name: FixedColumn.entity)")
  }

  /// Returns a SELECT of the number of members of the owner, which has the alias `o`.
  func count(outside deleted: DeletedRows? = nil) -> SQL {
    let owner: SQL = "o.\(name: FixedColumn.primaryKey)"
    let (table, column, member) = toMany.pairs
    let stays: SQL = deleted.map { " AND m.\(name: member) NOT IN (\($0.keys))" } ?? ""
    return """
      SELECT count(*) FROM \(name: table) AS m WHERE m.\(name: column) = \(owner)\(stays)
      """
  }

  /// Returns a SELECT of the keys of owners that lose members.
  func owners(losing deleted: DeletedRows) -> SQL {
    let (table, column, member) = toMany.pairs
    return """
      SELECT \(name: column) FROM \(name: table) WHERE \(name: member) IN (\(deleted.keys)) \
      AND \(name: column) NOT NULL
      """
  }

  /// Returns whether the store has the columns of the relationship.
  package func isKept(by schema: StoreSchema) -> Bool {
    let (table, column, member) = toMany.pairs
    return schema.hasTable(owner.table) && schema.hasColumn(column, in: table)
      && schema.hasColumn(member, in: table)
  }
}

extension ToManyLayout {
  /// The table of the links, and its columns for the owner and the member.
  package var pairs: (table: String, owner: String, member: String) {
    switch self {
    case .column(let key): (key.table, key.column, FixedColumn.primaryKey)
    case .joinTable(let join): (join.table, join.sourceColumn, join.destinationColumn)
    }
  }
}

extension StoreLayout {
  /// The rules of all entities.
  package var memberCountRules: [MemberCountRule] {
    model.entities.flatMap { entity -> [MemberCountRule] in
      guard let place = self.entity(named: entity.name) else { return [] }
      return entity.relationships.compactMap { relationship in
        guard relationship.isToMany, !relationship.isTransient,
          let toMany = place.toMany[relationship.name]
        else { return nil }
        let minimum = relationship.minimumCount ?? 0
        let maximum = relationship.maximumCount.flatMap { $0 > 0 ? $0 : nil }
        guard minimum > 0 || maximum != nil else { return nil }
        return MemberCountRule(
          name: "\(entity.name).\(relationship.name)", property: relationship.name,
          isOptional: relationship.isOptional, minimum: minimum, maximum: maximum, owner: place,
          toMany: toMany)
      }
    }
  }

  /// Returns the rules of relationships whose members refer to their owner in one of the columns.
  func memberCountRules(over columns: [String], of table: String) -> [MemberCountRule] {
    memberCountRules.filter { rule in
      let pairs = rule.toMany.pairs
      return pairs.table == table && columns.contains(pairs.owner)
    }
  }
}
