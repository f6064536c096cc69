import StoreDiagnostics
package import SQLiteAccess
package import StoreCore
import StoreLayout

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The files beside a store that belong to no row, and which of them may go.
///
/// A row without its file has lost a value, so a file goes only when it is surely of no row:
/// - no value in any column of any table names it, asked while this process holds the write lock, so
///   that no other is between its rows and its commit;
/// - it has lain there for an hour: a program puts its files before it begins to write rows;
/// - no other store beside this one has the same folder, as `Todo.sqlite` and `Todo.db` have.
package struct OrphanFiles {
  package let folder: ExternalFolder
  /// The store's own file.
  let store: FilePath
  /// Seconds since 1970.
  let now: Double

  /// Longer than any program takes from its files to its commit.
  static let restingTime = 3600.0

  package struct Sorted {
    /// May go, by name.
    package var removable: [String] = []
    /// Too young.
    package var young: [String] = []
  }

  /// All of them, by name.
  ///
  /// - Throws: `DatabaseError` when the folder can't be read.
  package func names(_ connection: Connection) throws(DatabaseError) -> [String] {
    try unnamed(folder.contents().files, connection)
  }

  /// Returns those of the files that no row names, by name.
  ///
  /// - Throws: `DatabaseError` when the folder of the store can't be read.
  package func unnamed(
    _ files: Set<String>, _ connection: Connection
  ) throws(DatabaseError) -> [String] {
    if files.isEmpty { return [] }
    if try isShared { return [] }
    var files = files
    for column in try columns(connection) {
      try connection.forEachFile(in: column) { files.remove($0) }
    }
    return files.sorted()
  }

  /// - Throws: `DatabaseError` when the folder can't be read.
  package func sorted(_ connection: Connection) throws(DatabaseError) -> Sorted {
    var sorted = Sorted()
    for name in try names(connection) {
      if hasRested(name) { sorted.removable.append(name) } else { sorted.young.append(name) }
    }
    return sorted
  }

  /// Whether a file has lain there, under its name and with its content, for long enough. A date in the
  /// future counts as now.
  private func hasRested(_ name: String) -> Bool {
    do {
      guard case .file(let changed) = try folder.held().entry(name) else { return false }
      return now - changed >= Self.restingTime
    } catch {
      return false
    }
  }

  /// Whatever may hold bytes: not only the columns of the model, but leftovers of a migration and the
  /// history, too.
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

  /// Whether another store's values lie in the same folder, which is named after the store without
  /// its extension.
  private var isShared: Bool {
    get throws(DatabaseError) {
      let names: [FilePath]
      do {
        names = try store.folder.names()
      } catch {
        throw .inputOutput(
          path: store.folder.orHere, message: "the folder can't be read: \(error.reason)")
      }
      let base = "\(store.base)".lowercased()
      return names.contains { name in
        name != store.name && "\(name.base)".lowercased() == base
          && isDatabase(store.folder.appending(name))
      }
    }
  }

  private func isDatabase(_ path: FilePath) -> Bool {
    do {
      _ = try DatabaseFile(path)
      return true
    } catch {
      switch error {
      case .notADatabase, .emptyFile, .atomicStore, .isFolder, .notFound: return false
      // What can't be looked at may be one.
      default: return true
      }
    }
  }
}

extension Connection {
  /// Calls `body` with the name of each file that a column's values name, in upper case.
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
