import StoreDiagnostics

/// The versions of a model and the migrations between them, for example for a `StoreMigrator`.
///
///     let versions = ModelVersions(of: ShopModel.self)
///     try await StoreMigrator("Shop.sqlite", versions: versions).run()
public struct ModelVersions: Sendable {
  package let source: any VersionSource
  package let definitions: any DefinitionSource

  package init(_ source: any VersionSource, _ definitions: any DefinitionSource) {
    self.source = source
    self.definitions = definitions
  }

  /// Creates the versions from generated Swift source, without reading model files.
  ///
  /// - Parameter schema: The generated model.
  public init(of schema: any VersionedSchemaModel.Type) {
    self.init(
      schema.versions.map { $0.model }, current: schema.model.name, migrations: schema.migrations)
  }

  /// Creates a list of versions.
  ///
  /// - Parameters:
  ///   - models: The versions from old to new, with different names. If a name is repeated, its first version is used.
  ///   - current: The name of the version to which stores are migrated. If it is nil, the last version is used.
  ///   - migrations: The definitions of the migrations that can't be inferred.
  public init(
    _ models: [DataModel], current: String? = nil, migrations: [MigrationDefinition] = []
  ) {
    let list = ModelList(models, current: current)
    self.init(list, DefinitionList(definitions: migrations, names: list.names))
  }
}

/// A version source for models that are values of a program.
struct ModelList: VersionSource {
  let names: [String]
  let currentName: String?
  private let models: ExactDictionary<DataModel>

  /// - Parameter current: The name of the current version, or nil for the last version.
  init(_ models: [DataModel], current: String?) {
    self.models = ExactDictionary(
      models.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var seen: Set<ExactText> = []
    names = models.map(\.name).filter { seen.insert(ExactText($0)).inserted }
    currentName = current ?? names.last
  }

  var name: String { currentName ?? "" }
  var place: String { name }

  func order(by migrations: [VersionJump]) -> VersionOrder { VersionOrder(names) }

  func isReadable(_ name: String) -> Bool { models[name] != nil }

  func requireCurrentName() throws -> String { try requireName(currentName ?? "") }

  func requireName(_ text: String) throws -> String { try model(of: text).name }

  func model(of name: String) throws -> DataModel {
    guard let model = models[name] else {
      throw ModelLookupError.unknownVersion(name, known: names)
    }
    return model
  }
}

/// A definition source for definitions that are values of a program.
struct DefinitionList: DefinitionSource {
  let definitions: [MigrationDefinition]
  /// The names of all versions.
  let names: [String]

  var jumps: [VersionJump] {
    definitions.map(\.jump).filter {
      names.containsExactly($0.from) && names.containsExactly($0.to)
    }
  }

  var warnings: [DiagnosticMessage] {
    faults.map { DiagnosticMessage(.warning, $0.code, $0.message) }
  }

  func definition(of jump: VersionJump) throws -> MigrationDefinition? {
    definitions.first { $0.jump == jump }
  }

  func path(of jump: VersionJump) -> LocalPath? { nil }

  func requireSound(
    _ versions: [String], _ jumps: [VersionJump]
  ) throws(DiagnosticError) {
    let concerned = faults.filter { fault in
      jumps.contains(fault.jump)
        || !fault.isTwin
          && (versions.containsExactly(fault.jump.from) || versions.containsExactly(fault.jump.to))
    }
    guard concerned.isEmpty else {
      throw DiagnosticError(concerned.map { DiagnosticMessage(.error, $0.code, $0.message) })
    }
  }

  private struct Issue {
    let jump: VersionJump
    let code: String
    let message: String
    /// Whether an earlier definition has the same two versions.
    let isTwin: Bool
  }

  private var faults: [Issue] {
    definitions.indices.compactMap { index in
      let jump = definitions[index].jump
      let ends = "from '\(jump.from)' to '\(jump.to)'"
      if let unknown = [jump.from, jump.to].first(where: { !names.containsExactly($0) }) {
        return Issue(
          jump: jump, code: "migration.unknown-version",
          message: "the definition \(ends) names '\(unknown)', which isn't a version of the model",
          isTwin: false)
      }
      guard definitions[..<index].contains(where: { $0.jump == jump }) else { return nil }
      return Issue(
        jump: jump, code: "migration.twice", message: "duplicate definition \(ends)",
        isTwin: true)
    }
  }
}
