import PredicateSQL
import SQLiteAccess
import StoreLayout
import StoreModel

/// Creates the checks of a migration: queries for rows that violate requirements of the target. `checks()` queries the
/// source. `lateQuestions` and `stepChecks` query migrated rows.
struct CheckFinder {
  let mapping: ModelMapping
  let transfers: [TransferCompiler]
  let oneToOnes: [OneToOnePlan]
  let source: StoreLayout
  let target: StoreLayout

  func checks() throws -> [MigrationCheck] {
    var checks: [MigrationCheck] = []
    for transfer in transfers {
      if transfer.transfer.target.isAbstract {
        checks.append(try check(transfer, nil, .abstractEntity(transfer.transfer.target.name)))
      }
      for name in transfer.transfer.mapping.attributes.keys.sorted() {
        checks += try attributeChecks(name, transfer)
      }
      checks += try relationshipChecks(transfer)
    }
    let shared = oneToOnes.flatMap(\.checks).filter { check in
      !(check.permission.map { mapping.intends($0) } ?? false)
    }
    return checks + shared + (try uniquenessChecks())
  }

  private func attributeChecks(_ name: String, _ transfer: TransferCompiler) throws
    -> [MigrationCheck]
  {
    let entity = transfer.transfer.target.name
    guard let new = target.model.storedAttribute(name, of: entity),
      let origin = transfer.transfer.mapping.attributes[name]
    else { return [] }
    func missing(_ condition: SQL?, from old: String? = nil) throws -> [MigrationCheck] {
      guard !new.isOptional, new.derivation == nil, origin.fallback == nil else { return [] }
      return [
        try check(
          transfer, condition,
          .missingValue(entity: entity, attribute: name, type: new.type, sourceAttribute: old))
      ]
    }
    switch origin.source {
    case .nothing: return try missing(nil)
    case .expression:
      guard let column = transfer.transfer.target.attributes[name]?.column,
        let value = transfer.values[column]
      else { return [] }
      return try missing("\(value.sql) IS NULL")
    case .attribute(let path):
      guard let old = source.model.storedAttribute(path, of: transfer.transfer.source.name),
        let column = transfer.transfer.source.attributes[path]?.column
      else { return [] }
      let value = SQL.name(ColumnValue.row, column)
      // If the source required a value, its rows already have one.
      let absent = old.isOptional ? try missing("\(value) IS NULL", from: path) : []
      return absent + [try conversionCheck(value, name, old, new, transfer)].compactMap(\.self)
    }
  }

  private func conversionCheck(
    _ value: SQL, _ name: String, _ old: AttributeDescription, _ new: AttributeDescription,
    _ transfer: TransferCompiler
  ) throws -> MigrationCheck? {
    let entity = transfer.transfer.target.name
    switch Conversion(from: old.type, to: new.type) {
    case .copy:
      guard old.allowsExternalStorage, !new.allowsExternalStorage else { return nil }
      return try check(
        transfer, ExternalBytes.isUnreadable(value), showing: ExternalBytes.fileName(value),
        .unreadableFile(entity: entity, attribute: name))
    case .checked:
      return try check(
        transfer,
        "\(value) IS NOT NULL AND \(ValueConversion.sql(value, old.type, new.type)) IS NULL",
        showing: value,
        .inconvertible(entity: entity, attribute: name, from: old.type, to: new.type))
    case nil:
      return try check(
        transfer, "\(value) IS NOT NULL", showing: value,
        .typeChange(entity: entity, attribute: name, from: old.type, to: new.type))
    }
  }

  /// Returns checks of the uniqueness constraints that the source didn't have, or whose rows are merged or duplicated.
  private func uniquenessChecks() throws -> [MigrationCheck] {
    try target.model.entities.flatMap { entity in
      try entity.uniquenessConstraints.compactMap { properties in
        try uniquenessCheck(properties, of: entity)
      }
    }
  }

