import StoreMigration
import StoreModel
import StoreModelReader

/// The versions of a bundle with the definitions between them: how stores get from one to another.
struct MigrationWay {
  let bundle: ModelBundle
  let definitions: DefinitionFolder

  /// - Parameter folder: holds the definitions.
  /// - Throws: what finding definitions throws.
  init(of bundle: ModelBundle, in folder: String) throws {
    self.bundle = bundle
    definitions = try DefinitionFolder.find(of: bundle, in: folder)
  }

  /// Empty where both are the same.
  ///
  /// - Throws: `MigrationPathError`
  func path(from source: ModelVersion, to target: ModelVersion) throws -> MigrationPath {
    // What Xcode 3 has written, and folders without a model, can't be read: the way leads past them.
    let passable = bundle.versions.filter { $0.form == .xml || $0 == source || $0 == target }
    return try MigrationPath(
      from: source.name, to: target.name, in: passable.map(\.name),
      definitions: definitions.files.map { .init(from: $0.from, to: $0.to) })
  }

  /// - Parameter model: that of a version, by its name.
  /// - Throws: what `model` throws, and reading a definition that does not fit.
  func mappings(
    along path: MigrationPath, model: (String) throws -> Model
  ) throws -> [ModelMapping] {
    try path.legs.flatMap { leg -> [ModelMapping] in
      switch leg {
      case .inferred(let versions):
        let models = try versions.map(model)
        return zip(models, models.dropFirst()).map { old, new in
          MappingInference.infer(ModelPairing(from: old, to: new))
        }
      case .custom(let jump):
        let pairing = try ModelPairing(from: model(jump.from), to: model(jump.to))
        guard let file = definitions.file(from: jump.from, to: jump.to) else {
          return [MappingInference.infer(pairing)]
        }
        return [try MappingInference.infer(pairing, with: file.read())]
      }
    }
  }
}
