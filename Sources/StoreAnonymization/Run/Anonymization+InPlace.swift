import StoreDiagnostics
import SQLiteAccess
import StoreCore
import StoreVerification

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Anonymization {
  /// Anonymizes the store itself and closes it: only then the `-wal` is in the file. It has to be opened alone.
  ///
  /// - Parameter now: seconds since 1970, for the age of files.
  /// - Throws: as `dryRun`; the store is then as it was.
  package func runInPlace(
    now: Double = Date().timeIntervalSince1970
  ) throws -> AnonymizationResult {
    var result = try beginning(besides: store.path)
    let draft = try NewFile(target: "\(store.path).anonymized", like: store.path)
    defer { draft.discard() }
    let files = ReplacedFiles(of: folder, into: folder, for: store.path)
    let old = Set(try store.read { try $0.files(named: externalColumns) }.map { $0.uppercased() })
    do {
      let copy = try anonymizedCopy(files, &result)
      try requireFiles(old, replacedIn: copy)
      _ = try keptFiles(of: copy, files, &result)
      progress(.writing)
      try write(copy, to: draft)
      try copy.close()
      try folder.sync(for: store.path)
      progress(.puttingBack)
      try store.replaceContent(with: Store.openDraft(draft), cancellation: cancellation)
    } catch {
      files.discard()
      throw error
    }
    do {
      result.filesLeft += try removeFiles(of: old, at: now)
    } catch is DatabaseError {
      // The store is another one by now; what could not be looked at may hold old values.
      result.filesLeft += old.sorted()
    }
    try store.close()
    result.bytesAfter = try DatabaseFile(store.path).size
    return result
  }

  /// Rows lose the names of files that are replaced, and a missing one may only be in another folder.
  private func requireFiles(_ old: Set<String>, replacedIn copy: Database) throws {
    let kept = try copy.read { try $0.files(named: externalColumns) }.map { $0.uppercased() }
    let there = try folder.contents()
    let missing = old.subtracting(kept).subtracting(there.files).subtracting(there.links)
    guard missing.isEmpty else {
      throw AnonymizationError.missingFiles(missing.sorted(), folder: folder.path)
    }
  }

  /// Files of replaced values, and those of no row that have rested: they hold old values, too.
  ///
  /// - Returns: those that hold such and are still there.
  private func removeFiles(of old: Set<String>, at now: Double) throws -> [String] {
    let orphans = store.orphanFiles(at: now)
    let (idle, named) = try store.read { connection in
      (try orphans.names(connection), try connection.files(named: externalColumns))
    }
    let sorted = try store.read { try orphans.sorted($0) }
    let obsolete = old.subtracting(named.map { $0.uppercased() })
    let going = Set(idle).intersection(obsolete).union(sorted.removable)
    for name in going.sorted() { folder.remove(name) }
    let there = try folder.contents().files
    return there.intersection(obsolete.union(idle)).sorted()
  }
}
