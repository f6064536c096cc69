import StoreDiagnostics
package import SQLiteAccess
package import StoreCore
import StoreLayout

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The files next to a store that don't belong to any row, and which of them can be removed.
///
/// A row whose file is missing has lost a value, so a file is only removed if all of these conditions are met:
/// - No value in any column that may contain blobs refers to it. This is checked while this process holds the write
///   lock, so that other processes can't be between writing rows and their commit.
/// - It is at least an hour old, because programs create files before they write rows.
/// - No other store in the same folder uses the same external folder, as `Todo.sqlite` and `Todo.db` do.
package struct OrphanFiles {
  package let folder: ExternalFolder
  /// The path of the store.
  let store: LocalPath
  /// The current time in seconds since 1970.
  let now: Double

  /// The minimum age of a removable file in seconds. Programs are assumed to take less time from creating a file to the
  /// commit.
  static let restingTime = 3600.0

  package struct Sorted {
    /// Files that can be removed, sorted by name.
    package var removable: [String] = []
    /// Files whose age is less than `restingTime` or can't be determined, sorted by name.
    package var young: [String] = []
  }

  /// Returns the names of all orphaned files, sorted. The array is empty if another store uses the same folder.
  ///
  /// - Throws: `DatabaseError`, for example if the folder can't be read.
  package func names(_ connection: Connection) throws(DatabaseError) -> [String] {
    try unnamed(folder.contents().files, connection)
  }

  /// Returns the names in `files` that no row refers to, sorted. The array is empty if another store uses the same
  /// folder.
  ///
  /// - Throws: `DatabaseError`, for example if the store's folder can't be read.
  package func unnamed(
    _ files: Set<String>, _ connection: Connection
  ) throws(DatabaseError) -> [String] {
    if files.isEmpty { return [] }
    if try ExternalFolder.isShared(by: store) { return [] }
    var files = files
    for column in try columns(connection) {
      try connection.forEachFile(in: column) { files.remove($0) }
    }
    return files.sorted()
  }

  /// Returns the names of the orphaned files, grouped by whether they can be removed.
  ///
  /// - Throws: `DatabaseError`, for example if the folder can't be read.
  package func sorted(_ connection: Connection) throws(DatabaseError) -> Sorted {
    var sorted = Sorted()
    for name in try names(connection) {
      if hasRested(name) { sorted.removable.append(name) } else { sorted.young.append(name) }
    }
    return sorted
  }

  /// Whether a file has had its name and content for at least `restingTime`. Returns false for a time in the future.
  private func hasRested(_ name: String) -> Bool {
    do {
      guard case .file(let changed) = try folder.held().entry(name) else { return false }
      return now - changed >= Self.restingTime
    } catch {
      return false
    }
  }

  /// Returns all columns of all tables that may contain blobs, including columns that aren't in the model.
  private func columns(_ connection: Connection) throws(DatabaseError) -> [ExternalColumn] {
    let tables = try connection.databaseSchema().tables.values.sorted { $0.name < $1.name }
    return tables.flatMap { table in
      table.columns.filter { Self.mayHoldBytes($0) }.map {
        ExternalColumn(table: table.name, column: $0.name)
      }
    }
  }

  private static func mayHoldBytes(_ column: DatabaseSchema.Column) -> Bool {
    switch DeclaredType(rawValue: column.declaredType.uppercased()) {
    case .integer, .timestamp, .float, .decimal, .varchar: false
    case .blob, nil: true
    }
  }
}

extension Connection {
  /// Calls `body` with the name of each file that a value of the column refers to, in upper case.
  ///
  /// - Throws: `DatabaseError`
  package func forEachFile(
    in column: ExternalColumn, _ body: (String) -> Void
  ) throws(DatabaseError) {
    var named = try prepare(
      "SELECT upper(\(column.fileText)) FROM \(name: column.table) WHERE \(column.isMarked)")
    while try named.step() { body(named.text(at: 0)) }
  }
}
