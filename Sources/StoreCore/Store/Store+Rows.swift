package import RecordFormats
package import StoreDiagnostics
package import StoreLayout
package import StoreModel

extension Store {
  /// Adds the records of a text as rows of the plan's entity: all, or none when it throws.
  ///
  /// - Throws: `DiagnosticError` with the mistakes of the input, `RowError`, `DatabaseError`,
  ///   `Cancelled`.
  package func insert(
    _ source: some ByteSource, format: RecordFormat, delimiter: FieldDelimiter? = nil,
    by plan: InsertPlan, in layout: StoreLayout, on policy: ConflictPolicy = .fail,
    key: [String] = [], validates: Bool = true,
    cancellation: Cancellation = .ofProcess, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> InsertResult {
    let batch = BatchInsert(
      plan, in: layout, store: metadata.uuid, on: policy, key: key, validates: validates,
      cancellation: cancellation, progress: progress)
    return try write(cancellation: cancellation) {
      try batch.run(source, format: format, delimiter: delimiter, on: $0)
    }
  }

  /// Where Core Data keeps the values that it does not put into rows: `.Todo_SUPPORT/_EXTERNAL_DATA`
  /// beside `Todo.sqlite`.
  package var externalDataFolder: FilePath { ExternalFolder.path(beside: path) }

  /// The symbolic link that keeps a value's file from being read and removed: the file or one of its
  /// folders.
  package func link(toValue name: String) -> FilePath? {
    ExternalFolder(path: externalDataFolder).link(to: name)
  }
}
