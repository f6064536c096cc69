import SQLiteAccess
import StoreDiagnostics
import StoreImport
import StoreLayout
import StoreMigration
import StoreModel
import StoreModelReader

/// Tests the migrations between versions of the available models. Each migration has its own sample store.
struct MigrationMatrix {
  struct Pair {
    fileprivate let versions: MatrixVersions
    fileprivate let from: ModelVersion
    fileprivate let to: ModelVersion

    fileprivate var name: VersionPair { .init(from: from.name, to: to.name) }
  }

  struct Result {
    let model: String
    let from: String
    let to: String
    /// The file of the newer version.
    let target: LocalPath
    /// The files of the definitions that the migration uses.
    var definitions: [LocalPath] = []
    var result: PairTrial.Result
  }

  let modelCount: Int
  let pairs: [Pair]
  /// All pairs of an older and a newer version that are readable and supported, by the name of the model. `pairs`
  /// contains only the tested ones.
  let possible: [String: Set<VersionPair>]
  /// Warnings about definitions, and notes about skipped versions.
  let notes: [DiagnosticMessage]

  /// - Parameters:
  ///   - from: The only version to migrate from; nil for all.
  ///   - to: The only version to migrate to; nil for all.
  ///   - oldest: The oldest supported version; nil for all. Pairs from older versions are skipped.
  ///   - isComplete: Whether to test all pairs if neither `from` nor `to` is specified. Otherwise only the pairs of
  ///     neighbors, of the first and the last version, and with a definition are tested: a hundred versions have 4,950
  ///     pairs.
  ///   - migrations: The folder of definitions; nil for the default folder of each model.
  /// - Throws: An error of finding models, versions or definitions.
  init(
    _ workspace: Workspace, from: String?, to: String?, since oldest: String?, isComplete: Bool,
    migrations: LocalPath?
  ) throws {
    var bundles = try workspace.bundles()
    if let oldest { _ = try bundles.having(oldest) }
    if let to, bundles.count > 1 {
      bundles = try bundles.having(to)
    }
    modelCount = bundles.count
    let all = try bundles.map { bundle in
      try MatrixVersions(
        bundle, migrations: bundle.migrationsFolder(named: migrations), since: oldest)
    }
    possible = Dictionary(
      all.map { ($0.bundle.name, Set($0.pairs.map(\.name))) }, uniquingKeysWith: { $0.union($1) })
    notes =
      all.flatMap(\.graph.definitions.warnings) + all.compactMap(\.unsupportedNote)
      + bundles.flatMap { bundle in
        bundle.versions.filter { !$0.isReadable }.map {
          DiagnosticMessage(
            .note, "migrate.left-out",
            "'\($0.name)' of '\(bundle.name)' is skipped, because it isn't XML"
          )
        }
      }
    pairs = try all.flatMap { versions in
      let from = try from.map(versions.bundle.version(named:))
      let to = try to.map(versions.bundle.version(named:))
      guard from == nil, to == nil else {
        return versions.pairs.filter {
          ($0.from == from || from == nil) && ($0.to == to || to == nil)
        }
      }
      return isComplete ? versions.pairs : versions.usualPairs
    }
  }

  /// Tests the pairs one after the other, with stores in a temporary folder, which is removed at the end.
  ///
  /// - Throws: An error that isn't related to a pair, such as a full disk or `Cancelled`.
  func run(_ sample: PairTrial.Sample, progress: (Int) -> Void) throws -> [Result] {
    try PairTrial.withTemporaryFolder { folder in
      try pairs.enumerated().map { index, pair in
        try Cancellation.ofProcess.check()
        progress(index)
        return try pair.versions.run(pair, sample, in: folder)
      }
    }
  }
}

/// The versions of one bundle and their pairs.
private struct MatrixVersions {
  let graph: VersionGraph
  private let versions: HashedVersions
  let bundle: ModelBundle
  /// The oldest supported version; nil for all.
  private let oldest: String?

  /// - Parameter migrations: The folder of definitions.
  /// - Throws: An error of finding definitions.
  init(_ bundle: ModelBundle, migrations: LocalPath, since oldest: String?) throws {
    self.bundle = bundle
    self.oldest = oldest
    versions = VersionsAtHand(of: bundle).hashed
    graph = VersionGraph(
      of: versions.source, try DefinitionFolder.find(of: bundle, in: migrations))
  }

  /// The readable versions, beginning with `oldest`. Their names and the definitions determine the order.
  private var readable: [ModelVersion] {
    graph.order.names(since: oldest).compactMap { name in
      bundle.versions.first { $0.name.isExactly(name) && $0.isReadable }
    }
  }

