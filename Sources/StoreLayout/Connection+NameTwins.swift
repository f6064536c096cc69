package import SQLiteAccess
import StoreDiagnostics

extension Connection {
  /// Refuses a store in which two names look alike and have different bytes: people can't tell them
  /// apart, and neither can a `String`.
  ///
  /// - Throws: `StoreLayoutError.twinNames`, `DatabaseError`
  package func refuseNameTwins() throws {
    if let twins = try unicodeTableNames().firstTwin {
      throw StoreLayoutError.twinNames(path: path, kind: .table, owner: nil, twins)
    }
    let columns = ExactDictionary(
      try unicodeColumnNames().map { ($0.table, [$0.column]) }, uniquingKeysWith: +)
    for (table, names) in columns {
      guard let twins = names.firstTwin else { continue }
      throw StoreLayoutError.twinNames(path: path, kind: .column, owner: table, twins)
    }
    if let twins = try primaryKeys().map(\.name).firstTwin {
      throw StoreLayoutError.twinNames(path: path, kind: .entity, owner: nil, twins)
    }
  }
}
