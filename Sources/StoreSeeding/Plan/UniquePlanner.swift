import SQLiteAccess
import StoreLayout
import StoreModel

/// Chooses the attributes that make rows of an entity unique.
struct UniquePlanner {
  private let layout: StoreLayout
  private let seeding: Seeding
  private let counts: [String: Int]
  private let runs: [String: KeyRun]
  private let connection: Connection
  private(set) var groups: [UniqueGroup] = []
  /// The to-one relationships whose destinations must be unique, because attributes can't make the rows unique.
  private(set) var distinct: Set<String> = []
  /// The index of the group that generates the values, by attribute.
  private(set) var places: [SeededProperty: Int] = [:]

  /// - Throws: `SeedError.tooFewValues`, `DatabaseError`
  init(
    _ layout: StoreLayout, _ seeding: Seeding, counts: [String: Int], runs: [String: KeyRun],
    on connection: Connection
  ) throws {
    self.layout = layout
    self.seeding = seeding
    self.counts = counts
    self.runs = runs
    self.connection = connection
    // Ancestors are first, because their constraints also make the rows of subentities unique.
    let entities = layout.model.entities.sorted {
      (layout.model.ancestors(of: $0).count, $0.name)
        < (layout.model.ancestors(of: $1).count, $1.name)
    }
    for entity in entities {
      // Constraints with fewer attributes are first, because there are fewer attributes to choose from.
      for constraint in entity.uniquenessConstraints.sorted(by: { $0.count < $1.count }) {
        try add(constraint, of: entity)
      }
      for attribute in layout.model.storedAttributes(of: entity)
      where seeding.demands[entity.name, attribute.name].isUnique {
        try add([attribute.name], of: entity)
      }
    }
  }

  /// Returns the concrete entities among an entity and its descendants.
  private func kinds(of entity: EntityDescription) -> [EntityDescription] {
    layout.model.subtree(of: entity).filter { !$0.isAbstract }
  }

  private mutating func add(_ constraint: [String], of entity: EntityDescription) throws {
    let kinds = kinds(of: entity)
    let wanted = kinds.reduce(0) { $0 + (counts[$1.name] ?? 0) }
    guard wanted > 0, let place = layout.entity(named: entity.name),
      !groups.contains(where: { covers($0, constraint, entity) })
    else { return }
    let attributes = layout.model.storedAttributes(of: entity).filter { attribute in
      constraint.contains(attribute.name) && attribute.derivation == nil
        && kinds.allSatisfy {
          places[SeededProperty(entity: $0.name, property: attribute.name)] == nil
        }
    }
    let carriers = attributes.compactMap { carrier(for: $0, of: entity) }
    let group = try self.group(constraint, carriers, of: entity, place, wanted: UInt64(wanted))
    if group.room < UInt64(wanted) {
      let toOnes = constraint.filter { place.toOne[$0] != nil }
      guard toOnes.isEmpty else { return distinct.formUnion(toOnes) }
      // An optional attribute can be NULL in several rows, because NULL doesn't equal any value.
      guard seeding.style == .extreme || attributes.contains(where: \.isOptional) else {
        throw SeedError.tooFewValues(
          entity: entity.name, properties: constraint, possible: group.room, wanted: wanted)
      }
    }
    for kind in kinds {
      for carrier in group.carriers {
        places[SeededProperty(entity: kind.name, property: carrier.property)] = groups.count
      }
    }
    groups.append(group)
  }

  /// Returns whether the values of a group already satisfy a constraint.
  private func covers(_ group: UniqueGroup, _ constraint: [String], _ entity: EntityDescription)
    -> Bool
  {
    let owners = ([entity] + layout.model.ancestors(of: entity)).map(\.name)
    return !group.carriers.isEmpty && owners.contains(group.entity)
      && group.carriers.allSatisfy { constraint.contains($0.property) }
  }

  private func carrier(for attribute: AttributeDescription, of entity: EntityDescription)
    -> UniqueGroup.Carrier?
  {
    // The numbers of existing UUIDs can't be determined and skipped. The seed therefore depends on the first new key,
    // so that each run creates other UUIDs.
    let first = kinds(of: entity).compactMap { runs[$0.name]?.first }.min() ?? 0
    var random = SeedRandom(
      seed: seeding.seed, name: "\(entity.name).\(attribute.name)", number: first)
    return ValueDomain(attribute, rules: TextRules(attribute), seed: random.next())
      .map { UniqueGroup.Carrier(property: attribute.name, domain: $0) }
  }

  /// Returns a group with one attribute if an attribute alone has enough values, otherwise with all attributes.
  private func group(
    _ constraint: [String], _ carriers: [UniqueGroup.Carrier], of entity: EntityDescription,
    _ place: EntityLayout, wanted: UInt64
  ) throws(DatabaseError) -> UniqueGroup {
    for carrier in carriers.sorted(by: { $0.domain.count > $1.domain.count }) {
      let group = try group(constraint, alone: [carrier], of: entity, place)
      if group.room >= wanted { return group }
    }
    return try group(constraint, alone: carriers, of: entity, place)
  }

  private func group(
    _ constraint: [String], alone carriers: [UniqueGroup.Carrier], of entity: EntityDescription,
    _ place: EntityLayout
  ) throws(DatabaseError) -> UniqueGroup {
    guard !carriers.isEmpty else {
      return UniqueGroup(constraint, of: entity.name, carriers: [], taken: [0])
    }
    let columns = carriers.compactMap { place.attributes[$0.property]?.column }
    let known = columns.map { column -> SQL in "\(name: column) IS NOT NULL" }
    var statement = try connection.prepare(
      """
      SELECT \(columns.map(SQL.name).joined(", ")) FROM \(name: place.table) \
      WHERE \(known.joined(" AND "))
      """)
    var taken: [UInt64] = []
    var texts: Set<String> = []
    let hasPattern = carriers.contains { if case .pattern = $0.domain { true } else { false } }
    while try statement.step() {
      let values = columns.indices.map { statement.value(at: Int32($0)) }
      if hasPattern {
        texts.formUnion(values.compactMap(\.text))
      } else if let number = UniqueGroup.number(of: values, carriers) {
        taken.append(number)
      }
    }
    return UniqueGroup(
      constraint, of: entity.name, carriers: carriers, taken: taken, takenTexts: texts)
  }
}
