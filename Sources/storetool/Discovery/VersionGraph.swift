import StoreDiagnostics
import StoreMigration
import StoreModel
import StoreModelReader

/// The versions of a bundle with the definitions between them: how stores get from one to another.
struct VersionGraph {
  let bundle: ModelBundle
  let definitions: DefinitionFolder
  let order: VersionOrder

  /// - Parameter folder: holds the definitions.
  /// - Throws: what finding definitions throws.
  init(of bundle: ModelBundle, in folder: String) throws {
    self.bundle = bundle
    definitions = try DefinitionFolder.find(of: bundle, in: folder)
    order = bundle.order(by: definitions)
  }

  /// What `--via` takes for the straight path.
  static let direct = "direct"

  /// Empty where both are the same.
  ///
  /// - Parameter via: the versions to pass, where the user chooses; none is not a choice.
  /// - Throws: `MigrationPathError`; `DiagnosticFailure` where a definition between both can't be used.
  func path(
    from source: ModelVersion, to target: ModelVersion, via: [String] = []
  ) throws -> MigrationPath {
    // What Xcode 3 has written, and folders without a model, can't be read: paths lead past them.
    let passable = bundle.versions.filter { $0.isReadable || $0 == source || $0 == target }
    let names = order.names.filter { name in passable.contains { $0.name == name } }
    let jumps = definitions.jumps
    guard via.isEmpty else {
      let stops = via == [Self.direct] && !bundle.hasVersion(named: Self.direct) ? [] : via
      return try MigrationPath(
        from: source.name, via: stops, to: target.name, in: names, definitions: jumps)
    }
    let path = try MigrationPath(
      from: source.name, to: target.name, in: names, definitions: jumps)
    if !path.legs.isEmpty {
      try definitions.requireSound(
        order.names(from: source.name, to: target.name),
        path.legs.map { ($0.ends.from, $0.ends.to) })
    }
    return path
  }

  /// - Parameters:
  ///   - model: that of a version, by its name.
  ///   - unread: is told of a version whose renames can't be followed, and why.
  /// - Throws: what `model` throws for a version on the path, and reading a definition that does not
  ///   fit.
  func route(
    along path: MigrationPath, model: (String) throws -> Model,
    unread: (String, any DiagnosableError) -> Void = { _, _ in }
  ) throws -> MigrationRoute {
    try MigrationRoute(
      path, versions: order.names, model: model,
      neighbor: { name in
        do {
          return try model(name)
        } catch let error as any DiagnosableError {
          unread(name, error)
          return nil
        }
      },
      definition: { try definitions.file(from: $0.from, to: $0.to)?.read() })
  }
}
