package import SQLiteAccess
import StoreDiagnostics

extension Connection {
  /// Every write runs the store's triggers and records its history; what stands in the way of that
  /// is found before the first row is read.
  package func refuseUnsafeWriting() throws {
    try refuseUnknownFunctions()
    _ = try HistoryFormat(self)
  }
}

extension Connection {
  /// Registers the functions that Core Data's triggers call. Core Data's own functions report the changed row to its
  /// objects in memory. This program has no such objects, so its functions do nothing.
  ///
  /// - Throws: `DatabaseError` when SQLite has no memory left for them.
  package func registerTriggerFunctions() throws(DatabaseError) {
    // Table, entity number, key, attribute or column, value.
    for name in DerivationTriggers.functions + [CountingTriggers.function] {
      try define(function: name, arguments: 5, isDeterministic: false) { $0.returnNull() }
    }
  }

  /// Core Data's triggers are run, since they keep derived and counting attributes right.
  ///
  /// - Throws: `StoreLayoutError.triggerFunction`.
  func refuseUnknownFunctions() throws {
    let triggers = try triggers()
    // Where one of an app's own is, too, nothing is written.
    let foreign = Set(triggers.filter { !$0.isOfCoreData }.map(\.table))
    for table in Set(triggers.map(\.table)).subtracting(foreign).sorted() {
      guard let function = try unknownFunction(ofTriggersOn: table) else { continue }
      let caller = triggers.first { $0.table == table && $0.definition.contains(function) }
      throw StoreLayoutError.triggerFunction(
        path: path, name: caller?.name ?? DerivationTriggers.prefix + table, function: function)
    }
  }

  /// A statement is compiled together with the triggers that it would fire, so SQLite itself tells
  /// whether it can run them. Nothing is executed.
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
        // A write that fires the trigger reports the table that the store lacks.
        if error.lacksTable { continue }
        guard let function = error.unknownFunction else { throw error.asDamage }
        return function
      }
    }
    return nil
  }
}

extension DatabaseSchema.Trigger {
  /// Whether Core Data has made the trigger. The effect of any other one on rows is unknown, so `WriteGuard` refuses writes
  /// to its table.
  package var isOfCoreData: Bool {
    isOfDerivation || isOfRTree
      || name.hasPrefix(CountingTriggers.prefix)
        && definition.contains(CountingTriggers.functionPrefix)
  }

  /// Whether the trigger keeps a derived attribute up to date.
  package var isOfDerivation: Bool { name.hasPrefix(DerivationTriggers.prefix) }
}

extension [DatabaseSchema.Trigger] {
  /// Those that Core Data did not make.
  package var foreign: [DatabaseSchema.Trigger] { filter { !$0.isOfCoreData } }
}

extension Connection {
  /// Refuses a store in which two names look alike and have different bytes: people can't tell them
  /// apart, and neither can a `String`.
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
