import SQLiteAccess
import StoreLayout
import StoreDiagnostics

/// The schema of a real store or the expected schema, in comparable form.
struct Schema {
  /// `NAME TYPE` by table, in the order of the statement.
  var columns: ExactDictionary<[String]> = [:]
  var primaryKeys: ExactDictionary<[String]> = [:]
  /// The text of `CREATE INDEX`.
  var indexes: Set<String> = []
  var triggers: Set<String> = []
  /// `number name super`
  var numbers: Set<String> = []
  /// Whether no object was ever dropped from the schema, which means that the store was never migrated in place.
  var isOriginal = true
  var frameworkVersion: Int64 = 0

  init(of connection: Connection, metadata: StoreMetadata) throws {
    frameworkVersion = metadata.frameworkVersion ?? 0
    let numbers = try connection.rows("SELECT rowid FROM sqlite_master ORDER BY rowid")
    isOriginal = numbers == (0..<numbers.count).map { [.integer(Int64($0 + 1))] }
    let snapshot = SchemaSnapshot(of: try connection.databaseSchema())
    columns = snapshot.tables.mapValues { $0.map { "\($0.name) \($0.declaredType)" } }
    primaryKeys = snapshot.tables.mapValues { columns in
      columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
    }
    indexes = Set(snapshot.indexes.values)
    triggers = Set(snapshot.triggers.values)
    self.numbers = Set(
      try connection.primaryKeys().filter { $0.number < HistoryEntity.first }
        .map { "\($0.number) \($0.name) \($0.parentNumber)" })
  }
}
