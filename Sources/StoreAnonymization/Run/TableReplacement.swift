import SQLiteAccess
import StoreCore
import StoreLayout
import StoreDiagnostics

/// Replaces the values in a table's rows, with one UPDATE for each entity where possible.
struct TableReplacement {
  struct EntityUpdate {
    let entity: EntityLayout
    let fields: [ReplacedField]
    /// The columns that are set to NULL: columns of other entities in the table, in which a migration in place can
    /// leave values, and columns outside of the model.
    let cleared: [String]
  }

  let table: String
  let updates: [EntityUpdate]

  var isEmpty: Bool { updates.allSatisfy(\.isEmpty) }

  private var columns: Set<String> {
    Set(updates.flatMap { $0.fields.map(\.column) + $0.cleared })
  }

  /// - Throws: `DatabaseError`, including `constraint` if new values violate a uniqueness constraint.
  func run(on connection: Connection) throws(DatabaseError) {
    let suspension = try IndexSuspension(on: table, columns: columns, connection)
    try suspension.drop(on: connection)
    if try hasFixedUniqueness(connection) {
      try runInTwoSteps(on: connection)
    } else {
      for update in updates where !update.isEmpty { try connection.run(statement(update)) }
    }
    try suspension.rebuild(on: connection)
  }

  /// Returns a statement such as `UPDATE ZPERSON SET ZNAME = VALUE_REPLACED(0, ZNAME), ZOLD = NULL, Z_OPT = … WHERE
  /// Z_ENT = 2`.
  private func statement(_ update: EntityUpdate) -> SQL {
    assigning(update.fields.map { "\(name: $0.column) = \(call($0))" }, update)
  }

  private func assigning(_ values: [SQL], _ update: EntityUpdate) -> SQL {
    let all = values + update.cleared.map { "\(name: $0) = NULL" } + [RowVersions.raising]
    return """
      UPDATE \(name: table) SET \(all.joined(", ")) \
      WHERE \(name: FixedColumn.entity) = \(value: .integer(update.entity.number))
      """
  }

  private func call(_ field: ReplacedField) -> SQL {
    "\(.name(FieldFunction.name))(\(value: .integer(Int64(field.number))), \(name: field.column))"
  }

  // MARK: Uniqueness in the definition of the table

  /// Returns whether a replaced column is unique by the table's definition (`VARCHAR UNIQUE`), as in stores of Core
  /// Data frameworks before version 977. The index of such a column can't be dropped temporarily.
  private func hasFixedUniqueness(_ connection: Connection) throws(DatabaseError) -> Bool {
    let indexes = try connection.databaseSchema(of: table).tables[table]?.indexes ?? []
    return indexes.contains { $0.definition == nil && $0.isUnique && $0.depends(on: columns) }
  }

  /// Computes all new values into temporary tables, sets the columns to NULL, and then writes the new values. A new
  /// value can be another row's old value, so it can't be written while old values remain.
  private func runInTwoSteps(on connection: Connection) throws(DatabaseError) {
    for (index, update) in updates.enumerated() where !update.fields.isEmpty {
      let values = update.fields.map { ", \(call($0)) AS \(Self.value($0.number))" as SQL }
      try connection.run(
        """
        CREATE TEMP TABLE \(Self.scratch(index)) AS SELECT \(name: FixedColumn.primaryKey) AS key\
        \(values.joined("")) FROM \(name: table) \
        WHERE \(name: FixedColumn.entity) = \(value: .integer(update.entity.number))
        """)
      try connection.run(
        "CREATE UNIQUE INDEX temp.\(Self.scratch(index, "keys")) ON \(Self.scratch(index)) (key)")
    }
    for update in updates where !update.fields.isEmpty {
      try connection.run(
        """
        UPDATE \(name: table) SET \(SQL.clearing(update.fields.map(\.column))) \
        WHERE \(name: FixedColumn.entity) = \(value: .integer(update.entity.number))
        """)
    }
    for (index, update) in updates.enumerated() where !update.isEmpty {
      let values = update.fields.map { field -> SQL in
        """
        \(name: field.column) = (SELECT \(Self.value(field.number)) \
        FROM temp.\(Self.scratch(index)) WHERE key = \(name: FixedColumn.primaryKey))
        """
      }
      try connection.run(assigning(values, update))
      if !update.fields.isEmpty { try connection.run("DROP TABLE temp.\(Self.scratch(index))") }
    }
  }

  private static func scratch(_ index: Int, _ what: String = "values") -> SQL {
    .name("replaced_\(what)_\(index)")
  }

  private static func value(_ number: Int) -> SQL { .name("value_\(number)") }
}

extension TableReplacement.EntityUpdate {
  fileprivate var isEmpty: Bool { fields.isEmpty && cleared.isEmpty }
}
