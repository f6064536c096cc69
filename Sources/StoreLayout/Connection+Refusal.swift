package import SQLiteAccess
import StoreDiagnostics

extension Connection {
  /// Checks that a write can run the store's triggers and add to the store's history. Must be called before the write
  /// reads rows.
  ///
  /// - Throws: `StoreLayoutError.triggerFunction`, `StoreLayoutError.unknownHistory`, `DatabaseError`
  package func refuseUnsafeWriting() throws {
    try refuseUnknownFunctions()
    _ = try HistoryFormat(self)
  }
}

extension Connection {
  /// Registers the functions that Core Data's triggers call. Core Data's functions notify objects in memory about the
  /// changed row. storetool has no such objects, so its functions do nothing.
  ///
  /// - Throws: `DatabaseError` if SQLite can't register a function.
  package func registerTriggerFunctions() throws(DatabaseError) {
    // The arguments are the table, the entity number, the key, the attribute or column, and the value.
    for name in DerivationTriggers.functions + [CountingTriggers.function] {
      try define(function: name, arguments: 5, isDeterministic: false) { $0.returnNull() }
    }
  }

  /// Checks that all functions that triggers call are registered. Tables with a trigger that Core Data hasn't created
  /// aren't checked, because they are never written.
  ///
  /// - Throws: `StoreLayoutError.triggerFunction` for an unknown function, `DatabaseError`
  func refuseUnknownFunctions() throws {
    let triggers = try triggers()
    let foreign = Set(triggers.filter { !$0.isOfCoreData }.map(\.table))
    for table in Set(triggers.map(\.table)).subtracting(foreign).sorted() {
      guard let function = try unknownFunction(ofTriggersOn: table) else { continue }
      let caller = triggers.first { $0.table == table && $0.definition.contains(function) }
      throw StoreLayoutError.triggerFunction(
        path: path, name: caller?.name ?? DerivationTriggers.prefix + table, function: function)
    }
  }

  /// Returns an unknown function that a trigger on a table calls, or nil. Compiling a statement also compiles the
  /// triggers that it would fire, so SQLite reports the function without running a statement.
  private func unknownFunction(ofTriggersOn table: String) throws(DatabaseError) -> String? {
    let assignments = try columnNames(of: table).map { "\(name: $0) = \(name: $0)" as SQL }
    let statements: [SQL] = [
      "INSERT INTO \(name: table) DEFAULT VALUES", "DELETE FROM \(name: table)",
      "UPDATE \(name: table) SET \(assignments.joined(", "))",
    ]
    for statement in statements {
      do {
        _ = try prepare(statement)
      } catch {
        // A missing table of a trigger is reported by the write that fires the trigger.
        if error.lacksTable { continue }
        guard let function = error.unknownFunction else { throw error.asDamage }
        return function
      }
    }
    return nil
  }
}

extension DatabaseSchema.Trigger {
  /// Whether Core Data has created the trigger, according to its name and definition. The effect of other triggers on
  /// rows is unknown, so `WriteGuard` rejects writes to their tables.
  package var isOfCoreData: Bool {
    isOfDerivation || isOfRTree
      || name.hasPrefix(CountingTriggers.prefix)
        && definition.contains(CountingTriggers.functionPrefix)
  }

  /// Whether the trigger updates a derived attribute.
  package var isOfDerivation: Bool { name.hasPrefix(DerivationTriggers.prefix) }
}

extension [DatabaseSchema.Trigger] {
  /// The triggers that Core Data hasn't created.
  package var foreign: [DatabaseSchema.Trigger] { filter { !$0.isOfCoreData } }
}

extension Connection {
  /// Rejects a store in which the names of two tables, of two columns of a table, or of two entities are canonically
  /// equivalent but have different bytes. People and `String` can't distinguish such names.
  ///
  /// - Throws: `StoreLayoutError.twinNames`, `DatabaseError`
  package func refuseNameTwins() throws {
    if let twins = try unicodeTableNames().firstTwin {
      throw StoreLayoutError.twinNames(path: path, kind: .table, owner: nil, twins)
    }
    let columns = ExactDictionary(
      try unicodeColumnNames().map { ($0.table, [$0.column]) }, uniquingKeysWith: +)
    for (table, names) in columns {
      guard let twins = names.firstTwin else { continue }
      throw StoreLayoutError.twinNames(path: path, kind: .column, owner: table, twins)
    }
    if let twins = try primaryKeys().map(\.name).firstTwin {
      throw StoreLayoutError.twinNames(path: path, kind: .entity, owner: nil, twins)
    }
  }
}
