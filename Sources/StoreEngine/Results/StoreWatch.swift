package import StoreDiagnostics
import SQLiteAccess
package import StoreLayout
import StoreCore

/// Tells when somebody has written to a store that is only looked at: no file is made or changed.
package struct StoreWatch {
  private var connection: LiveConnection

  /// - Throws: `DatabaseError`
  package init(_ path: FilePath) throws {
    connection = try LiveConnection(path, .withoutTrace, nil)
  }

  /// Whether somebody may have written since the last call that returned true; true at first.
  ///
  /// - Throws: `DatabaseError`
  package mutating func hasChanged() throws -> Bool {
    do {
      return try connection.hasChanged()
    } catch let error as DatabaseError where error.isPassing {
      return false
    }
  }

  /// What the store says of itself now; nil where a writer holds it, or it says nothing.
  ///
  /// - Throws: `DatabaseError`
  package func metadata() throws -> StoreMetadata? {
    do {
      return try connection.store.readOnce { try $0.metadata() }
    } catch let error as DatabaseError where error.isPassing {
      return nil
    }
  }
}
