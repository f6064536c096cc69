package import StoreDiagnostics
package import StoreModel

/// The versions of a model and the definitions between them, which determine how stores are migrated.
package struct VersionGraph: Sendable {
  package let versions: any VersionSource
  package let definitions: any DefinitionSource
  package let order: VersionOrder
  /// The names of the versions that can be read. Models of Xcode 3 and folders without a model can't be read.
  private let readable: Set<ExactText>
  /// The losses that custom steps allow, by the two versions of the step.
  private let steps: [VersionJump: AllowedLosses]

  package init(
    of versions: any VersionSource, _ definitions: any DefinitionSource,
    steps: [VersionJump: AllowedLosses] = [:]
  ) {
    self.versions = versions
    self.definitions = definitions
    self.steps = steps
    order = versions.order(by: definitions.jumps)
    readable = Set(order.names.filter(versions.isReadable).map(ExactText.init))
  }

  /// The value of `via` that selects the direct path.
  package static let direct = "direct"

  /// Returns the path between two versions, which is empty if they are the same.
  ///
  /// - Parameter via: the names of the intermediate versions that the user specified. If empty, returns the default
  ///   path.
  /// - Throws: `MigrationPathError` if there isn't a path, and `DiagnosticError` if a definition on it can't be used.
  package func path(
    from source: String, to target: String, via: [String] = []
  ) throws -> MigrationPath {
    // Paths skip versions that can't be read.
    let names = order.names.filter {
      $0.isExactly(source) || $0.isExactly(target) || readable.contains(ExactText($0))
    }
    let jumps = Array(Set(definitions.jumps).union(steps.keys))
    guard via.isEmpty else {
      let isDirect = via.contains(Self.direct) && !versions.names.contains(Self.direct)
      guard !isDirect || via.count == 1 else { throw MigrationPathError.directWithVersions }
      let stops = isDirect ? [] : via
      return try MigrationPath(
        from: source, via: stops, to: target, in: names, definitions: jumps)
    }
    let path = try MigrationPath(from: source, to: target, in: names, definitions: jumps)
    if !path.legs.isEmpty {
      try definitions.requireSound(
        order.names(from: source, to: target), path.legs.map(\.ends))
    }
    return path
  }

  /// Returns the route along a path.
  ///
  /// - Parameters:
  ///   - model: returns the model of a version, by its name.
  ///   - unread: receives the name of each version whose renames can't be read, and the reason.
  /// - Throws: errors of `model` for a version on the path, and of reading or applying a definition.
  package func route(
    along path: MigrationPath, model: (String) throws -> DataModel,
    unread: (String, any DiagnosableError) -> Void = { _, _ in }
  ) throws -> MigrationRoute {
    try route(along: path, model: model) { try renames(model: model, unread: unread) }
  }

  /// Returns the route along a path.
  ///
  /// - Parameter renames: returns the renames of all versions, so that a caller can share them between routes.
  package func route(
    along path: MigrationPath, model: (String) throws -> DataModel,
    renames: () throws -> RenameHistory
  ) throws -> MigrationRoute {
    try MigrationRoute(
      path, model: model, renames: renames, steps: steps,
      definition: { try definitions.definition(of: $0) })
  }

  /// Returns the renames of all versions that can be read.
  package func renames(
    model: (String) throws -> DataModel,
    unread: (String, any DiagnosableError) -> Void = { _, _ in }
  ) throws -> RenameHistory {
    try RenameHistory(of: order.names) { name in
      do {
        return try model(name)
      } catch let error as any DiagnosableError {
        unread(name, error)
        return nil
      }
    }
  }
}
