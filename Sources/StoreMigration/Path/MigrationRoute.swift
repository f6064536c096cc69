import StoreDiagnostics
import StoreLayout
package import StoreModel

/// A route: a path with the mappings of its legs, which are based on the models and definitions.
package struct MigrationRoute: Hashable, Sendable {
  package struct Leg: Hashable, Sendable {
    package var path: MigrationPath.Leg
    package var mapping: ModelMapping
    /// The renames of the leg that only other versions declare.
    package var renames: [FollowedRename]
    /// The entities and properties of the leg that storetool pairs, but Core Data doesn't. Empty for a leg with a
    /// definition.
    package var mismatches: [IdentifierMismatch]

    /// The names of the versions whose renames are used, in the order of their first use.
    package var over: [String] {
      renames.flatMap(\.over).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
  }

  /// The legs in their order; empty if the source and the target are the same version.
  package let legs: [Leg]
  /// The mapping that is inferred only from the source and the target; nil if the route is empty, or if its only leg
  /// has this mapping, possibly with a custom step.
  package let alternative: ModelMapping?

  package var mappings: [ModelMapping] { legs.map(\.mapping) }

  /// - Parameters:
  ///   - model: returns the model of a version on the path.
  ///   - renames: returns the renames of the versions. It is called at most once, and only if a rename may be missing.
  ///   - steps: the losses that custom steps allow, by the two versions of the step.
  ///   - definition: returns the definition of a jump of the path.
  /// - Throws: errors of `model` and `definition`, `DiagnosticError` if a definition doesn't match the models, and
  ///   `MigrationPathError.lossy` if an intermediate version can't represent data that both ends can.
  package init(
    _ path: MigrationPath, model: (String) throws -> DataModel,
    renames: () throws -> RenameHistory, steps: [VersionJump: AllowedLosses] = [:],
    definition: (VersionJump) throws -> MigrationDefinition?
  ) throws {
    guard let first = path.legs.first, let last = path.legs.last else {
      (legs, alternative) = ([], nil)
      return
    }
    let ends = VersionJump(from: first.ends.from, to: last.ends.to)
    var history: RenameHistory?
    func pairing(_ source: DataModel, _ target: DataModel, _ jump: VersionJump) throws
      -> ModelPairing
    {
      try ModelPairing(from: source, to: target) {
        let known = try history ?? renames()
        history = known
        return known.passage(of: jump, from: source, to: target)
      }
    }
    let names = [ends.from] + path.legs.map(\.ends.to)
    let whole = try pairing(model(ends.from), model(ends.to), ends)
    let definitions = try path.legs.map { leg -> MigrationDefinition? in
      guard case .custom(let jump) = leg else { return nil }
      return try definition(jump)
    }
    let stages = try whole.stages(of: names.map(model), by: definitions)
    let pairings = try path.legs.indices.map { index in
      path.legs.count == 1
        ? whole : try pairing(stages[index], stages[index + 1], path.legs[index].ends)
    }
    let inferred = pairings.map { MappingInference.infer($0) }
    legs = try path.legs.indices.map { index in
      let defined = try definitions[index].map {
        try MappingInference.put($0, over: inferred[index], of: pairings[index])
      }
      var leg = Leg(
        path: path.legs[index], mapping: defined ?? inferred[index],
        renames: pairings[index].followedRenames,
        mismatches: defined == nil ? pairings[index].mismatches : [])
      if let losses = steps[leg.path.ends] {
        leg.mapping.addStep(for: leg.path.ends, allowing: losses)
      }
      return leg
    }
    if legs.count == 1, definitions[0] == nil, whole.followedRenames.isEmpty {
      alternative = nil
      return
    }
    let straight = MappingInference.infer(ModelPairing(from: whole.source, to: whole.target))
    alternative = straight
    guard path.legs.count > 1 else { return }
    let lost = Self.losses(of: inferred, unlike: straight, besides: definitions)
    guard lost.isEmpty else { throw MigrationPathError.lossy(path, lost) }
  }

  /// Returns the names of data that the direct mapping keeps and the mappings of the legs lose, unless a definition
  /// maps or drops the data.
  private static func losses(
    of inferred: [ModelMapping], unlike straight: ModelMapping,
    besides definitions: [MigrationDefinition?]
  ) -> [String] {
    let kept = KeptProperties(inferred).names
    return KeptProperties([straight]).names.subtracting(kept).filter { name in
      !definitions.contains { $0?.speaks(of: name) == true }
    }.sorted()
  }
}

/// The data of the first version that a sequence of inferred mappings keeps: `Item` for its rows, `Item.note` for a
/// property. A relationship is also kept if its inverse is kept.
struct KeptProperties {
  private(set) var names: Set<String> = []

  /// The rows of one source entity, and the properties that the mappings so far have kept.
  fileprivate struct Flow {
    let source: String
    /// The current name of the entity.
    var entity: String
    /// The current names of each property, by its name in the source. A lost property has no names.
    var properties: [String: Set<String>]
  }

  init(_ mappings: [ModelMapping]) {
    guard let source = mappings.first?.source else { return }
    var flows = source.entities.filter { !$0.isAbstract }.map { entity in
      let names =
        source.storedAttributes(of: entity).map(\.name)
        + source.relationships(of: entity).map(\.name)
      return Flow(
        source: entity.name, entity: entity.name,
        properties: Dictionary(names.map { ($0, [$0]) }, uniquingKeysWith: { one, _ in one }))
    }
    for mapping in mappings {
      flows = flows.flatMap { flow in
        mapping.entities.filter { $0.source.isExactly(flow.entity) }.map { $0.taking(flow) }
      }
    }
    for flow in flows {
      names.insert(flow.source)
      names.formUnion(
        flow.properties.filter { !$0.value.isEmpty }.keys.map { "\(flow.source).\($0)" })
    }
    addInverses(in: source)
  }

  private mutating func addInverses(in model: DataModel) {
    for entity in model.entities {
      for relationship in model.relationships(of: entity) {
        guard let (inverse, _) = model.inverse(of: relationship),
          let destination = model.entity(named: relationship.destination),
          model.subtree(of: destination).contains(where: {
            names.contains("\($0.name).\(inverse.name)")
          })
        else { continue }
        names.insert("\(entity.name).\(relationship.name)")
      }
    }
  }
}

extension EntityMapping {
  fileprivate func taking(_ flow: KeptProperties.Flow) -> KeptProperties.Flow {
    var flow = flow
    flow.entity = target
    flow.properties = flow.properties.mapValues { names in
      let attributes = attributes.filter { $1.source.attribute.map(names.contains) ?? false }
      let relationships = relationships.filter { $1.relationship.map(names.contains) ?? false }
      return Set(attributes.keys).union(relationships.keys)
    }
    return flow
  }
}
