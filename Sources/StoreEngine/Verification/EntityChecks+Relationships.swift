import StoreModel

extension EntityChecks {
  /// To-one references that lead nowhere, or whose companion names another entity.
  var references: [VerificationCheck] {
    toOnes.flatMap { relationship, column -> [VerificationCheck] in
      guard let destination = layout.entity(named: column.destination),
        schema.hasTable(destination.table)
      else { return [] }
      let target: SQL = """
        SELECT d.\(name: FixedColumn.entity) FROM \(name: destination.table) AS d \
        WHERE d.\(name: FixedColumn.primaryKey) = t.\(name: column.column) \
        AND d.\(name: FixedColumn.entity) IN (\(destination.numbers))
        """
      let dangles: SQL = "t.\(name: column.column) NOT NULL AND NOT EXISTS (\(target))"
      var dangling = check(
        .dangling(destination: column.destination), relationship.name, where: dangles)
      if relationship.isOptional {
        let cleared = [column.column, column.entityColumn, column.orderColumn].compactMap { $0 }
        dangling.repair = repair(
          relationship.name, set: cleared.map { "\(name: $0) = NULL" as SQL }, where: dangles)
      }
      guard let entityColumn = column.entityColumn else { return [dangling] }
      let differs: SQL = """
        t.\(name: entityColumn) NOT NULL AND t.\(name: column.column) NOT NULL \
        AND t.\(name: entityColumn) <> (\(target))
        """
      var wrong = check(.wrongDestinationEntity, relationship.name, where: differs)
      wrong.repair = repair(
        relationship.name, set: ["\(name: entityColumn) = (\(target))"], where: differs)
      return [dangling, wrong]
    }
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

  /// One-to-one: both sides keep the other's key. Which of two that disagree is right no one can tell.
  var partners: [VerificationCheck] {
    toOnes.compactMap { relationship, column in
      guard
        let (inverse, owner) = layout.model.sharedInverse(of: relationship, declaredBy: entity),
        !inverse.isToMany, let partner = layout.entity(named: owner.name),
        let back = partner.toOne[inverse.name], schema.hasColumn(back.column, in: partner.table)
      else { return nil }
      return check(
        .oneSided(inverse: "\(owner.name).\(inverse.name)"), relationship.name,
        where: """
          EXISTS (SELECT 1 FROM \(name: partner.table) AS d \
          WHERE d.\(name: FixedColumn.primaryKey) = t.\(name: column.column) \
          AND d.\(name: FixedColumn.entity) IN (\(partner.numbers)) \
          AND d.\(name: back.column) IS NOT t.\(name: FixedColumn.primaryKey))
          """)
    }
  }

  /// A to-many without inverse: hidden keys in the rows of its members.
  var owners: [VerificationCheck] {
    toManys.compactMap { relationship, way in
      guard case .column(let key) = way, !isInverse(relationship),
        let members = layout.entity(named: key.destination)
      else { return nil }
      let lost: SQL = """
        t.\(name: FixedColumn.entity) IN (\(members.numbers)) AND t.\(name: key.column) NOT NULL \
        AND NOT EXISTS (SELECT 1 FROM \(name: place.table) AS o \
        WHERE o.\(name: FixedColumn.primaryKey) = t.\(name: key.column) \
        AND o.\(name: FixedColumn.entity) IN (\(place.numbers)))
        """
      let rows: SQL = """
        SELECT t.\(name: FixedColumn.entity) AS entity, t.\(name: FixedColumn.primaryKey) AS key \
        FROM \(name: key.table) AS t WHERE \(lost)
        """
      let cleared = [key.column, key.orderColumn].compactMap { $0 }
        .map { "\(name: $0) = NULL" as SQL }
      return VerificationCheck(
        finding: Finding(
          .lostOwner(member: key.destination), entity: entity.name, property: relationship.name),
        cases: rows,
        repair: .init(
          statement: "UPDATE \(name: key.table) AS t SET \(cleared.joined(", ")) WHERE \(lost)",
          touched: [.init(table: key.table, rows: rows)]))
    }
  }

  private func isInverse(_ relationship: Relationship) -> Bool {
    layout.model.sharedInverse(of: relationship, declaredBy: entity) != nil
  }

  /// The places of the members of an ordered relationship within their owner.
  var places: [VerificationCheck] {
    toManys.flatMap { relationship, way -> [VerificationCheck] in
      guard let members = OrderedMembers(way, in: layout) else { return [] }
      return [
        VerificationCheck(
          finding: Finding(.missingPlace, entity: entity.name, property: relationship.name),
          cases: members.cases(where: "\(members.owner) NOT NULL AND \(members.place) IS NULL")),
        VerificationCheck(
          finding: Finding(.sharedPlace, entity: entity.name, property: relationship.name),
          cases: members.cases(
            where: """
              (\(members.owner), \(members.place)) IN (SELECT \(members.owner), \(members.place) \
              FROM \(members.rows) AND \(members.owner) NOT NULL AND \(members.place) NOT NULL \
              GROUP BY 1, 2 HAVING count(*) > 1)
              """)),
      ]
    }
  }

  private var toManys: [(Relationship, ToManyLayout)] {
    entity.relationships.compactMap { relationship in
      guard let way = place.toMany[relationship.name], schema.has(way) else { return nil }
      return (relationship, way)
    }
  }
}

/// The members of an ordered relationship, wherever they are kept.
private struct OrderedMembers {
  var owner: SQL
  var place: SQL
  /// The table as `t`, and the entities whose rows count.
  var table: SQL
  var condition: SQL
  /// A row's entity and key, or a pair.
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
      condition = "t.\(name: FixedColumn.entity) IN (\(members.numbers))"
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

  /// More conditions may follow.
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
