import StoreDiagnostics
import StoreMigration
import StoreModel
import StoreModelReader

/// Checks that a store of each version gets to the next one: inferred, or by a definition.
struct ReachCheck {
  let bundle: ModelBundle
  /// In the order of the bundle.
  let readings: [(version: ModelVersion, reading: ModelReading)]
  let migrations: String

  /// - Throws: what finding definitions throws: for a folder that can't be read.
  func findings() throws -> [Diagnostic] {
    let folder = try DefinitionFolder.find(of: bundle, in: migrations)
    return folder.faults.flatMap(\.diagnostics) + findings(folder.files)
  }

  private func findings(_ definitions: [DefinitionFile]) -> [Diagnostic] {
    zip(readings, readings.dropFirst()).flatMap { old, new -> [Diagnostic] in
      guard isPast(new.version), !leadsOn(definitions, from: old.version) else { return [] }
      let pairing = ModelPairing(from: old.reading.model, to: new.reading.model)
      let definition = DefinitionFolder.path(
        from: old.version.name, to: new.version.name, of: bundle, in: migrations)
      return MappingInference.infer(pairing).obstacles.map { problem in
        new.reading.locate(
          problem.diagnostic(from: old.version.name, to: new.version.name)
            .helping("or write a migration: \(definition)"),
          at: problem.part)
      }
    }
  }

  /// What stands behind the current version is not in use yet, or lies on another branch.
  private func isPast(_ version: ModelVersion) -> Bool {
    guard let current = bundle.currentVersion.flatMap(bundle.versions.firstIndex),
      let place = bundle.versions.firstIndex(of: version)
    else { return true }
    return place <= current
  }

  /// Whether a definition takes the stores of a version to a later one.
  private func leadsOn(_ definitions: [DefinitionFile], from version: ModelVersion) -> Bool {
    let names = bundle.versions.map(\.name)
    guard let start = names.firstIndex(of: version.name) else { return false }
    return definitions.contains {
      $0.from == version.name && (names.firstIndex(of: $0.to) ?? -1) > start
    }
  }
}

extension MappingProblem {
  /// What of the target is in the way.
  fileprivate var part: ModelPart {
    switch self {
    case .missingValue(let entity, let attribute, _), .typeChange(let entity, let attribute, _, _),
      .inconvertible(let entity, let attribute, _, _), .externalValue(let entity, let attribute):
      .property(attribute, of: entity)
    case .duplicates(let entity, _), .abstractEntity(let entity): .entity(entity)
    }
  }

  fileprivate func diagnostic(from old: String, to new: String) -> Diagnostic {
    Diagnostic(
      .error, "model.unreachable", "rows of '\(old)' can't get to '\(new)': \(reason)",
      help: [remedy])
  }

  private var reason: String {
    switch self {
    case .missingValue(let entity, let attribute, _):
      "'\(entity).\(attribute)' is required and has no default"
    case .typeChange(let entity, let attribute, let from, let to),
      .inconvertible(let entity, let attribute, let from, let to):
      "no \(from.name) of '\(entity).\(attribute)' is surely one of \(to.name)"
    case .externalValue(let entity, let attribute):
      "values of '\(entity).\(attribute)' are in files of their own"
    case .duplicates(let entity, let properties):
      "rows of '\(entity)' may be equal in \(properties.joined(separator: ", "))"
    case .abstractEntity(let entity): "'\(entity)' is abstract now"
    }
  }

  private var remedy: String {
    switch self {
    case .missingValue: "give it a default, or make it optional"
    case .typeChange, .inconvertible, .externalValue: "keep its type, and add another attribute"
    case .duplicates: "see that they are not"
    case .abstractEntity: "add a parent that is abstract instead"
    }
  }
}
