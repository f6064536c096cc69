import StoreModel

extension StoreLayout {
  /// What must hold between the rows of a store with this layout. Only columns that the store has
  /// are asked for, and only rows of entities that have the property: after a migration in place
  /// columns hold leftovers in the rows of other entities.
  func checks(in schema: StoreSchema) -> [VerificationCheck] {
    model.entities.flatMap { entity -> [VerificationCheck] in
      guard let place = self.entity(named: entity.name), schema.hasTable(place.table) else {
        return []
      }
      let checker = EntityChecks(entity: entity, place: place, layout: self, schema: schema)
      return checker.references + checker.requiredValues + checker.places + checker.uniqueness
        + checker.derivedValues + checker.abstractRows
    } + memberCountChecks(in: schema)
  }

  private func memberCountChecks(in schema: StoreSchema) -> [VerificationCheck] {
    memberCountRules.filter { $0.isKept(by: schema) }.map { rule in
      VerificationCheck(
        finding: Finding(
          .memberCount(minimum: rule.minimum, maximum: rule.maximum), entity: rule.owner.name,
          property: rule.property),
        cases: "SELECT entity, key FROM (\(rule.violations()))")
    }
  }
}

/// The checks of the properties that an entity declares; its sub-entities' rows are among them.
private struct EntityChecks {
  let entity: Entity
  let place: EntityLayout
  let layout: StoreLayout
  let schema: StoreSchema

  private var ownRows: SQL {
    let numbers = place.subtree.map { SQL.value(.integer($0)) }.joined(", ")
    return "t.\(name: FixedColumn.entity) IN (\(numbers))"
  }

  private func rows(where condition: SQL) -> SQL {
    """
    SELECT t.\(name: FixedColumn.entity) AS entity, t.\(name: FixedColumn.primaryKey) AS key \
    FROM \(name: place.table) AS t WHERE \(ownRows) AND \(condition)
    """
  }

  private func check(
    _ kind: Finding.Kind, _ property: String, where condition: SQL
  ) -> VerificationCheck {
    VerificationCheck(
      finding: Finding(kind, entity: entity.name, property: property),
      cases: rows(where: condition))
  }

  private func has(_ column: String?) -> Bool {
    column.map { schema.hasColumn($0, in: place.table) } ?? true
  }

  private var toOnes: [(Relationship, ToOneColumn)] {
    entity.relationships.compactMap { relationship in
      guard let column = place.toOne[relationship.name], has(column.column),
        has(column.entityColumn), has(column.orderColumn)
      else { return nil }
      return (relationship, column)
    }
  }

  var references: [VerificationCheck] {
    toOnes.flatMap { relationship, column -> [VerificationCheck] in
      guard let destination = layout.entity(named: column.destination),
        schema.hasTable(destination.table)
      else { return [] }
      let numbers = destination.subtree.map { SQL.value(.integer($0)) }.joined(", ")
      let target: SQL = """
        SELECT d.\(name: FixedColumn.entity) FROM \(name: destination.table) AS d \
        WHERE d.\(name: FixedColumn.primaryKey) = t.\(name: column.column) \
        AND d.\(name: FixedColumn.entity) IN (\(numbers))
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
        UPDATE \(name: place.table) AS t SET \(assignments.joined(", ")), \
        \(name: FixedColumn.version) = \(name: FixedColumn.version) + 1 \
        WHERE \(ownRows) AND \(condition)
        """,
      changed: rows(where: condition), property: property)
  }

  var requiredValues: [VerificationCheck] {
    let attributes = entity.attributes.compactMap { attribute -> (String, String)? in
      guard !attribute.isOptional, !attribute.isTransient,
        let column = place.attributes[attribute.name], !column.isDerived
      else { return nil }
      return (attribute.name, column.column)
    }
    let references = toOnes.filter { !$0.0.isOptional }.map { ($0.0.name, $0.1.column) }
    return (attributes + references).filter { has($0.1) }.map { name, column in
      check(.missingValue, name, where: "t.\(name: column) IS NULL")
    }
  }

  /// The places that a to-one gives its rows in the ordered relationship on the other side.
  var places: [VerificationCheck] {
    toOnes.flatMap { relationship, column -> [VerificationCheck] in
      guard let order = column.orderColumn else { return [] }
      return [
        check(
          .missingPlace, relationship.name,
          where: "t.\(name: column.column) NOT NULL AND t.\(name: order) IS NULL"),
        check(
          .sharedPlace, relationship.name,
          where: """
            t.\(name: order) NOT NULL AND (t.\(name: column.column), t.\(name: order)) IN \
            (SELECT \(name: column.column), \(name: order) FROM \(name: place.table) \
            WHERE \(name: column.column) NOT NULL GROUP BY 1, 2 HAVING count(*) > 1)
            """),
      ]
    }
  }

  var uniqueness: [VerificationCheck] {
    entity.uniquenessConstraints.compactMap { properties in
      let columns = properties.compactMap {
        place.attributes[$0]?.column ?? place.toOne[$0]?.column
      }
      guard columns.count == properties.count, !columns.isEmpty, columns.allSatisfy({ has($0) })
      else { return nil }
      let list = columns.map(SQL.name).joined(", ")
      let own = columns.map { name -> SQL in "t.\(name: name)" }.joined(", ")
      let numbers = place.subtree.map { SQL.value(.integer($0)) }.joined(", ")
      return VerificationCheck(
        finding: Finding(.duplicates(properties), entity: entity.name),
        cases: rows(
          where: """
            (\(own)) IN (SELECT \(list) FROM \(name: place.table) \
            WHERE \(name: FixedColumn.entity) IN (\(numbers)) \
            GROUP BY \(list) HAVING count(*) > 1)
            """))
    }
  }

  var derivedValues: [VerificationCheck] {
    entity.attributes.compactMap { attribute in
      guard !attribute.isTransient, let derivation = attribute.derivation.flatMap(Derivation.init),
        let column = place.attributes[attribute.name]?.column, has(column),
        let value = value(of: derivation)
      else { return nil }
      return check(
        .wrongDerivedValue, attribute.name, where: "t.\(name: column) IS NOT (\(value))")
    }
  }

  private func value(of derivation: Derivation) -> SQL? {
    switch derivation {
    case .count(let relationship):
      guard case .column(let key)? = place.toMany[relationship],
        schema.hasColumn(key.column, in: key.table)
      else { return nil }
      return """
        SELECT count(*) FROM \(name: key.table) AS m \
        WHERE m.\(name: key.column) = t.\(name: FixedColumn.primaryKey)
        """
    case .value(let relationship, let attribute):
      guard let key = place.toOne[relationship], has(key.column),
        let destination = layout.entity(named: key.destination),
        let value = destination.attributes[attribute]?.column,
        schema.hasColumn(value, in: destination.table)
      else { return nil }
      return """
        SELECT d.\(name: value) FROM \(name: destination.table) AS d \
        WHERE d.\(name: FixedColumn.primaryKey) = t.\(name: key.column)
        """
    }
  }

  var abstractRows: [VerificationCheck] {
    guard place.isAbstract else { return [] }
    return [
      VerificationCheck(
        finding: Finding(
          .wrongEntity(table: place.table), entity: entity.name),
        cases: """
          SELECT \(name: FixedColumn.entity) AS entity, \(name: FixedColumn.primaryKey) AS key \
          FROM \(name: place.table) \
          WHERE \(name: FixedColumn.entity) = \(value: .integer(place.number))
          """)
    ]
  }
}
