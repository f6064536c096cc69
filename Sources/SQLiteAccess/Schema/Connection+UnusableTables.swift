import StoreSQL

extension Connection {
  /// A virtual table or a view, and SQLite's words on why it can't be asked.
  package struct UnusableTable: Hashable {
    package var name: String
    package var words: String
  }

  /// Tables of an app whose module SQLite does not have, or whose own tables are gone. Nothing is read from them.
  package func unusableTables(withViews: Bool = false) throws(DatabaseError) -> [UnusableTable] {
    let tables = try virtualTableNames().map { ($0, false) }
    let views = try withViews ? viewNames().map { ($0, true) } : []
    var unusable: [UnusableTable] = []
    for (name, isView) in tables + views {
      do throws(DatabaseError) {
        try tryReading(name, isView: isView)
      } catch {
        guard let words = error.words else { throw error }
        unusable.append(UnusableTable(name: name, words: words))
      }
    }
    return unusable
  }

  /// A view may have no end, so it is only compiled.
  private func tryReading(_ name: String, isView: Bool) throws(DatabaseError) {
    var rows = try prepare("SELECT * FROM \(name: name) LIMIT 1")
    if !isView { _ = try rows.step() }
  }

  package func virtualTableNames() throws(DatabaseError) -> [String] {
    try names(
      "SELECT m.name FROM sqlite_master m WHERE m.type = 'table' AND NOT \(Self.isTable) ORDER BY 1"
    )
  }

  private func viewNames() throws(DatabaseError) -> [String] {
    try names("SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY 1")
  }

  private func names(_ query: SQL) throws(DatabaseError) -> [String] {
    try rows(query).compactMap { $0.first?.text }
  }
}
