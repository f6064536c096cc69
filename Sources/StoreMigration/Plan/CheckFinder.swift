import PredicateSQL
import StoreLayout
import StoreSQL
import StoreModel

/// What the rows of the source must satisfy, as questions that must have no answer.
struct CheckFinder {
  let mapping: ModelMapping
  let feeds: [FeedCompiler]
  let oneToOnes: [OneToOnePlan]
  let source: StoreLayout
  let target: StoreLayout

  func checks() throws -> [MigrationCheck] {
    var checks: [MigrationCheck] = []
    for feed in feeds {
      if feed.feed.target.isAbstract {
        checks.append(try check(feed, nil, .abstractEntity(feed.feed.target.name)))
      }
      for name in feed.feed.mapping.attributes.keys.sorted() {
        checks += try attributeChecks(name, feed)
      }
      checks += try relationshipChecks(feed)
    }
    let shared = oneToOnes.flatMap(\.checks).filter { check in
      !(check.permission.map { mapping.intends($0) } ?? false)
    }
    return checks + shared + (try uniquenessChecks())
  }

  private func attributeChecks(_ name: String, _ feed: FeedCompiler) throws -> [MigrationCheck] {
    let entity = feed.feed.target.name
    guard let new = target.model.storedAttribute(name, of: entity),
      let origin = feed.feed.mapping.attributes[name]
    else { return [] }
    let isDemanding = !new.isOptional && new.derivation == nil && origin.fallback == nil
    switch origin.source {
    case .nothing:
      guard isDemanding else { return [] }
      return [
        try check(
          feed, nil, .missingValue(entity: entity, attribute: name, sourceAttribute: nil))
      ]
    case .expression:
      guard isDemanding, let column = feed.feed.target.attributes[name]?.column,
        let value = feed.values[column]
      else { return [] }
      return [
        try check(
          feed, "\(value.sql) IS NULL",
          .missingValue(entity: entity, attribute: name, sourceAttribute: nil))
      ]
    case .attribute(let path):
      guard let old = source.model.storedAttribute(path, of: feed.feed.source.name),
        let column = feed.feed.source.attributes[path]?.column
      else { return [] }
      let value = SQL.name(ColumnValue.row, column)
      var checks: [MigrationCheck] = []
      // NULL where the source allowed it; where it did not, it was there before.
      if isDemanding, old.isOptional {
        checks.append(
          try check(
            feed, "\(value) IS NULL",
            .missingValue(entity: entity, attribute: name, sourceAttribute: path)))
      }
      return checks + (try conversionCheck(value, name, old, new, feed))
    }
  }

  private func conversionCheck(
    _ value: SQL, _ name: String, _ old: Attribute, _ new: Attribute, _ feed: FeedCompiler
  ) throws -> [MigrationCheck] {
    let entity = feed.feed.target.name
    switch Conversion(from: old.type, to: new.type) {
    case .copy:
      guard old.allowsExternalStorage, !new.allowsExternalStorage else { return [] }
      return [
        try check(
          feed, ExternalBytes.isUnreadable(value), showing: ExternalBytes.fileName(value),
          .unreadableFile(entity: entity, attribute: name))
      ]
    case .checked:
      return [
        try check(
          feed,
          "\(value) IS NOT NULL AND \(ValueConversion.sql(value, old.type, new.type)) IS NULL",
          showing: value,
          .inconvertible(entity: entity, attribute: name, from: old.type, to: new.type))
      ]
    case nil:
      return [
        try check(
          feed, "\(value) IS NOT NULL", showing: value,
          .typeChange(entity: entity, attribute: name, from: old.type, to: new.type))
      ]
    }
  }

  /// Constraints that the source did not keep, or whose values change.
  private func uniquenessChecks() throws -> [MigrationCheck] {
    try target.model.entities.flatMap { entity in
      try entity.uniquenessConstraints.compactMap { properties in
        try uniquenessCheck(properties, of: entity)
      }
    }
  }

  private func uniquenessCheck(
    _ properties: [String], of entity: Entity
  ) throws -> MigrationCheck? {
    guard let place = target.entity(named: entity.name) else { return nil }
    let columns = properties.compactMap {
      place.attributes[$0]?.column ?? place.toOne[$0]?.column
    }
    let own = feeds.filter { place.subtree.contains($0.feed.target.number) }
    guard columns.count == properties.count, !own.isEmpty,
      !own.allSatisfy({ isKept(properties, by: $0) }) || own.count > 1 && areMerged(own)
    else { return nil }
    let names = columns.indices.map { SQL.name("v\($0)") }
    let selects = try own.map { feed -> SQL in
      var query = feed.query
      let values = columns.enumerated().map { index, column -> SQL in
        "\(feed.values[column]?.sql ?? "NULL") AS \(names[index])"
      }
      return try query.select(["\(query.key) AS k"] + values)
    }
    let filled = names.map { "\($0) IS NOT NULL" as SQL }.joined(" AND ")
    return MigrationCheck(
      """
      SELECT min(k), \(names.joined(", ")), group_concat(k) FROM (\(selects.joined(" UNION ALL "))) WHERE \(filled) \
      GROUP BY \(names.joined(", ")) HAVING count(*) > 1
      """, .duplicates(entity: entity.name, properties: properties),
      source: areMerged(own) ? nil : own[0].feed.source.name)
  }

  /// The source demanded it of the same values.
  private func isKept(_ properties: [String], by feed: FeedCompiler) -> Bool {
    let olds = properties.map { name -> String? in
      guard case .attribute(let old)? = feed.feed.mapping.attributes[name]?.source else {
        if case .relationship(let old)? = feed.feed.mapping.relationships[name] { return old }
        return nil
      }
      return old
    }
    guard let entity = source.model.entity(named: feed.feed.source.name) else { return false }
    let owners = [entity] + source.model.ancestors(of: entity)
    return owners.flatMap(\.uniquenessConstraints).contains {
      Set($0) == Set(olds.compactMap { $0 })
    }
      && !olds.contains(nil)
  }

  /// Rows of several tables, or doubled ones, come together.
  private func areMerged(_ feeds: [FeedCompiler]) -> Bool {
    Set(feeds.map(\.feed.source.table)).count > 1
      || Set(feeds.map(\.feed.source.name)).count < feeds.count
  }

  func check(
    _ feed: FeedCompiler, _ condition: SQL?, showing value: SQL? = nil, _ problem: MappingProblem
  ) throws -> MigrationCheck {
    var query = feed.query
    let key = SQL.name(query.rows.alias, FixedColumn.primaryKey)
    let select = try query.select([key] + (value.map { [$0] } ?? []))
    let hasClause = !(try query.conditions()).isEmpty
    let source = feed.feed.source.name
    guard let condition else { return MigrationCheck(select, problem, source: source) }
    return MigrationCheck(
      "\(select)\(hasClause ? " AND " : " WHERE ")(\(condition))", problem, source: source)
  }
}
