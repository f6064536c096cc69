package import StoreCore
package import StoreDiagnostics
import StoreLayout
package import StoreModel

/// A requested migration: the store, its version, the target, and the route between them.
package struct RequestedMigration: Sendable {
  /// The store, opened for reading. If it already has the target version, it may be in use or read-only.
  package let store: Store
  package let source: SourceVersion
  /// The name of the target version.
  package let target: String
  /// The route; empty if the store already has the target version.
  package let route: MigrationRoute
  package let warnings: [DiagnosticMessage]
  /// The version hashes and names that the store's metadata will contain.
  private let goal: ModelFingerprint
  private let targetModel: DataModel
  private let graph: VersionGraph

  /// - Parameters:
  ///   - source: the version of the store.
  ///   - target: the name of the target version. The default is the current version.
  ///   - via: the names of the intermediate versions. If empty, the migration chooses them.
  ///   - steps: the program's own code between versions.
  /// - Throws: an error if a version doesn't exist or can't be read, `MigrationPathError` if there isn't a path,
  ///   `DiagnosticError` if a definition doesn't match the models or two steps have the same versions, and errors of
  ///   reading a definition on the path.
  package init(
    _ store: Store, from source: SourceVersion, to target: String? = nil, via: [String] = [],
    definitions: any DefinitionSource, steps: [CustomStep] = []
  ) throws {
    self.store = store
    self.source = source
    let versions = source.versions
    let target = try target.map(versions.source.requireName) ?? versions.source.requireCurrentName()
    self.target = target
    targetModel = try versions.source.model(of: target)
    goal = try versions.fingerprint(of: target, configuration: source.configuration)
    graph = VersionGraph(
      of: versions.source, definitions, steps: try steps.jumps(among: versions.source))
    // Versions with equal hashes are equivalent, so the store isn't migrated.
    let isThere = goal.hashes == store.metadata.hashes
    // The position of the store's own model in the order of versions is unknown, so the default is the direct path.
    let usual = source.isCarried ? [VersionGraph.direct] : []
    let path = try graph.path(
      from: isThere ? target : source.name, to: target,
      via: isThere ? [] : via.isEmpty ? usual : via)
    let isDirect = via.isEmpty && !(definitions.jumps.isEmpty && steps.isEmpty)
    var warnings =
      (isDirect
        ? source.notes.map { $0.helping(.migration(.passVersionsOfCarried)) } : source.notes)
      + Self.warnings(of: versions.source, graph.order) + definitions.warnings
    route = try graph.route(along: path) { name in
      try versions.model(of: name, in: source.configuration)
    } unread: { name, error in
      warnings.append(
        .warning(
          "migrate.unread-version",
          "'\(name)' can't be read, so its renames are ignored: "
            + (error.diagnostics.first?.message ?? "\(error)")))
    }
    self.warnings = warnings + route.legs.flatMap(\.mismatches).map(\.diagnostic)
  }

  package var storePath: LocalPath { store.path }
  package var isPending: Bool { !route.legs.isEmpty }
  package var modelName: String { source.versions.source.name }

  /// The target as text, such as `'Todo'`, or `'Todo', version 'Todo 2'` if the version and the model have different
  /// names.
  package var targetDescription: String {
    modelName == target ? "'\(target)'" : "'\(modelName)', version '\(target)'"
  }

  /// Whether the target is older than the store's version.
  var leadsBack: Bool {
    let names = graph.order.names
    guard !source.isCarried, let from = names.firstIndex(of: source.name),
      let to = names.firstIndex(of: target)
    else { return false }
    return to < from
  }

  package func definitionPath(of jump: VersionJump) -> LocalPath? {
    graph.definitions.path(of: jump)
  }

  // MARK: The plans

  /// Plans the migration for the current state of the store, without changing it.
  ///
  /// - Parameter store: the store of the request, which may have been opened again.
  package func migration(of store: Store) throws -> Migration {
    try migration(of: store, by: route.mappings)
  }

  /// Plans the migration with the mapping that is inferred directly between both versions. Returns nil if the route
  /// doesn't have an alternative (`MigrationRoute.alternative`).
  package func alternative() throws -> Migration? {
    try route.alternative.map { try migration(of: store, by: [$0]) }
  }

  private func migration(of store: Store, by mappings: [ModelMapping]) throws -> Migration {
    try Migration(
      from: source.name, to: target, by: MigrationAssembly.plans(mappings, for: store),
      model: goal, metadata: store.metadata, carrying: targetModel)
  }

  // MARK: Notes and warnings

  private static func warnings(
    of versions: any VersionSource, _ order: VersionOrder
  ) -> [DiagnosticMessage] {
    guard let current = versions.currentName, let last = order.names.last, current != last
    else { return [] }
    return [
      DiagnosticMessage(
        .note, "migrate.order",
        "'\(last)' is considered newer than the current version '\(current)'")
    ]
  }
}

extension RequestedMigration {
  /// Replaces the entity in each name of a loss by the entities that declare the property in any version. A name that
  /// was created from a key path may contain a sub-entity instead.
  func declaringNames(of names: [String]) -> [String] {
    Set(
      names.flatMap { name -> Set<String> in
        let declared = Set(readableModels.compactMap { $0.declaringName(of: name) })
        return declared.isEmpty ? [name] : declared
      }
    ).sorted()
  }

  /// Returns the names of allowed losses that exist in at least one version of the model. Reads versions until all
  /// losses are found, and skips versions that can't be read.
  package func namesOfVersions(for losses: AllowedLosses) -> Set<String> {
    guard case .some(let names) = losses else { return [] }
    var missing = Set(names)
    var known: Set<String> = []
    for model in readableModels {
      if missing.isEmpty { break }
      known.formUnion(missing.intersection(model.lossNames))
      missing.subtract(known)
    }
    return known
  }

  /// The models of all readable versions, which are read lazily. The store's version is first.
  private var readableModels: some Sequence<DataModel> {
    let versions = source.versions.source
    let names = [source.name] + versions.names
    return names.lazy.filter(versions.isReadable).compactMap { name in
      Result { try versions.model(of: name) }.success
    }
  }
}

extension Result {
  fileprivate var success: Success? {
    if case .success(let value) = self { value } else { nil }
  }
}
