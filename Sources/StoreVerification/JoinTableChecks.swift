import StoreLayout
import SQLiteAccess
import StoreModel

/// The checks of the pairs in a join table.
struct JoinTableChecks {
  /// One of the relationships that the table stores. The keys of its owners are in one column, and the keys of its
  /// destinations are in the other column.
  private struct Side {
    var entity: EntityLayout
    var property: String
    var join: ToManyLayout.Join
    var destination: EntityLayout
  }

  private let table: String
  private let layout: StoreLayout
  private let sides: [Side]
  private let first: Side

  /// Returns the checks of all join tables, except tables that lack a column or that refer to missing tables.
  static func all(in layout: StoreLayout, _ schema: StoreSchema) -> [JoinTableChecks] {
    let sides = layout.model.entities.flatMap { entity -> [Side] in
      guard let place = layout.entity(named: entity.name) else { return [] }
      return entity.relationships.compactMap { relationship in
        guard case .joinTable(let join)? = place.toMany[relationship.name],
          let destination = layout.entity(named: join.destination)
        else { return nil }
        return Side(
          entity: place, property: relationship.name, join: join, destination: destination)
      }
    }
    let byTable = Dictionary(grouping: sides, by: \.join.table)
    return layout.joinTables.compactMap { table in
      JoinTableChecks(table.name, byTable[table.name, default: []], layout, schema)
    }
  }

  private init?(_ table: String, _ sides: [Side], _ layout: StoreLayout, _ schema: StoreSchema) {
    self.table = table
    self.layout = layout
    self.sides = sides
    guard let first = sides.first, schema.hasColumn(first.join.sourceColumn, in: table),
      schema.hasColumn(first.join.destinationColumn, in: table),
      schema.hasTable(first.entity.table), schema.hasTable(first.destination.table)
    else { return nil }
    self.first = first
  }

  var checks: [VerificationCheck] { [ghostPairs, misdirectedPairs].compactMap(\.self) }

  /// Finds pairs with a missing row. If they are removed, the history records a change of the existing row.
  private var ghostPairs: VerificationCheck {
    let (source, destination) = (first.join.sourceColumn, first.join.destinationColumn)
    let ghost: SQL = """
      (\(isMissing(source, from: first.entity.table)) \
      OR \(isMissing(destination, from: first.destination.table)))
      """
    return VerificationCheck(
      finding: StoreFinding(
        .ghostPairs(table: table), entity: first.entity.name, property: first.property),
      cases: pairs(of: first, where: ghost),
      repair: .init(
        statement: "DELETE FROM \(name: table) AS j WHERE \(ghost)",
        touched: sides.map { touched($0, by: ghost) }))
  }

  /// Finds pairs with a row of an entity that isn't an end of the relationship. Either the pair or the row may be
  /// wrong. Rows whose entity doesn't belong in their table are reported by another check.
  private var misdirectedPairs: VerificationCheck? {
    let ends = [
      (first.join.sourceColumn, first.entity), (first.join.destinationColumn, first.destination),
    ]
    let strange = ends.compactMap { column, entity -> SQL? in
      let others = layout.numbers(in: entity.table).filter { !entities(in: column).contains($0) }
      guard !others.isEmpty else { return nil }
      return layout.isRow(of: others, in: entity.table, key: .name("j", column))
    }
    guard !strange.isEmpty else { return nil }
    return VerificationCheck(
      finding: StoreFinding(
        .misdirectedPairs(table: table), entity: first.entity.name, property: first.property),
      cases: pairs(of: first, where: strange.joined(" OR ")))
  }

  private func pairs(of side: Side, where condition: SQL) -> SQL {
    """
    SELECT NULL AS entity, ifnull(j.\(name: side.join.sourceColumn), '') || '-' || \
    ifnull(j.\(name: side.join.destinationColumn), '') AS key FROM \(name: table) AS j \
    WHERE \(condition)
    """
  }

  private func touched(_ side: Side, by ghost: SQL) -> VerificationCheck.Touched {
    .init(
      table: side.entity.table,
      rows: """
        SELECT t.\(name: FixedColumn.entity), t.\(name: FixedColumn.primaryKey) \
        FROM \(name: side.entity.table) AS t \
        WHERE t.\(name: FixedColumn.entity) IN \(.list(side.entity.subtree)) \
        AND t.\(name: FixedColumn.primaryKey) IN \
        (SELECT j.\(name: side.join.sourceColumn) FROM \(name: table) AS j WHERE \(ghost))
        """,
      property: side.property)
  }

  private func isMissing(_ column: String, from entityTable: String) -> SQL {
    """
    NOT EXISTS (SELECT 1 FROM \(name: entityTable) AS e \
    WHERE e.\(name: FixedColumn.primaryKey) = j.\(name: column))
    """
  }

  /// Returns the numbers of the entities whose keys a column may contain: the owners of the side whose `sourceColumn`
  /// it is, and the destinations of the side whose `destinationColumn` it is.
  private func entities(in column: String) -> Set<Int64> {
    Set(
      sides.flatMap { side in
        (side.join.sourceColumn == column ? side.entity.subtree : [])
          + (side.join.destinationColumn == column ? side.destination.subtree : [])
      })
  }
}
