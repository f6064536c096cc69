import StoreModel

/// The pairs of a many-to-many relationship.
struct JoinTableChecks {
  /// A relationship whose owners stand in one column, and whose destinations in the other.
  private struct Side {
    var entity: EntityLayout
    var property: String
    var join: ToManyLayout.Join
    var destination: EntityLayout
  }

  private let table: String
  private let sides: [Side]

  /// Nil where the store lacks a table or a column.
  init?(_ table: String, layout: StoreLayout, schema: StoreSchema) {
    self.table = table
    sides = layout.model.entities.flatMap { entity in
      entity.relationships.compactMap { relationship -> Side? in
        guard let place = layout.entity(named: entity.name),
          case .joinTable(let join)? = place.toMany[relationship.name], join.table == table,
          let destination = layout.entity(named: join.destination)
        else { return nil }
        return Side(
          entity: place, property: relationship.name, join: join, destination: destination)
      }
    }
    guard let first = sides.first, schema.hasColumn(first.join.sourceColumn, in: table),
      schema.hasColumn(first.join.destinationColumn, in: table),
      schema.hasTable(first.entity.table), schema.hasTable(first.destination.table)
    else { return nil }
  }

  /// Pairs with a row that does not exist or is of an entity without the relationship. For the
  /// history the row that stays has lost a member.
  var ghostPairs: VerificationCheck? {
    guard let first = sides.first else { return nil }
    let (source, destination) = (first.join.sourceColumn, first.join.destinationColumn)
    let ghost: SQL = """
      (\(isMissing(source, from: first.entity.table)) \
      OR \(isMissing(destination, from: first.destination.table)))
      """
    return VerificationCheck(
      finding: Finding(
        .ghostPairs(table: table), entity: first.entity.name, property: first.property),
      cases: """
        SELECT NULL AS entity, ifnull(j.\(name: source), '') || '-' || \
        ifnull(j.\(name: destination), '') AS key FROM \(name: table) AS j WHERE \(ghost)
        """,
      repair: .init(
        statement: "DELETE FROM \(name: table) AS j WHERE \(ghost)",
        touched: sides.map { touched($0, by: ghost) }))
  }

  private func touched(_ side: Side, by ghost: SQL) -> VerificationCheck.Touched {
    .init(
      table: side.entity.table,
      rows: """
        SELECT t.\(name: FixedColumn.entity), t.\(name: FixedColumn.primaryKey) \
        FROM \(name: side.entity.table) AS t \
        WHERE t.\(name: FixedColumn.entity) IN (\(side.entity.numbers)) \
        AND t.\(name: FixedColumn.primaryKey) IN \
        (SELECT j.\(name: side.join.sourceColumn) FROM \(name: table) AS j WHERE \(ghost))
        """,
      property: side.property)
  }

  /// The entities that may stand in a column: the one that has the relationship, and the one that
  /// the other side leads to.
  private func isMissing(_ column: String, from entityTable: String) -> SQL {
    let entities = sides.flatMap { side in
      (side.join.sourceColumn == column ? side.entity.subtree : [])
        + (side.join.destinationColumn == column ? side.destination.subtree : [])
    }
    let belongs = PredicateCompiler.isOne(
      of: Set(entities).sorted(), .name("e", FixedColumn.entity))
    return """
      NOT EXISTS (SELECT 1 FROM \(name: entityTable) AS e \
      WHERE e.\(name: FixedColumn.primaryKey) = j.\(name: column) AND \(belongs))
      """
  }
}

extension EntityLayout {
  /// Of the entity and everything below it, for an IN.
  var numbers: SQL { subtree.map { SQL.value(.integer($0)) }.joined(", ") }
}
