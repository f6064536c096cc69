package import SQLiteAccess
package import StoreLayout
import StoreModel

/// Updates those derived attributes of a store for which storetool doesn't know the form of Core Data's triggers.
///
/// Temporary triggers record the rows whose values a write changes, regardless of the statement. The values of these
/// rows are computed before the commit. As in Core Data, a value is correct after the transaction is committed, and not
/// before.
package struct DerivedValues {
  private let columns: [DerivedColumn]
  private let layout: StoreLayout

  private static let noted = "storetool_derived"
  private static let due = "storetool_due"

  /// Nil if the model doesn't contain such an attribute.
  package init?(in layout: StoreLayout, storeUUID: String?) {
    guard !layout.computed.isEmpty else { return nil }
    columns = DerivedColumn.all(in: layout, storeUUID: storeUUID).filter { column in
      layout.computed.contains {
        $0.entity == column.entity && $0.attribute == column.attribute.name
      }
    }
    self.layout = layout
  }

  /// Runs `body`, which writes in a transaction, and computes the derived values that its writes change.
  ///
  /// - Throws: an error of `body`; `DatabaseError`
  package func keeping<Result>(
    on connection: Connection, _ body: () throws -> Result
  ) throws -> Result {
    try begin(on: connection)
    let result = try body()
    try compute(on: connection)
    try end(on: connection)
    return result
  }

  private func begin(on connection: Connection) throws(DatabaseError) {
    for table in [Self.noted, Self.due] {
      try connection.run("CREATE TEMP TABLE \(name: table) (a INTEGER, k INTEGER)")
    }
    // The index isn't unique, because the conflict clause of a statement also applies to the triggers that it fires.
    try connection.run(
      "CREATE INDEX \(.name("temp", Self.noted + "_k")) ON \(name: Self.noted) (a, k)")
    for (column, name, trigger) in triggers {
      let number = SQL.value(.integer(Int64(column)))
      let condition: SQL = trigger.condition.map { " WHEN \($0)" } ?? ""
      try connection.define(
        """
        CREATE TEMP TRIGGER \(name: name) AFTER \(trigger.event.sql) \
        ON \(.name("main", trigger.table))\(condition) BEGIN \
        INSERT INTO \(name: Self.noted) SELECT DISTINCT \(number), o.k FROM \
        (SELECT NULL AS k UNION ALL \(trigger.keys)) AS o WHERE o.k IS NOT NULL AND NOT EXISTS \
        (SELECT 1 FROM \(name: Self.noted) AS n WHERE n.a = \(number) AND n.k = o.k); END
        """)
    }
  }

  /// The triggers, each with the index of its column and its name.
  private var triggers: [(column: Int, name: String, trigger: DerivationTrigger)] {
    let all = columns.enumerated().flatMap { index, column in
      column.triggers(in: layout).map { (index, $0) }
    }
    return all.enumerated().map { ($1.0, "\(Self.noted)_\($0)", $1.1) }
  }

  /// Computes the values, repeatedly, because an attribute can be derived from another derived attribute.
  private func compute(on connection: Connection) throws(DatabaseError) {
    for _ in 0..<Self.longestChain {
      try connection.run(
        "INSERT INTO \(.name("temp", Self.due)) SELECT a, k FROM \(.name("temp", Self.noted))")
      guard connection.changeCount > 0 else { return }
      try connection.run("DELETE FROM \(.name("temp", Self.noted))")
      for (index, column) in columns.enumerated() {
        try connection.run(
          column.update(
            rows: """
              SELECT k FROM \(.name("temp", Self.due)) WHERE a = \(value: .integer(Int64(index)))
              """))
      }
      try connection.run("DELETE FROM \(.name("temp", Self.due))")
    }
  }

  /// The number of repetitions after which the computation stops if attributes are derived from each other in a cycle.
  private static let longestChain = 1000

  private func end(on connection: Connection) throws(DatabaseError) {
    for (_, name, _) in triggers {
      try connection.run("DROP TRIGGER \(.name("temp", name))")
    }
    for table in [Self.noted, Self.due] {
      try connection.run("DROP TABLE \(.name("temp", table))")
    }
  }
}
