import SQLiteAccess
package import StoreCore
package import StoreDiagnostics
package import StoreLayout
import StoreVerification

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Replaces the values of a store according to rules. The old values don't remain in the store's file, not even in free
/// pages.
///
/// All changes are made in a temporary copy, whose file doesn't have a name. Its rows are then written in compact form
/// to a new file, which never contained the replaced values. The new file becomes the anonymized copy, or replaces the
/// content of the store in one transaction.
package struct Anonymization {
  package struct Settings: Hashable, Sendable {
    package enum OtherContent: String, CaseIterable, Hashable, Sendable {
      case keep, drop
    }

    /// Whether content outside of the model is kept or removed. If it is nil, a store with such tables or columns is
    /// rejected.
    package var otherContent: OtherContent?
    /// Whether the app's own entries in the metadata are kept.
    package var keepsMetadata = false
    /// Whether the store gets another UUID, which also changes the IDs of its objects.
    package var givesNewIdentity = false

    package init() {}
  }

  /// The current phase, for display.
  package enum Phase: Hashable, Sendable {
    case copying
    /// Replacing the values of an entity and its subentities.
    case replacing(String)
    case writing
    /// Replacing the content of the store by the new file.
    case puttingBack
  }

  let store: Store
  let layout: StoreLayout
  let settings: Settings
  private let book: RuleBook
  private let source: ValueSource
  let cancellation: Cancellation
  let progress: (Phase) -> Void

  /// - Parameter key: the secret from which replacements are derived.
  package init(
    of store: Store, in layout: StoreLayout, by book: RuleBook, key: [UInt8],
    settings: Settings = Settings(), cancellation: Cancellation = .ofProcess,
    progress: @escaping (Phase) -> Void = { _ in }
  ) {
    (self.store, self.layout, self.book, self.settings) = (store, layout, book, settings)
    source = ValueSource(key: key)
    (self.cancellation, self.progress) = (cancellation, progress)
  }

  /// Replaces the values in a temporary copy of the store, and discards the copy.
  ///
  /// - Throws: `AnonymizationError`, `StoreLayoutError`, `DatabaseError`, `ExternalValueMissing`, `NoSpaceError`,
  ///   `Cancelled`
  package func dryRun() throws -> AnonymizationResult {
    var result = try beginning(besides: nil)
    let files = ReplacedFiles(of: folder, into: nil, for: store.path)
    let copy = try anonymizedCopy(files, &result)
    let kept = try copy.read { try $0.files(named: externalColumns) }
    result.filesReplaced = files.count
    result.filesKept = kept.count
    return result
  }

  /// Writes an anonymized copy of the store, whose path must not exist.
  ///
  /// - Throws: `AnonymizationError`, `StoreLayoutError`, `DatabaseError`, `ExternalValueMissing`, `NoSpaceError`,
  ///   `Cancelled`. The copy is then removed.
  package func write(to target: LocalPath) throws -> AnonymizationResult {
    var result = try beginning(besides: target)
    let draft = try NewFile(target: target, like: store.path)
    defer { draft.discard() }
    let own = try DraftFolder(beside: target)
    let files = ReplacedFiles(of: folder, into: own.folder, for: target)
    do {
      let copy = try anonymizedCopy(files, &result)
      let kept = try keptFiles(of: copy, files, &result)
      progress(.writing)
      try write(copy, to: draft)
      try folder.duplicate(kept, to: own.folder.path, for: target)
      try own.folder.sync(for: target)
      try draft.publish()
    } catch {
      own.discard()
      throw error
    }
    own.finish()
    result.bytesAfter = try DatabaseFile(target).size
    return result
  }

  // MARK: Steps

  var folder: ExternalFolder { ExternalFolder(path: store.externalDataFolder) }

  var externalColumns: [ExternalColumn] { ExternalColumn.all(of: layout.entities) }

  /// Requires enough disk space for the anonymization, and creates its result.
  ///
  /// - Parameter target: the path at which a file of about the size of the store will be written, or nil.
  func beginning(besides target: LocalPath?) throws -> AnonymizationResult {
    if let link = folder.link { throw StoreLayoutError.linkedValues(path: link) }
    var result = AnonymizationResult()
    let bytes = try store.read { try $0.byteCount() }
    result.bytesBefore = bytes
    let needs =
      target.map { DiskNeed.needs(beside: $0, bytes, temporary: bytes) }
      ?? [DiskNeed(folder: DatabaseFile.temporaryFolder, bytes: bytes)]
    for need in needs { try need.require() }
    return result
  }

  func anonymizedCopy(
    _ files: ReplacedFiles, _ result: inout AnonymizationResult
  ) throws -> Database {
    progress(.copying)
    let copy = try store.namelessCopy(cancellation: cancellation)
    try copy.write(heeding: cancellation) { connection in
      try connection.interrupting(on: cancellation) {
        try store.mappingErrors(connection) { try anonymize(connection, files, &result) }
      }
    }
    return copy
  }

  private func anonymize(
    _ connection: Connection, _ files: ReplacedFiles, _ result: inout AnonymizationResult
  ) throws {
    try connection.quickCheck(naming: store.path)
    let schema = try connection.schema()
    let gaps = layout.gaps(in: schema).filter { !$0.isHarmless }
    guard gaps.isEmpty else { throw StoreLayoutError.incomplete(path: store.path, lacks: gaps) }
    let plan = try AnonymizationPlan(
      book, in: layout, schema, dropsOther: settings.otherContent == .drop, from: source)
    guard !plan.other.holdsValues || settings.otherContent != nil else {
      throw AnonymizationError.otherContent(plan.other)
    }
    result.otherContent = plan.other
    result.dropsOtherContent = settings.otherContent == .drop
    try plan.check(connection)
    result.attributes = try plan.attributes(connection)
    let counts = try rowCounts(connection)
    let work = AnonymizationWork(
      plan: plan, layout: layout, settings: settings, metadata: store.metadata, progress: progress)
    try work.run(on: connection, files, &result)
    try require(counts, connection)
    try cancellation.check()
  }

  /// Returns the numbers of rows in the model's tables, by table. They must not change.
  func rowCounts(_ connection: Connection) throws(DatabaseError) -> ExactDictionary<Int64> {
    let own = (layout.tables.map(\.name) + layout.joinTables.map(\.name)).exact
    return try connection.rowCounts().filter { own.contains(ExactText($0.key)) }
  }

  /// Checks that the numbers of rows are still `counts`.
  ///
  /// - Throws: `AnonymizationError.rowsDiffer`, `DatabaseError`
  func require(_ counts: ExactDictionary<Int64>, _ connection: Connection) throws {
    let found = try rowCounts(connection)
    for table in counts.keys.sorted() where counts[table] != found[table] {
      throw AnonymizationError.rowsDiffer(
        table: table, before: counts[table], after: found[table])
    }
  }

  /// Returns the names of the external files whose values aren't replaced, and sets the properties of `result` that
  /// count or list files.
  func keptFiles(
    of copy: Database, _ files: ReplacedFiles, _ result: inout AnonymizationResult
  ) throws -> [String] {
    let named = try copy.read { try $0.files(named: externalColumns) }.subtracting(files.written)
    let there = try folder.contents()
    let kept = named.filter { there.files.contains($0) }.sorted()
    if let link = named.intersection(there.links).min() {
      throw StoreLayoutError.linkedValues(path: "\(folder.path)/\(link)")
    }
    result.filesReplaced = files.count
    result.filesKept = kept.count
    result.filesLeft = files.missing + named.subtracting(kept).sorted()
    return kept
  }

  func write(_ copy: Database, to draft: NewFile) throws {
    let counts = try copy.read { try rowCounts($0) }
    try store.write(copy, to: draft, cancellation: cancellation)
    let written = try Store.openDraft(draft)
    try written.read { try require(counts, $0) }
    try written.close()
  }
}

