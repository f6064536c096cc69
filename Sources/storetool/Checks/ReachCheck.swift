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
    return folder.faults.flatMap(\.diagnostics)
      + zip(readings, readings.dropFirst()).flatMap { old, new -> [Diagnostic] in
        guard isPast(new.version) else { return [] }
        return findings(from: old, to: new, folder.files)
      }
  }

  private typealias Version = (version: ModelVersion, reading: ModelReading)

  private func findings(
    from old: Version, to new: Version, _ definitions: [DefinitionFile]
  ) -> [Diagnostic] {
    let ways = definitions.filter { leadsOn($0, from: old.version) }.map { ($0, mapping(by: $0)) }
    let running = ways.compactMap { file, mapping in (try? mapping.get()).map { (file, $0) } }
    // One that runs tells more than what would be inferred.
    let leading = running.first { $0.1.obstacles.isEmpty }
    if let leading, leading.0.to != new.version.name { return [] }
    let best =
      leading?.1 ?? running.first { $0.0.to == new.version.name }?.1
      ?? MappingInference.infer(ModelPairing(from: old.reading.model, to: new.reading.model))
    let hints = ways.compactMap { file, mapping in mapping.hint(of: file) }
    func locate(_ problem: MappingProblem, _ severity: Diagnostic.Severity) -> Diagnostic {
      var finding = problem.diagnostic(severity, from: old.version.name, to: new.version.name)
      finding.help += hints.isEmpty ? [hint(from: old.version, to: new.version)] : hints
      return new.reading.locate(finding, at: problem.part)
    }
    return best.obstacles.map { locate($0, .error) } + best.risks.map { locate($0, .warning) }
  }

  private func hint(from old: ModelVersion, to new: ModelVersion) -> String {
    let path = DefinitionFolder.path(from: old.name, to: new.name, of: bundle, in: migrations)
    return "or write a migration: \(path)"
  }

  /// What a definition makes of both versions; a failure where it can't run.
  private func mapping(by file: DefinitionFile) -> Result<ModelMapping, any Error> {
    Result {
      let models = try [file.from, file.to].map { name in
        try readings.first { $0.version.name == name }?.reading.model
          ?? bundle.version(named: name).read().model
      }
      let pairing = ModelPairing(from: models[0], to: models[1])
      return try MappingInference.infer(pairing, with: file.read())
    }
  }

  /// What stands behind the current version is not in use yet, or lies on another branch.
  private func isPast(_ version: ModelVersion) -> Bool {
    guard let current = bundle.currentVersion.flatMap(bundle.versions.firstIndex),
      let place = bundle.versions.firstIndex(of: version)
    else { return true }
    return place <= current
  }

  /// Whether a definition is for taking the stores of a version to a later one.
  private func leadsOn(_ definition: DefinitionFile, from version: ModelVersion) -> Bool {
    let names = bundle.versions.map(\.name)
    guard let start = names.firstIndex(of: version.name), definition.from == version.name,
      let end = names.firstIndex(of: definition.to)
    else { return false }
    return end > start
  }
}

extension Result<ModelMapping, any Error> {
  /// Why a definition that is there does not help.
  fileprivate func hint(of file: DefinitionFile) -> String? {
    switch self {
    case .success(let mapping):
      mapping.obstacles.isEmpty ? nil : "the migration '\(file.path)' does not change that"
    case .failure(let error):
      "the migration '\(file.path)' can't run: \((error as? any DiagnosableError)?.diagnostics.first?.message ?? "\(error)")"
    }
  }
}

extension MappingProblem {
  /// What of the target is in the way.
  fileprivate var part: ModelPart {
    switch self {
    case .missingValue(let entity, let attribute, _), .typeChange(let entity, let attribute, _, _),
      .inconvertible(let entity, let attribute, _, _), .externalValue(let entity, let attribute),
      .missingDestination(let entity, let attribute, _, _),
      .sharedDestination(let entity, let attribute, _, _, _):
      .property(attribute, of: entity)
    case .duplicates(let entity, _), .abstractEntity(let entity): .entity(entity)
    }
  }

  /// - Parameter severity: a warning where it depends on the rows.
  fileprivate func diagnostic(
    _ severity: Diagnostic.Severity, from old: String, to new: String
  ) -> Diagnostic {
    let verb = severity == .error ? "can't" : "may not"
    return Diagnostic(
      severity, "model.unreachable", "rows of '\(old)' \(verb) get to '\(new)': \(reason)",
      help: [advice])
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
    case .missingDestination(let entity, let relationship, _, _):
      "'\(entity).\(relationship)' is required, and each row needs a destination for it"
    case .sharedDestination(let entity, let relationship, let inverse, _, _):
      "'\(inverse)' leads back to one row, and rows may share a destination of '\(entity).\(relationship)'"
    case .abstractEntity(let entity): "'\(entity)' is abstract now"
    }
  }

  private var advice: String {
    switch self {
    case .missingValue: "give it a default, or make it optional"
    case .typeChange, .inconvertible, .externalValue: "keep its type, and add another attribute"
    case .duplicates: "see that they are not"
    case .missingDestination: "make it optional"
    case .sharedDestination(_, _, let inverse, _, _): "make '\(inverse)' a to-many"
    case .abstractEntity: "add a parent that is abstract instead"
    }
  }
}
