package import SQLiteAccess
import StoreSQL

extension Connection {
  /// Makes the functions known that the triggers of derived attributes call. To Core Data they
  /// report the changed row, for its objects in memory; here is none, so they do nothing.
  ///
  /// - Throws: `DatabaseError` when SQLite has no memory left for them.
  package func registerTriggerFunctions() throws(DatabaseError) {
    for name in DerivationTriggers.functions {
      try define(
        function: name, arguments: DerivationTriggers.argumentCount, isDeterministic: false
      ) { $0.returnNull() }
    }
  }

  package func triggerNames() throws(DatabaseError) -> [String] {
    try triggers().map(\.name)
  }

  /// The triggers that Core Data did not make: no one knows what they would do to our rows, so the tables that they
  /// are on are not written to (`WriteGuard`).
  package func foreignTriggers() throws(DatabaseError) -> [Trigger] {
    try triggers().filter { !$0.isOfCoreData }
  }

  /// Core Data's triggers are run, since they keep derived attributes right.
  ///
  /// - Throws: `StoreError.triggerFunction`.
  func refuseUnknownFunctions() throws {
    let triggers = try triggers()
    // Where one of an app's own is, too, nothing is written.
    let foreign = Set(triggers.filter { !$0.isOfCoreData }.map(\.table))
    for table in Set(triggers.map(\.table)).subtracting(foreign).sorted() {
      guard let function = try unknownFunction(ofTriggersOn: table) else { continue }
      let caller = triggers.first { $0.table == table && $0.sql.contains(function) }
      throw StoreError.triggerFunction(
        path: path, name: caller?.name ?? DerivationTriggers.prefix + table, function: function)
    }
  }

  package struct Trigger {
    package var name: String
    package var table: String
    package var sql: String

    package init(name: String, table: String, sql: String) {
      self.name = name
      self.table = table
      self.sql = sql
    }

    var isOfCoreData: Bool { name.hasPrefix(DerivationTriggers.prefix) }
  }

  private func triggers() throws(DatabaseError) -> [Trigger] {
    var statement = try prepare(
      "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
    var triggers: [Trigger] = []
    while try statement.step() {
      triggers.append(
        Trigger(
          name: statement.text(at: 0), table: statement.text(at: 1), sql: statement.text(at: 2)))
    }
    return triggers
  }

  /// A statement is compiled together with the triggers that it would fire, so SQLite itself tells
  /// whether it can run them. Nothing is executed.
  private func unknownFunction(ofTriggersOn table: String) throws(DatabaseError) -> String? {
    let columns = try rows("SELECT name FROM pragma_table_info(\(value: .text(table)))")
    let assignments = columns.compactMap { row -> SQL? in
      guard case .text(let name)? = row.first else { return nil }
      return "\(name: name) = \(name: name)"
    }
    let statements: [SQL] = [
      "INSERT INTO \(name: table) DEFAULT VALUES", "DELETE FROM \(name: table)",
      "UPDATE \(name: table) SET \(assignments.joined(", "))",
    ]
    for statement in statements {
      do {
        _ = try prepare(statement)
      } catch {
        guard case .sql(_, _, let message) = error, message.hasPrefix(Self.noFunction) else {
          throw error.asDamage
        }
        return String(message.dropFirst(Self.noFunction.count))
      }
    }
    return nil
  }

  /// How SQLite's message begins; it has no code of its own.
  private static let noFunction = "no such function: "
}
