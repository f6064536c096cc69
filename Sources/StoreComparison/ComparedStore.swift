package import SQLiteAccess
package import StoreCore

/// One of the two stores, while its rows are read.
package struct ComparedStore {
  let connection: Connection
  /// What rows need to be written out; its folder is that of the store's large values.
  let context: RowContext

  package init(_ connection: Connection, _ context: RowContext) {
    self.connection = connection
    self.context = context
  }
}
