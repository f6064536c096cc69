package import SQLiteAccess
package import StoreCore
package import StoreLayout
import StoreModel

extension EntityChecks {
  /// The checks for to-one references to missing rows or to rows of other entities, and for wrong companion columns. A
  /// companion column contains the number of the destination's entity.
  var references: [VerificationCheck] {
    toOnes.flatMap { relationship, column -> [VerificationCheck] in
      guard let destination = layout.entity(named: column.destination),
        schema.hasTable(destination.table)
      else { return [] }
      return [dangling(relationship, column, destination)]
        + misdirected(relationship, column, destination)
        + companions(relationship, column, destination)
    }
  }

  /// Finds references to keys that don't belong to any row. A row whose entity number is damaged still counts as a row.
  private func dangling(
    _ relationship: RelationshipDescription, _ column: ToOneColumn, _ destination: EntityLayout
  ) -> VerificationCheck {
    let dangles: SQL = """
      t.\(name: column.column) NOT NULL AND NOT EXISTS (SELECT 1 \
      FROM \(name: destination.table) AS d \
      WHERE d.\(name: FixedColumn.primaryKey) = t.\(name: column.column))
      """
    var dangling = check(
      .dangling(destination: column.destination), relationship.name, where: dangles)
    guard relationship.isOptional else { return dangling }
    let cleared = [column.column, column.entityColumn, column.orderColumn].compactMap { $0 }
    dangling.repair = repair(
      relationship.name, set: cleared.map { "\(name: $0) = NULL" as SQL }, where: dangles)
    return dangling
  }

  /// Finds references to rows whose entity can't be a destination. Either the reference or the row may be wrong.
  private func misdirected(
    _ relationship: RelationshipDescription, _ column: ToOneColumn, _ destination: EntityLayout
  ) -> [VerificationCheck] {
    let others = layout.strangers(to: destination)
    guard !others.isEmpty else { return [] }
    return [
      check(
        .misdirected(destination: column.destination), relationship.name,
        where: layout.isRow(of: others, in: destination.table, key: .name("t", column.column)))
    ]
  }

  /// Finds companion columns that differ from the destination's entity. The companion, the destination or the reference
  /// may be damaged. The companion is certainly wrong only if its entity can't be a destination.
  private func companions(
    _ relationship: RelationshipDescription, _ column: ToOneColumn, _ destination: EntityLayout
  ) -> [VerificationCheck] {
    guard let entityColumn = column.entityColumn else { return [] }
    let possible = SQL.list(
      layout.numbers(in: destination.table).filter(destination.subtree.contains))
    let number: SQL = """
      SELECT d.\(name: FixedColumn.entity) FROM \(name: destination.table) AS d \
      WHERE d.\(name: FixedColumn.primaryKey) = t.\(name: column.column) \
      AND d.\(name: FixedColumn.entity) IN \(possible)
      """
    let differs: SQL = """
      t.\(name: entityColumn) NOT NULL AND t.\(name: column.column) NOT NULL \
      AND t.\(name: entityColumn) <> (\(number))
      """
    let impossible: SQL = "\(differs) AND t.\(name: entityColumn) NOT IN \(possible)"
    var wrong = check(.wrongDestinationEntity, relationship.name, where: impossible)
    wrong.repair = repair(
      relationship.name, set: ["\(name: entityColumn) = (\(number))"], where: impossible)
    return [
      wrong,
      check(
        .disputedDestinationEntity, relationship.name,
        where: "\(differs) AND t.\(name: entityColumn) IN \(possible)"),
    ]
  }

  private func repair(
    _ property: String, set assignments: [SQL], where condition: SQL
  ) -> VerificationCheck.Repair {
    VerificationCheck.Repair(
      statement: """
        UPDATE \(name: place.table) AS t SET \(assignments.joined(", ")) \
        WHERE \(ownRows) AND \(condition)
        """,
      touched: [.init(table: place.table, rows: rows(where: condition), property: property)])
  }

  /// The checks of one-to-one relationships, in which both sides contain the key of the other row. If the keys
  /// contradict each other, either side may be wrong.
  var partners: [VerificationCheck] {
    toOnes.flatMap { relationship, column -> [VerificationCheck] in
      guard
        let (inverse, owner) = layout.model.sharedInverse(of: relationship, declaredBy: entity),
        !inverse.isToMany, let partner = layout.entity(named: owner.name),
        let back = partner.toOne[inverse.name], schema.hasColumn(back.column, in: partner.table)
      else { return [] }
      func leads(_ condition: SQL) -> SQL {
        """
        EXISTS (SELECT 1 FROM \(name: partner.table) AS d \
        WHERE d.\(name: FixedColumn.primaryKey) = t.\(name: column.column) \
        AND d.\(name: FixedColumn.entity) IN \(.list(partner.subtree)) AND \(condition))
        """
      }
      let name = "\(owner.name).\(inverse.name)"
      return [
        check(
          .oneSided(inverse: name), relationship.name,
          where: leads("d.\(name: back.column) <> t.\(name: FixedColumn.primaryKey)")),
        check(
          .emptyInverse(inverse: name), relationship.name,
          where: leads("d.\(name: back.column) IS NULL")),
      ]
    }
  }
}

extension Store {
  /// Returns the findings for references to missing rows, and for required attributes and to-one relationships that are
  /// NULL.
  ///
  /// - Throws: `DatabaseError`
  package func missingReferences(
    in layout: StoreLayout, _ connection: Connection
  ) throws -> [StoreFinding] {
    let schema = try connection.schema()
    let name = naming(layout, schema)
    return try layout.checks(in: schema).filter(\.finding.isMissingReference).compactMap {
      try $0.ask(connection, name: name)
    }
  }
}

extension StoreFinding {
  fileprivate var isMissingReference: Bool {
    switch kind {
    case .dangling, .ghostPairs, .lostOwner, .missingValue: true
    default: false
    }
  }
}
