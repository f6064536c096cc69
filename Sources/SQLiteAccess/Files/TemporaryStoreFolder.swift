import Foundation
package import StoreDiagnostics

/// A new folder for temporary stores, which other users can't read. It is removed with this object.
package final class TemporaryStoreFolder: Sendable {
  package let path: LocalPath

  /// - Throws: `DatabaseError` if the folder can't be created.
  package init() throws {
    let path = DatabaseFile.temporaryFolder.appending("storetool-\(UUID().uuidString)")
    do {
      try path.makeFolder(mode: 0o700)
    } catch {
      throw DatabaseFile.error(error, path)
    }
    self.path = path
  }

  /// Removes the folder, unless it was already removed.
  ///
  /// - Throws: `DatabaseError` if a file can't be removed.
  package func remove() throws {
    guard path.kind != nil else { return }
    do {
      try path.removeAll()
    } catch {
      throw DatabaseFile.error(error, path)
    }
  }

  deinit {
    do {
      try remove()
    } catch {
      // The system removes its temporary files later.
    }
  }
}
