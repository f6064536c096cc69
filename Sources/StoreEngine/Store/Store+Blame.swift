extension Store {
  /// Why SQLite has refused a statement of ours: because of the file, if that lacks something that the statement may need
  /// or holds something that SQLite itself can't use; else it stays our mistake.
  ///
  /// - Parameter error: what a statement on `connection` has thrown.
  package func blame(for error: StoreError, _ connection: Connection) -> StoreError {
    guard case .sql(let path, _, let message) = error else { return error }
    do {
      let gaps = try connection.schema().fixedGaps + gaps.filter { !$0.isHarmless }
      if !gaps.isEmpty { return .incomplete(path: path, lacks: gaps.removingDuplicates) }
      guard let unusable = try connection.unusableTables(withViews: true).first else {
        return error
      }
      return .unreadableTable(path: path, name: unusable.name, message: unusable.words)
    } catch .cancelled {
      return .cancelled
    } catch {
      // Our statements over the catalogue are right.
      return .damaged(path: path, message: message)
    }
  }
}

extension Connection {
  /// A virtual table or a view, and SQLite's words on why it can't be asked.
  struct UnusableTable: Hashable {
    var name: String
    var words: String
  }

  /// Tables of an app whose module SQLite does not have, or whose own tables are gone. Nothing is read from them.
  func unusableTables(withViews: Bool = false) throws(StoreError) -> [UnusableTable] {
    let tables = try virtualTableNames().map { ($0, false) }
    let views = try withViews ? viewNames().map { ($0, true) } : []
    var unusable: [UnusableTable] = []
    for (name, isView) in tables + views {
      do throws(StoreError) {
        try tryReading(name, isView: isView)
      } catch {
        guard let words = error.words else { throw error }
        unusable.append(UnusableTable(name: name, words: words))
      }
    }
    return unusable
  }

  /// A view may have no end, so it is only compiled.
  private func tryReading(_ name: String, isView: Bool) throws(StoreError) {
    var rows = try prepare("SELECT * FROM \(name: name) LIMIT 1")
    if !isView { _ = try rows.step() }
  }

  func virtualTableNames() throws(StoreError) -> [String] {
    try names(
      "SELECT m.name FROM sqlite_master m WHERE m.type = 'table' AND NOT \(Self.isTable) ORDER BY 1"
    )
  }

  private func viewNames() throws(StoreError) -> [String] {
    try names("SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY 1")
  }

  private func names(_ query: SQL) throws(StoreError) -> [String] {
    try rows(query).compactMap { $0.first?.text }
  }
}

extension StoreError {
  /// SQLite's own, where it is the file that it speaks of.
  var words: String? {
    switch self {
    case .sql(_, _, let message), .damaged(_, let message), .constraint(_, let message):
      message
    default: nil
    }
  }
}

extension [SchemaGap] {
  fileprivate var removingDuplicates: [SchemaGap] {
    var seen: Set<SchemaGap> = []
    return filter { seen.insert($0).inserted }
  }
}
