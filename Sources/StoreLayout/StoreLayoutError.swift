package import StoreDiagnostics

/// Why a database is not a store that we can use, or not one for what is asked of it.
package enum StoreLayoutError: Error, Hashable, Sendable {
  /// A database, but without `Z_METADATA`.
  case notAStore(path: FilePath)
  /// A copy that was made of a store, and is removed again.
  case copyDiffers(path: FilePath, CopyDifference)
  /// Writing would have to record history, too, but a table for it lacks the column.
  case unknownHistory(path: FilePath, table: String, column: String)
  case noHistory(path: FilePath)
  /// A trigger that Core Data did not make.
  case foreignTrigger(path: FilePath, name: String, table: String)
  /// A trigger of Core Data that calls a function which we don't know.
  case triggerFunction(path: FilePath, name: String, function: String)
  /// The file lacks something that the model needs.
  case incomplete(path: FilePath, lacks: [SchemaGap])
  /// A view or a virtual table of an app's own that SQLite can't use, and that stands in a statement's way.
  case unreadableTable(path: FilePath, name: String, message: String)
  case unknownVersion(path: FilePath, VersionGap)
  /// The files of values are, or lie behind, a symbolic link.
  case linkedValues(path: FilePath)
  /// Two names that differ only in how Unicode writes their characters.
  ///
  /// - Parameter owner: the table of two columns; nil for names of the whole store.
  case twinNames(path: FilePath, kind: NamedKind, owner: String?, NameTwins)
}

/// What has a name in a store.
package enum NamedKind: String, Hashable, Sendable {
  case table, column, entity
}

/// How a copy reads otherwise than its store.
package enum CopyDifference: Hashable, Sendable {
  case metadata
  /// Nil: there is no such table.
  case rows(table: String, store: Int64?, copy: Int64?)
}