  private func uniquenessCheck(
    _ properties: [String], of entity: EntityDescription
  ) throws -> MigrationCheck? {
    guard let place = target.entity(named: entity.name) else { return nil }
    let columns = properties.compactMap {
      place.attributes[$0]?.column ?? place.toOne[$0]?.column
    }
    let own = transfers.filter { place.subtree.contains($0.transfer.target.number) }
    guard columns.count == properties.count, !own.isEmpty,
      !own.allSatisfy({ isKept(properties, by: $0) }) || own.count > 1 && areMerged(own)
    else { return nil }
    let names = columns.indices.map { SQL.name("v\($0)") }
    let selects = try own.map { transfer -> SQL in
      var query = transfer.query
      let values = columns.enumerated().map { index, column -> SQL in
        "\(transfer.values[column]?.sql ?? "NULL") AS \(names[index])"
      }
      return try query.select(["\(query.key) AS k"] + values)
    }
    let filled = names.map { "\($0) IS NOT NULL" as SQL }.joined(" AND ")
    return MigrationCheck(
      """
      SELECT min(k), \(names.joined(", ")), group_concat(k) FROM (\(selects.joined(" UNION ALL "))) WHERE \(filled) \
      GROUP BY \(names.joined(", ")) HAVING count(*) > 1
      """, .duplicates(entity: entity.name, properties: properties),
      source: areMerged(own) ? nil : own[0].transfer.source.name)
  }

  /// Whether the source had a constraint on the same values.
  private func isKept(_ properties: [String], by transfer: TransferCompiler) -> Bool {
    let olds = properties.map { name -> String? in
      transfer.transfer.mapping.attributes[name]?.source.attribute
        ?? transfer.transfer.mapping.relationships[name]?.relationship
    }
    guard let entity = source.model.entity(named: transfer.transfer.source.name) else {
      return false
    }
    let owners = [entity] + source.model.ancestors(of: entity)
    return owners.flatMap(\.uniquenessConstraints).contains {
      Set($0) == Set(olds.compactMap { $0 })
    }
      && !olds.contains(nil)
  }

  /// Whether the rows come from several tables, or several transfers have the same source entity.
  private func areMerged(_ transfers: [TransferCompiler]) -> Bool {
    Set(transfers.map(\.transfer.source.table)).count > 1
      || Set(transfers.map(\.transfer.source.name)).count < transfers.count
  }

  func check(
    _ transfer: TransferCompiler, _ condition: SQL?, showing value: SQL? = nil,
    _ problem: MappingError
  ) throws -> MigrationCheck {
    var query = transfer.query
    let key = SQL.name(query.rows.alias, FixedColumn.primaryKey)
    let select = try query.select([key] + (value.map { [$0] } ?? []))
    let hasClause = !(try query.conditions()).isEmpty
    let source = transfer.transfer.source.name
    guard let condition else { return MigrationCheck(select, problem, source: source) }
    return MigrationCheck(
      "\(select)\(hasClause ? " AND " : " WHERE ")(\(condition))", problem, source: source)
  }
}

/// The format of a binary value in an attribute that allows external storage: the byte 1 and the value, or the byte
/// 2 and the name of a file (docs/formats/store-layout.md).
enum ExternalBytes {
  static func wrapped(_ value: SQL) -> SQL { "CAST(x'01' || \(value) AS BLOB)" }

  /// Returns the condition that a value is in a file that can't be read.
  static func isUnreadable(_ value: SQL) -> SQL {
    "substr(\(value), 1, 1) = x'02' AND \(StoredBytes.fileSize(value)) IS NULL"
  }

  static func fileName(_ value: SQL) -> SQL { "CAST(substr(\(value), 2, 36) AS TEXT)" }
}

extension MappingError {
  /// Whether the problem is a missing value or destination, which a custom step can provide.
  var isForStep: Bool {
    switch self {
    case .missingValue, .missingDestination: true
    case .typeChange, .inconvertible, .unreadableFile, .duplicates, .sharedDestination,
      .abstractEntity:
      false
    }
  }
}

extension CheckFinder {
  /// Returns `checks` as queries of the target's rows, to run after the custom step.
  func stepChecks(for checks: [MigrationCheck]) -> [MigrationCheck] {
    checks.compactMap { check in
      guard let (entity, column) = column(of: check.problem) else { return nil }
      return MigrationCheck(
        """
        SELECT \(name: FixedColumn.primaryKey) FROM \(name: entity.table) \
        WHERE \(name: FixedColumn.entity) = \(value: .integer(entity.number)) \
        AND \(name: column) IS NULL
        """, check.problem)
    }
  }

  private func column(of problem: MappingError) -> (EntityLayout, String)? {
    switch problem {
    case .missingValue(let name, let attribute, _, _):
      guard let entity = target.entity(named: name) else { return nil }
      return entity.attributes[attribute].map { (entity, $0.column) }
    case .missingDestination(let name, let relationship, _, _):
      guard let entity = target.entity(named: name) else { return nil }
      return entity.toOne[relationship].map { (entity, $0.column) }
    case .typeChange, .inconvertible, .unreadableFile, .duplicates, .sharedDestination,
      .abstractEntity:
      return nil
    }
  }
}