extension Anonymization {
  /// Anonymizes the store in place, and closes it, because only closing moves the content of the `-wal` file to the
  /// store's file. The store must be opened exclusively.
  ///
  /// - Parameter now: seconds since 1970, for the age of files.
  /// - Throws: `AnonymizationError`, `StoreLayoutError`, `DatabaseError`, `ExternalValueMissing`, `NoSpaceError`,
  ///   `Cancelled`. The store is then unchanged, unless the error occurs after its content was replaced, for example
  ///   when it is closed.
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
      // The content of the store is already replaced. Files that couldn't be checked can contain old values.
      result.filesLeft += old.sorted()
    }
    try store.close()
    result.bytesAfter = try DatabaseFile(store.path).size
    return result
  }

  /// Checks that the files of replaced values exist. A missing file can be in another folder. It would keep the old
  /// value, but no row would refer to it any more.
  private func requireFiles(_ old: Set<String>, replacedIn copy: Database) throws {
    let kept = try copy.read { try $0.files(named: externalColumns) }.map { $0.uppercased() }
    let there = try folder.contents()
    let missing = old.subtracting(kept).subtracting(there.files).subtracting(there.links)
    guard missing.isEmpty else {
      throw AnonymizationError.missingFiles(missing.sorted(), folder: folder.path)
    }
  }

  /// Removes the files of replaced values, and orphaned files that are old enough, because both can contain old values.
  ///
  /// - Returns: the names of remaining files that can contain old values.
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
