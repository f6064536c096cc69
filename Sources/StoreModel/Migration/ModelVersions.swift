/// The versions of a model, and how one becomes another where that can't be inferred: what a program migrates its
/// stores with.
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

  /// Those of generated Swift source: nothing is read from files.
  public init(of schema: any VersionedSchemaModel.Type) {
    self.init(
      schema.versions.map { $0.model }, current: schema.model.name, migrations: schema.migrations)
  }

  /// - Parameters:
  ///   - models: older versions first, each with a name of its own; of several with one name the first counts.
  ///   - current: the name of the version that stores are to get to; nil for the last one.
  ///   - migrations: between versions where what becomes of rows can't be inferred.
  public init(
    _ models: [Model], current: String? = nil, migrations: [MigrationDefinition] = []
  ) {
    let list = ModelList(models, current: current)
    self.init(list, DefinitionList(migrations, of: list.names))
  }
}
