import StoreDiagnostics

extension Connection {
  /// A virtual table or a view, and SQLite's words on why it can't be asked.
  package struct UnusableTable: Hashable {
    package var name: String
    package var words: String
  }

  /// Tables of an app whose module SQLite does not have, or whose own tables are gone. Nothing is read from them.
  package func unusableTables() throws(DatabaseError) -> [UnusableTable] {
    try unusable(among: names(of: .virtualTable)) { name throws(DatabaseError) in
      var rows = try prepare("SELECT * FROM \(name: name) LIMIT 1")
      _ = try rows.step()
    }
  }

  /// Views that need what is not there. One may have no end, so they are only compiled.
  package func unusableViews() throws(DatabaseError) -> [UnusableTable] {
    try unusable(among: names(of: .view)) { name throws(DatabaseError) in
      _ = try prepare("SELECT * FROM \(name: name) LIMIT 1")
    }
  }

  private func unusable(
    among names: [String], _ attempt: (_ name: String) throws(DatabaseError) -> Void
  ) throws(DatabaseError) -> [UnusableTable] {
    var unusable: [UnusableTable] = []
    for name in names {
      do throws(DatabaseError) {
        try attempt(name)
      } catch {
        guard let words = error.words else { throw error }
        unusable.append(UnusableTable(name: name, words: words))
      }
    }
    return unusable
  }

  /// A table that no statement can be compiled for, since its declaration, that of an index or a trigger names what this
  /// SQLite does not have, such as a collation.
  package func firstUncompilableTable() throws(DatabaseError) -> UnusableTable? {
    for name in try tableNames() where !name.hasPrefix("sqlite_") {
      let columns = try columnNames(of: name).map(SQL.name).joined(", ")
      let statements: [SQL] = [
        "SELECT 1 FROM \(name: name) ORDER BY \(columns)",
        "INSERT INTO \(name: name) DEFAULT VALUES",
      ]
      for statement in statements {
        do throws(DatabaseError) {
          _ = try prepare(statement)
        } catch {
          // The table may be one that must not be written to.
          guard let words = error.words else { continue }
          return UnusableTable(name: name, words: words)
        }
      }
    }
    return nil
  }

  private func names(of kind: DatabaseSchema.StandIn) throws(DatabaseError) -> [String] {
    try standIns().filter { $0.value == kind }.keys.sorted()
  }
}
