import SQLiteAccess
import StoreLayout

/// The rows that an upsert updates, and their changed columns. A temporary trigger records them, so that no additional
/// statement per row is required.
struct UpsertLog {
  private let plan: InsertPlan
  private let connection: Connection
  /// The to-one relationships with a to-many inverse. If one changes, the old and the new destination change too.
  private let memberships: [RelationshipStep]

  private static let name = "storetool_upserted"

  /// The table. Its column `k` contains the keys, possibly with duplicates.
  static let rows: SQL = "temp.\(name: name)"

  init(of plan: InsertPlan, on connection: Connection) throws(DatabaseError) {
    self.plan = plan
    self.connection = connection
    try connection.run("DROP TABLE IF EXISTS \(Self.rows)")
    memberships = plan.relationships.filter { $0.partner == nil && $0.inverse != nil }
    let owners = memberships.indices.map { index -> SQL in
      ", \(name: Self.owner("old", index)) INTEGER, \(name: Self.owner("new", index)) INTEGER"
    }
    try connection.run(
      "CREATE TEMP TABLE \(name: Self.name) (k INTEGER, changed TEXT\(owners.joined("")))")
    let links = memberships.map { step -> SQL in
      ", \(.name("old", step.column.column)), \(.name("new", step.column.column))"
    }
    let columns = plan.columns.map { column -> SQL in
      "(\(.name("old", column)) IS NOT \(.name("new", column)))"
    }
    try connection.define(
      """
      CREATE TEMP TRIGGER \(name: Self.name) AFTER UPDATE ON \(name: plan.table) BEGIN \
      INSERT INTO \(name: Self.name) VALUES (\(.name("new", FixedColumn.primaryKey)), \
      \(columns.joined(" || "))\(links.joined(""))); END
      """)
  }

  private static func owner(_ age: String, _ index: Int) -> String { "\(age)\(index)" }

  /// Stops recording, because the next statements don't belong to the upsert.
  func close() throws(DatabaseError) {
    try connection.run("DROP TRIGGER temp.\(name: Self.name)")
  }

  /// Returns a SELECT of the keys of the rows in which the to-one relationship changed.
  func rows(changing step: RelationshipStep) -> SQL {
    let place = plan.columns.firstIndex(of: step.column.column).map { Int64($0) + 1 } ?? 0
    return "SELECT k FROM \(Self.rows) WHERE substr(changed, \(value: .integer(place)), 1) = '1'"
  }

  /// Records the changes, with one statement for all rows with the same changed properties.
  func record(in changes: ChangeRecorder) throws(DatabaseError) {
    if changes.isOn {
      for kind in try connection.rows("SELECT DISTINCT changed FROM \(Self.rows)") {
        guard case .text(let changed) = kind[0] else { continue }
        try changes.recordUpdates(
          of: """
            SELECT \(value: .integer(plan.entityNumber)), k FROM \(Self.rows) \
            WHERE changed = \(value: kind[0])
            """,
          properties: properties(changed))
      }
    }
    for (index, step) in memberships.enumerated() {
      guard let inverse = step.inverse else { continue }
      // The owners that lost or received a member.
      let (old, new) = (Self.owner("old", index), Self.owner("new", index))
      let moved: SQL = "FROM \(Self.rows) WHERE \(name: old) IS NOT \(name: new)"
      let isOwner: SQL = """
        \(name: FixedColumn.primaryKey) IN \
        (SELECT \(name: old) \(moved) UNION SELECT \(name: new) \(moved))
        """
      try changes.recordUpdates(
        of: .entitiesAndKeys(of: step.destinationTable, where: isOwner), properties: [inverse])
      try connection.run(
        "UPDATE \(name: step.destinationTable) SET \(RowVersions.raising) WHERE \(isOwner)")
    }
  }

  func remove() throws(DatabaseError) { try connection.run("DROP TABLE \(Self.rows)") }

  /// Returns the names of the changed properties.
  ///
  /// - Parameter changed: a digit for each column, which is 1 if the value changed.
  private func properties(_ changed: String) -> [String] {
    let columns = Set(zip(plan.columns, changed).compactMap { $1 == "1" ? $0 : nil })
    return plan.fields.filter { field in
      !columns.isDisjoint(with: plan.columns(of: field))
    }.map(\.name)
  }
}
