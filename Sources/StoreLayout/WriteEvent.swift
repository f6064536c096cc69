package import SQLiteAccess

/// What is done to the rows of a table.
package enum WriteEvent: Hashable, Sendable {
  case insert
  /// Of these columns.
  case update([String])
  case delete

  /// As a trigger names it.
  package var sql: SQL {
    switch self {
    case .insert: "INSERT"
    case .update(let columns): "UPDATE OF \(columns.map(SQL.name).joined(", "))"
    case .delete: "DELETE"
    }
  }
}
