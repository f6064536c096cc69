import StoreLayout
import StoreDiagnostics
import StoreMigration
import StoreModel
import StoreModelReader

/// What stores of one version need to become stores of another, as far as the models and the definitions at
/// hand tell it.
struct MigrationDemand {
  /// The files of definitions that are on the way.
  private(set) var definitions: [FilePath] = []
  /// What stops every row of an entity.
  let obstacles: [MappingError]
  /// What stops some rows.
  let risks: [MappingError]
  /// What a store may hold and has no place for, by name.
  let losses: [String]
  /// New names that look like old ones, where nothing says that they are.
  let suspectedRenames: [ModelChange]

  /// Whether the migration needs to be written before it runs.
  var wantsDefinition: Bool { !obstacles.isEmpty }

  /// - Throws: what finding and reading definitions throws.
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

  /// By the definitions of the new side's model; nil where there are none between both.
  private static func route(
    from old: ComparedModel.Side, to new: ComparedModel.Side
  ) throws -> (route: MigrationRoute, files: [FilePath])? {
    // The names of versions say nothing where a version has been edited.
    guard new.version.isInFolder, !old.version.name.isExactly(new.version.name),
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
      let files = route.legs.compactMap { leg -> FilePath? in
        guard case .custom(let jump) = leg.path else { return nil }
        return folder.path(of: jump)
      }
      return files.isEmpty ? nil : (route, files)
    } catch let error as any DiagnosableError {
      // It can't run; what is inferred says what it would have to do.
      Terminal.report(error.diagnostics.map { $0.asNote("a definition can't be used") })
      return nil
    }
  }
}

extension ModelVersion {
  /// Beside which definitions may lie.
  fileprivate var isInFolder: Bool { form == .xml }
}

extension ModelDiff {
  /// The source's name of what a change has removed: `Item.note`.
  func lostName(of change: ModelChange) -> String? {
    guard change.isRemoval, let entity = change.entity else { return nil }
    let source = pairing.pair(toTarget: entity)?.source ?? entity
    return change.name.map { "\(source).\($0)" } ?? source
  }
}
