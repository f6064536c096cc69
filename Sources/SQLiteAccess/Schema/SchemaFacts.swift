import StoreDiagnostics

/// A fact about the schema of a database, such as the columns of a table. It must not depend on rows.
package protocol SchemaFact: Hashable {
  associatedtype Value

  func read(on connection: Connection) throws(DatabaseError) -> Value
}

/// The facts that a connection has read about the schema of its database.
///
/// They are valid for one `schema_version`, which SQLite increments when any connection changes the schema. Two changes
/// can have the same number only if the first one was rolled back, so a rollback of this connection removes all facts.
final class SchemaFacts {
  private var values: [AnyHashable: Any] = [:]
  private var version: Int64?
  /// Whether `version` is the current one. It remains the current one within a write transaction until this connection
  /// changes the schema.
  private(set) var areCurrent = false

  /// Requires a comparison with the current `schema_version` before the next use.
  func doubt() { areCurrent = false }

  /// Removes the facts, unless they were read from this version of the schema.
  func compare(with version: Int64) {
    if version != self.version { removeAll() }
    self.version = version
    areCurrent = true
  }

  func removeAll() {
    values = [:]
    version = nil
    areCurrent = false
  }

  func value<Fact: SchemaFact>(of fact: Fact) -> Fact.Value? {
    values[AnyHashable(fact)].flatMap { $0 as? Fact.Value }
  }

  func set<Fact: SchemaFact>(_ value: Fact.Value, of fact: Fact) {
    values[AnyHashable(fact)] = value
  }
}

extension Connection {
  /// Returns a fact about the schema. It is read only once for each version of the schema.
  package func fact<Fact: SchemaFact>(_ fact: Fact) throws(DatabaseError) -> Fact.Value {
    guard let facts else { return try fact.read(on: self) }
    if !facts.areCurrent {
      facts.compare(with: try keptIntegers("PRAGMA schema_version", count: 1)[0])
    }
    if let known = facts.value(of: fact) { return known }
    let value = try fact.read(on: self)
    facts.set(value, of: fact)
    return value
  }
}

/// The triggers of a database, in the order of their names.
package struct AllTriggers: SchemaFact {
  package init() {}

  package func read(on connection: Connection) throws(DatabaseError) -> [DatabaseSchema.Trigger] {
    try connection.triggers()
  }
}

/// The indexes of a table in the order of their creation.
package struct IndexesOfTable: SchemaFact {
  private let table: [UInt8]
  private let name: String

  package init(_ table: String) {
    // Two names with different bytes are different tables, even if they are equal as strings.
    self.table = Array(table.utf8)
    name = table
  }

  package func read(on connection: Connection) throws(DatabaseError) -> [DatabaseSchema.Index] {
    try connection.databaseSchema(of: name).tables[name]?.indexes ?? []
  }

  package static func == (one: Self, other: Self) -> Bool { one.table == other.table }

  package func hash(into hasher: inout Hasher) { hasher.combine(table) }
}

/// Whether a table exists that stores its rows itself.
package struct TableExists: SchemaFact {
  private let name: String

  package init(_ name: String) {
    self.name = name
  }

  package func read(on connection: Connection) throws(DatabaseError) -> Bool {
    try connection.hasTable(name)
  }
}