  /// A note about the versions before `oldest`; nil if there are none.
  var unsupportedNote: DiagnosticMessage? {
    let count = graph.order.names.count - graph.order.names(since: oldest).count
    guard let oldest, count > 0 else { return nil }
    return DiagnosticMessage(
      .note, "migrate.unsupported",
      "skipped \(count) \("version".plural(count)) of '\(bundle.name)' before '\(oldest)'"
    )
  }

  /// All pairs of an older and a newer readable version.
  var pairs: [MigrationMatrix.Pair] {
    let readable = readable
    return readable.indices.flatMap { index in
      readable[..<index].map { .init(versions: self, from: $0, to: readable[index]) }
    }
  }

  /// The pairs of neighbors, of the first and the last version, and of versions with a definition.
  var usualPairs: [MigrationMatrix.Pair] {
    let readable = readable
    let neighbors = zip(readable, readable.dropFirst()).map { [$0, $1] }
    let ends = [readable.first, readable.last].compactMap(\.self)
    let defined = graph.definitions.jumps.map { jump in
      readable.filter { $0.name.isExactly(jump.from) || $0.name.isExactly(jump.to) }
    }
    let wanted = Set(neighbors + [ends] + defined)
    return pairs.filter { wanted.contains([$0.from, $0.to]) }
  }

  func run(
    _ pair: MigrationMatrix.Pair, _ sample: PairTrial.Sample, in folder: LocalPath
  ) throws -> MigrationMatrix.Result {
    var outcome = MigrationMatrix.Result(
      model: bundle.name, from: pair.from.name, to: pair.to.name,
      target: pair.to.path, result: .init(.same))
    let trial: PairTrial
    do {
      let source = try versions.source.model(of: pair.from.name)
      _ = try versions.source.model(of: pair.to.name)
      guard !haveEqualHashes(pair.from.name, pair.to.name) else { return outcome }
      let path = try graph.path(from: identified(pair.from.name), to: pair.to.name)
      outcome.definitions = path.legs.compactMap { graph.definitions.path(of: $0) }
      trial = PairTrial(
        of: source, by: try graph.route(along: path, model: versions.source.model).mappings,
        names: (pair.from.name, pair.to.name), sample: sample)
    } catch let error as any DiagnosableError {
      outcome.result = .init(.refused, problems: PairIssue.all(of: error))
      return outcome
    }
    outcome.result = try trial.run(in: folder)
    return outcome
  }

  /// Returns the name of the version that `migrate` identifies for a store of `version`, which can be another version
  /// with the same hashes.
  private func identified(_ version: String) -> String {
    versions.source.namesLikelyFirst.first { haveEqualHashes($0, version) } ?? version
  }

  /// Returns whether two versions have equal hashes. Two versions that can't be read are regarded as equal.
  private func haveEqualHashes(_ one: String, _ other: String) -> Bool {
    switch (hashes(of: one), hashes(of: other)) {
    case (nil, nil): true
    case (let one?, let other?): one.areExactly(other)
    case (_?, nil), (nil, _?): false
    }
  }

  /// Returns the hashes of a version; nil if it can't be read.
  private func hashes(of version: String) -> [String: [UInt8]]? {
    guard
      case .success(let fingerprint) = Result(catching: { try versions.fingerprint(of: version) })
    else { return nil }
    return fingerprint.hashes
  }
}

extension DefinitionSource {
  /// Returns the path of a leg's definition; nil for an inferred migration.
  func path(of leg: MigrationPath.Leg) -> LocalPath? {
    guard case .custom(let jump) = leg else { return nil }
    return path(of: jump)
  }
}

extension VersionOrder {
  /// Returns the versions without those before `oldest`; all versions if `oldest` is nil or a version of another model.
  func names(since oldest: String?) -> [String] {
    guard let oldest, let index = names.firstIndex(of: oldest) else { return names }
    return Array(names[index...])
  }

  /// Returns the versions before `goal`, without those before `oldest`.
  func before(_ goal: String, since oldest: String?) -> [String] {
    let names = names(since: oldest)
    // If `goal` itself is before `oldest`, versions before it aren't supported.
    return names.contains(goal) ? Array(names.prefix { $0 != goal }) : []
  }
}

extension PairTrial {
  /// Runs trials with stores in a temporary folder, which is removed at the end.
  ///
  /// - Throws: `DatabaseError` if the folder can't be created, or an error of `body`.
  static func withTemporaryFolder<Result>(_ body: (LocalPath) throws -> Result) throws -> Result {
    let folder = try TemporaryStoreFolder()
    return try withExtendedLifetime(folder) { try body(folder.path) }
  }
}
