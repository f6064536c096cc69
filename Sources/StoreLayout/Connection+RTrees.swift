package import SQLiteAccess

extension Connection {
  /// Makes an R-tree from the rows of its table. One of its name is dropped first: rows that are deleted from an R-tree
  /// can stay readable in its tables.
  ///
  /// - Throws: `DatabaseError`
  package func makeRTree(_ tree: RTreeLayout) throws(DatabaseError) {
    try run("DROP TABLE IF EXISTS \(name: tree.name)")
    try define(tree.sql)
    try run(tree.filling())
  }
}
