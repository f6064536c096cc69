import StoreLayout
import StoreDiagnostics
import StoreMigration
import StoreModel
import StoreModelReader

/// The requirements of a migration from one version to another, according to the models and the available definitions.
struct MigrationDemand {
  /// The files of the definitions that the migration uses.
  private(set) var definitions: [LocalPath] = []
  /// The reasons why rows can't be migrated.
  let obstacles: [MappingError]
  /// The reasons why rows may fail to migrate, depending on their values.
  let risks: [MappingError]
  /// The names of the entities and properties that may have values that the new version can't store.
  let losses: [String]
  /// The additions of elements that resemble a removed one, if the model doesn't specify a rename.
  let suspectedRenames: [ModelChange]

  /// Whether rows can't be migrated unless a definition is added or the model is changed.
  var wantsDefinition: Bool { !obstacles.isEmpty }

  /// - Throws: An error of finding or reading definitions.
  init(of diff: ModelDiff, from old: ComparedModel.Side, to new: ComparedModel.Side) throws {
    var mappings = [diff.inferredMapping]
    if diff.needsMigration, let (route, files) = try Self.route(from: old, to: new) {
      (mappings, definitions) = (route.mappings, files)
      risks = route.risks.flatMap(\.self)
    } else {
      risks = diff.inferredMapping.risks
    }
    obstacles = mappings.flatMap(\.obstacles)
    losses = diff.needsMigration ? try mappings.flatMap { try $0.possibleLosses() } : []
    suspectedRenames = diff.changes.filter { $0.resembles != nil }
  }

  /// Returns the migration with definitions of the new model, and the files of these definitions; nil if no definition
  /// can be used.
  private static func route(
    from old: ComparedModel.Side, to new: ComparedModel.Side
  ) throws -> (route: MigrationRoute, files: [LocalPath])? {
    // The definitions belong to the versions of the new model. If the old version was edited since, they don't apply.
    guard new.version.form == .xml, !old.version.name.isExactly(new.version.name),
      new.bundle.hasVersion(named: old.version.name)
    else { return nil }
    let readings = VersionReadings(of: new.bundle)
    let start = try readings.reading(of: new.bundle.version(named: old.version.name)).model
    guard VersionHash.hashes(of: start).areExactly(VersionHash.hashes(of: old.reading.model))
    else { return nil }
    let folder = try DefinitionFolder.find(
      of: new.bundle, in: new.bundle.defaultMigrationsFolder)
    let graph = VersionGraph(of: readings, folder)
    do {
      let path = try graph.path(from: old.version.name, to: new.version.name)
      let route = try graph.route(along: path, model: readings.model)
      let files = route.legs.compactMap { folder.path(of: $0.path) }
      return files.isEmpty ? nil : (route, files)
    } catch let error as any DiagnosableError {
      // The definition can't run. The inferred migration shows the problems that the definition has to solve.
      Terminal.report(error.diagnostics.map { $0.asNote("a definition can't be used") })
      return nil
    }
  }
}

extension ModelDiff {
  /// Returns the old name of the element that a change has removed (`Item.note`); nil for other changes.
  func lostName(of change: ModelChange) -> String? {
    guard change.isRemoval, let entity = change.entity else { return nil }
    let source = pairing.pair(toTarget: entity)?.source ?? entity
    return change.name.map { "\(source).\($0)" } ?? source
  }
}
