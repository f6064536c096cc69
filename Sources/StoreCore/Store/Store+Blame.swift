package import SQLiteAccess
package import StoreLayout

extension Store {
  /// What of the file is to blame when SQLite has refused a statement of ours: something that it lacks and the statement
  /// may need, or holds and SQLite itself can't use. Nil where nothing is: the mistake is ours.
  ///
  /// - Parameter error: what a statement on `connection` has thrown.
  /// - Throws: `DatabaseError`
  package func blame(
    for error: DatabaseError, _ connection: Connection
  ) throws(DatabaseError) -> StoreLayoutError? {
    guard case .sql = error else { return nil }
    do {
      let schema = try connection.schema()
      let gaps = schema.fixedGaps + gaps(in: schema).filter { !$0.isHarmless }
      if !gaps.isEmpty { return .incomplete(path: path, lacks: gaps.removingDuplicates) }
      var unusable = try (connection.unusableTables() + connection.unusableViews()).first
      if unusable == nil { unusable = try connection.firstUncompilableTable() }
      return unusable.map {
        .unreadableTable(path: path, name: $0.name, message: $0.words)
      }
    } catch {
      // Our statements over the schema are right.
      throw error.asDamage
    }
  }
}

extension [SchemaGap] {
  fileprivate var removingDuplicates: [SchemaGap] {
    var seen: Set<SchemaGap> = []
    return filter { seen.insert($0).inserted }
  }
}
