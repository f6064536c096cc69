import StoreDiagnostics
package import StoreModel

/// The renames that the versions of a model declare. They complete pairings of two versions that don't declare these
/// renames themselves.
///
/// The history contains only the entities and properties that at least one version renames. Consecutive versions with
/// equal renames become one stop, so that the cost of a pairing depends on the number of renames, not on the number of
/// versions.
package struct RenameHistory: Sendable {
  /// The names of all versions, in their order.
  private let versions: [String]
  private let stops: [Stop]
  private let names: RenamedNames

  /// Consecutive versions that rename the same entities and properties.
  private struct Stop {
    /// The indexes of the versions in `RenameHistory.versions`.
    var positions: ClosedRange<Int>
    let entities: [RenamedEntity]
  }

  /// - Parameters:
  ///   - versions: the names of all versions, in their order.
  ///   - model: returns the model of a version, or nil if it can't be read.
  package init(of versions: [String], model: (String) throws -> DataModel?) rethrows {
    self.versions = versions
    let models = try versions.map(model)
    names = RenamedNames(models.compactMap(\.self))
    var stops: [Stop] = []
    var isContinued = false
    for (position, model) in models.enumerated() {
      guard let model else { continue }
      let entities = names.entities(of: model)
      guard entities.contains(where: names.isRenaming) else {
        isContinued = false
        continue
      }
      if isContinued, let last = stops.indices.last, stops[last].entities == entities {
        stops[last].positions = stops[last].positions.lowerBound...position
      } else {
        stops.append(Stop(positions: position...position, entities: entities))
      }
      isContinued = true
    }
    self.stops = stops
  }

  /// The renamed parts of two models and of the versions that connect them.
  struct Passage {
    let source: DataModel
    let target: DataModel
    let stops: [DataModel]
  }

  /// Returns the renamed parts of both models, and the stops for a jump between two versions: first the stops between
  /// its ends, in the direction of the jump, then the other stops, because the order of the versions may be wrong.
  ///
  /// Stops that contain one of the ends are excluded, because they declare the same renames as that end.
  ///
  /// - Parameters:
  ///   - source: the model at the beginning of the jump, possibly with parts of other versions (`ModelPairing.stages`).
  ///   - target: the model at the end of the jump, possibly with parts of other versions.
  func passage(of jump: VersionJump, from source: DataModel, to target: DataModel) -> Passage {
    func limited(_ model: DataModel) -> DataModel {
      DataModel(name: model.name, entities: names.entities(of: model).map(\.entity))
    }
    return Passage(source: limited(source), target: limited(target), stops: models(for: jump))
  }

  private func models(for jump: VersionJump) -> [DataModel] {
    let start = versions.firstIndex { $0.isExactly(jump.from) }
    let end = versions.firstIndex { $0.isExactly(jump.to) }
    let others = stops.filter { stop in
      ![start, end].contains { $0.map(stop.positions.contains) ?? false }
    }
    guard let start, let end else { return others.map { model(of: $0, isReversed: false) } }
    let isReversed = start > end
    let directed = isReversed ? others.reversed() : others
    let passed = min(start, end)...max(start, end)
    return
      (directed.filter { passed.contains($0.positions.lowerBound) }
      + directed.filter { !passed.contains($0.positions.lowerBound) })
      .map { model(of: $0, isReversed: isReversed) }
  }

  /// Returns the model of a stop, named after its last version in the direction of the jump.
  private func model(of stop: Stop, isReversed: Bool) -> DataModel {
    DataModel(
      name: versions[isReversed ? stop.positions.lowerBound : stop.positions.upperBound],
      entities: stop.entities.map(\.entity))
  }
}

/// The names and renaming identifiers by which a version connects two other versions.
///
/// A property `name` with the identifier `title` connects a version that has only `title` with a version that has only
/// `name`. If every property with one of these names also has the other, the versions are paired directly.
private struct RenamedNames: Sendable {
  private let entities: Set<ExactText>
  private let properties: Set<ExactText>

  init(_ models: [DataModel]) {
    let all = models.lazy.flatMap(\.entities)
    entities = Self.connecting(Set(all.map(\.renamable)))
    properties = Self.connecting(
      Set(
        all.flatMap { entity in
          entity.attributes.map(\.renamable) + entity.relationships.map(\.renamable)
        }))
  }

  private static func connecting(_ all: Set<Renamable>) -> Set<ExactText> {
    var users: [ExactText: [Renamable]] = [:]
    for renamable in all {
      for word in renamable.words { users[word, default: []].append(renamable) }
    }
    func occurs(_ word: ExactText, without other: ExactText) -> Bool {
      users[word, default: []].contains { !$0.words.contains(other) }
    }
    return all.reduce(into: []) { found, renamable in
      let words = renamable.words
      guard words.count == 2, occurs(words[0], without: words[1]),
        occurs(words[1], without: words[0])
      else { return }
      found.formUnion(words)
    }
  }

  /// Whether an entity or one of its properties connects two names.
  func isRenaming(_ entity: RenamedEntity) -> Bool {
    func connects(_ renamable: Renamable, _ names: Set<ExactText>) -> Bool {
      renamable.words.count == 2 && renamable.words.allSatisfy(names.contains)
    }
    return connects(entity.name, entities)
      || entity.properties.contains { connects($0, properties) }
  }

  /// Returns the renamed entities with all of their properties, and the other entities with their renamed properties.
  func entities(of model: DataModel) -> [RenamedEntity] {
    if entities.isEmpty, properties.isEmpty { return [] }
    return model.entities.compactMap { entity in
      let owners = [entity] + model.ancestors(of: entity)
      let isRenamed = entity.renamable.isNamed(in: entities)
      func renamed(_ all: [Renamable]) -> [Renamable] {
        isRenamed ? all : all.filter { $0.isNamed(in: properties) }
      }
      let found = RenamedEntity(
        name: entity.renamable,
        attributes: renamed(owners.flatMap { $0.attributes.map(\.renamable) }),
        relationships: renamed(owners.flatMap { $0.relationships.map(\.renamable) }))
      return isRenamed || !found.properties.isEmpty ? found : nil
    }
  }
}

/// A renamed entity with all properties, or another entity with its renamed properties, own and inherited.
private struct RenamedEntity: Equatable {
  let name: Renamable
  let attributes: [Renamable]
  let relationships: [Renamable]

  var properties: [Renamable] { attributes + relationships }

  /// The entity for a pairing. Only its names and renaming identifiers are meaningful.
  var entity: EntityDescription {
    EntityDescription(
      name: name.name,
      attributes: attributes.map {
        AttributeDescription(name: $0.name, type: .string, renamingIdentifier: $0.identifier)
      },
      relationships: relationships.map {
        RelationshipDescription(
          name: $0.name, destination: name.name, renamingIdentifier: $0.identifier)
      }, renamingIdentifier: name.identifier)
  }
}

extension Renamable {
  /// The name, and the renaming identifier if it differs from the name.
  fileprivate var words: [ExactText] {
    guard let identifier, !identifier.isExactly(name) else { return [ExactText(name)] }
    return [ExactText(name), ExactText(identifier)]
  }

  fileprivate func isNamed(in names: Set<ExactText>) -> Bool {
    words.contains(where: names.contains)
  }
}
