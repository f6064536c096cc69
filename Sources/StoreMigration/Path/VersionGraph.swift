package import StoreDiagnostics
package import StoreModel

/// The versions of a model with the definitions between them: how stores get from one to another.
package struct VersionGraph: Sendable {
  package let versions: any VersionSource
  package let definitions: any DefinitionSource
  package let order: VersionOrder
  /// What Xcode 3 has written, and folders without a model, can't be read.
  private let readable: Set<ExactText>
  /// Between which versions the program has a step of its own, and what that takes over.
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

  /// What stands for the straight path where versions to pass are named.
  package static let direct = "direct"

  /// Empty where both are the same.
  ///
  /// - Parameter via: the versions to pass, where the user chooses; none is not a choice.
  /// - Throws: `MigrationPathError`; `DiagnosticError` where a definition between both can't be used.
  package func path(
    from source: String, to target: String, via: [String] = []
  ) throws -> MigrationPath {
    // Paths lead past versions that can't be read.
    let names = order.names.filter {
      $0.isExactly(source) || $0.isExactly(target) || readable.contains(ExactText($0))
    }
    let jumps = Array(Set(definitions.jumps).union(steps.keys))
    guard via.isEmpty else {
      let stops = via == [Self.direct] && !versions.names.contains(Self.direct) ? [] : via
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

  /// - Parameters:
  ///   - model: returns the model of a version, by its name.
  ///   - unread: receives each version whose renames can't be followed, and the reason.
  /// - Throws: what `model` throws for a version on the path, and reading a definition that does not
  ///   fit.
  package func route(
    along path: MigrationPath, model: (String) throws -> Model,
    unread: (String, any DiagnosableError) -> Void = { _, _ in }
  ) throws -> MigrationRoute {
    try route(along: path, model: model) { try renames(model: model, unread: unread) }
  }

  /// - Parameter renames: those of all versions, for the caller that needs several routes.
  package func route(
    along path: MigrationPath, model: (String) throws -> Model,
    renames: () throws -> RenameHistory
  ) throws -> MigrationRoute {
    try MigrationRoute(
      path, model: model, renames: renames, steps: steps,
      definition: { try definitions.definition(of: $0) })
  }

  /// What the versions rename, as far as they can be read.
  package func renames(
    model: (String) throws -> Model, unread: (String, any DiagnosableError) -> Void = { _, _ in }
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
