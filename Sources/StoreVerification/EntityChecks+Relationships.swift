import StoreLayout
import SQLiteAccess
import StoreModel

extension EntityChecks {
  /// The checks of to-many relationships without an inverse. A hidden column of the members contains the owner's key.
  var owners: [VerificationCheck] {
    toManys.flatMap { relationship, way -> [VerificationCheck] in
      guard case .column(let key) = way,
        layout.model.sharedInverse(of: relationship, declaredBy: entity) == nil,
        let members = layout.entity(named: key.destination)
      else { return [] }
      func rows(where condition: SQL) -> SQL {
        VerificationCheck.rows(of: key.table, where: condition)
      }
      let isMember: SQL = "t.\(name: FixedColumn.entity) IN \(.list(members.subtree))"
      let lost: SQL = """
        \(isMember) AND t.\(name: key.column) NOT NULL \
        AND NOT EXISTS (SELECT 1 FROM \(name: place.table) AS o \
        WHERE o.\(name: FixedColumn.primaryKey) = t.\(name: key.column))
        """
      let cleared = [key.column, key.orderColumn].compactMap { $0 }
        .map { "\(name: $0) = NULL" as SQL }
      let gone = VerificationCheck(
        finding: finding(.lostOwner(member: key.destination), relationship.name),
        cases: rows(where: lost),
        repair: .init(
          statement: "UPDATE \(name: key.table) AS t SET \(cleared.joined(", ")) WHERE \(lost)",
          touched: [.init(table: key.table, rows: rows(where: lost))]))
      let others = layout.strangers(to: place)
      guard !others.isEmpty else { return [gone] }
      let isStrange = layout.isRow(of: others, in: place.table, key: .name("t", key.column))
      return [
        gone,
        VerificationCheck(
          finding: finding(.misdirectedOwner(member: key.destination), relationship.name),
          cases: rows(where: "\(isMember) AND \(isStrange)")),
      ]
    }
  }

  /// The checks of the members' positions in ordered relationships.
  var places: [VerificationCheck] {
    toManys.flatMap { relationship, way -> [VerificationCheck] in
      guard let members = OrderedMembers(way, in: layout) else { return [] }
      return [
        VerificationCheck(
          finding: finding(.missingPlace, relationship.name),
          cases: members.cases(where: "\(members.owner) NOT NULL AND \(members.place) IS NULL")),
        VerificationCheck(
          finding: finding(.sharedPlace, relationship.name),
          cases: members.cases(
            where: """
              (\(members.owner), \(members.place)) IN (SELECT \(members.owner), \(members.place) \
              FROM \(members.rows) AND \(members.owner) NOT NULL AND \(members.place) NOT NULL \
              GROUP BY 1, 2 HAVING count(*) > 1)
              """)),
      ]
    }
  }

  private var toManys: [(RelationshipDescription, ToManyLayout)] {
    entity.relationships.compactMap { relationship in
      guard let way = place.toMany[relationship.name], schema.has(way) else { return nil }
      return (relationship, way)
    }
  }
}

/// The members of an ordered relationship, in a column or in a join table.
private struct OrderedMembers {
  var owner: SQL
  var place: SQL
  /// The table with the alias `t`, for FROM. `condition` selects the rows that can be members.
  var table: SQL
  var condition: SQL
  /// The result columns `entity` and `key` of a member's row, or of a pair in a join table.
  var columns: SQL

  init?(_ way: ToManyLayout, in layout: StoreLayout) {
    switch way {
    case .column(let key):
      guard let order = key.orderColumn, let members = layout.entity(named: key.destination) else {
        return nil
      }
      owner = .name("t", key.column)
      place = .name("t", order)
      table = "\(name: key.table) AS t"
      condition = "t.\(name: FixedColumn.entity) IN \(.list(members.subtree))"
      columns = """
        t.\(name: FixedColumn.entity) AS entity, t.\(name: FixedColumn.primaryKey) AS key
        """
    case .joinTable(let join):
      guard let order = join.orderColumn else { return nil }
      owner = .name("t", join.sourceColumn)
      place = .name("t", order)
      table = "\(name: join.table) AS t"
      condition = "TRUE"
      columns = "NULL AS entity, \(owner) || '-' || t.\(name: join.destinationColumn) AS key"
    }
  }

  /// The table with a WHERE clause, to which the caller can append AND.
  var rows: SQL { "\(table) WHERE \(condition)" }

  func cases(where other: SQL) -> SQL { "SELECT \(columns) FROM \(rows) AND \(other)" }
}

extension StoreSchema {
  fileprivate func has(_ way: ToManyLayout) -> Bool {
    let (table, columns) =
      switch way {
      case .column(let key): (key.table, [key.column, key.orderColumn])
      case .joinTable(let join):
        (join.table, [join.sourceColumn, join.destinationColumn, join.orderColumn])
      }
    return columns.compactMap { $0 }.allSatisfy { hasColumn($0, in: table) }
  }
}
