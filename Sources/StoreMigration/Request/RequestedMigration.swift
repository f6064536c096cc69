package import StoreCore
package import StoreDiagnostics
import StoreLayout
package import StoreModel

/// What there is to migrate: the store, its version, the target, and the route between them.
package struct RequestedMigration: Sendable {
  /// As it was found, open for reading: one that is of the target version may be in use, or not writable.
  package let store: Store
  package let source: SourceVersion
  /// The name of the version to get to.
  package let target: String
  /// Empty where the store is of the target version.
  package let route: MigrationRoute
  package let warnings: [Diagnostic]
  /// What the store's metadata become.
  private let goal: ModelFingerprint
  private let targetModel: Model
  private let graph: VersionGraph

  /// - Parameters:
  ///   - source: what the store is of.
  ///   - target: the version to get to; nil for the current one.
  ///   - via: the versions to pass, where the user chooses.
  ///   - steps: what the program itself does between versions.
  /// - Throws: that a version is not there or can't be read; `MigrationPathError`; what reading a definition on the
  ///   path throws.
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
    // Versions with equal hashes are one.
    let isThere = goal.hashes == store.metadata.hashes
    // Where in the order of versions the model belongs that a store carries, nothing says.
    let usual = source.isCarried ? [VersionGraph.direct] : []
    let path = try graph.path(
      from: isThere ? target : source.name, to: target,
      via: isThere ? [] : via.isEmpty ? usual : via)
    var warnings =
      Self.notes(of: source, isDirect: via.isEmpty && !(definitions.jumps.isEmpty && steps.isEmpty))
      + Self.warnings(of: versions.source, graph.order) + definitions.warnings
    route = try graph.route(along: path) { name in
      try versions.model(of: name, in: source.configuration)
    } unread: { name, error in
      warnings.append(
        Diagnostic(
          .warning, "migrate.unread-version",
          "'\(name)' can't be read, so that renames that only it tells are not followed: "
            + (error.diagnostics.first?.message ?? "\(error)")))
    }
    self.warnings = warnings + route.legs.flatMap(\.mismatches).map(\.diagnostic)
  }

  package var storePath: FilePath { store.path }
  package var isPending: Bool { !route.legs.isEmpty }
  package var modelName: String { source.versions.source.name }

  /// `'Todo'`, or `'Todo', version 'Todo 2'` where the model's name does not say it.
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

  package func definitionPath(of jump: VersionJump) -> FilePath? {
    graph.definitions.path(of: jump)
  }

  // MARK: The plans

  /// The migration worked out for the store as it is; nothing is changed by it.
  ///
  /// - Parameter store: the one that was found, also where it was opened again.
  package func migration(of store: Store) throws -> Migration {
    try migration(of: store, by: route.mappings)
  }

  /// The migration by the straight path between both versions; nil where that is the path.
  package func alternative() throws -> Migration? {
    try route.alternative.map { try migration(of: store, by: [$0]) }
  }

  private func migration(of store: Store, by mappings: [ModelMapping]) throws -> Migration {
    try Migration(
      from: source.name, to: target, by: MigrationAssembly.plans(mappings, for: store),
      model: goal, metadata: store.metadata, carrying: targetModel)
  }

  // MARK: What is to be said

  private static func notes(of source: SourceVersion, isDirect: Bool) -> [Diagnostic] {
    guard isDirect else { return source.notes }
    return source.notes.map { $0.helping(.migration(.passVersionsOfCarried)) }
  }

  private static func warnings(
    of versions: any VersionSource, _ order: VersionOrder
  ) -> [Diagnostic] {
    guard let current = versions.currentName, let last = order.names.last, current != last
    else { return [] }
    return [
      Diagnostic(
        .note, "migrate.order", "'\(last)' counts as newer than the current version '\(current)'")
    ]
  }
}

extension RequestedMigration {
  /// Names of losses by the entities that declare the properties, in whatever versions: a key path may name one that
  /// inherits it.
  func declaringNames(of names: [String]) -> [String] {
    Set(
      names.flatMap { name -> Set<String> in
        let declared = Set(readableModels.compactMap { $0.declaringName(of: name) })
        return declared.isEmpty ? [name] : declared
      }
    ).sorted()
  }

  /// Which of the names that may be lost some version of the model has. Versions are read until all are
  /// found; one that can't be read has none.
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

  /// Each read when it is its turn; the store's own first.
  private var readableModels: some Sequence<Model> {
    let versions = source.versions.source
    let names = [source.name] + versions.names
    return names.lazy.filter(versions.isReadable).compactMap { name in
      Result { try versions.model(of: name) }.success
    }
  }
}

extension Result {
  /// Nil for a failure.
  fileprivate var success: Success? {
    if case .success(let value) = self { value } else { nil }
  }
}
