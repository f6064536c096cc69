import SQLiteAccess
package import StoreDiagnostics
import StoreLayout
package import StoreModel

/// The attributes that identify objects of an entity.
struct ImportKey: Hashable {
  var attributes: [String]
  /// Whether the model has a uniqueness constraint of these attributes.
  var isConstraint: Bool
  /// Whether the caller specifies the key.
  var isChosen = false

  /// The key of objects whose `$id` identifies an existing row. It has no attributes.
  static let row = ImportKey(attributes: [], isConstraint: true)

  var isRow: Bool { attributes.isEmpty }
}

/// Finds the import keys of a model's entities.
struct ImportKeys {
  /// The key in the user info of an entity or relationship whose value is the attribute that identifies objects of the
  /// entity, or of the relationship's destination.
  static let userInfoKey = "relatedByAttribute"

  /// A relationship with a `relatedByAttribute`, and the entity that declares it.
  typealias LeadingRelationship = (
    owner: EntityDescription, relationship: RelationshipDescription, attribute: String
  )

  let model: DataModel
  /// The keys that the caller specifies, which have priority.
  let chosen: [ImportKeyChoice]
  /// The relationships with a `relatedByAttribute`, by the name of the destination.
  private let leading: [String: [LeadingRelationship]]

  init(model: DataModel, chosen: [ImportKeyChoice] = []) {
    self.model = model
    self.chosen = chosen
    let all = model.entities.flatMap { entity in
      entity.relationships.compactMap { relationship -> LeadingRelationship? in
        relationship.userInfo[Self.userInfoKey].map { (entity, relationship, $0) }
      }
    }
    leading = Dictionary(grouping: all, by: \.relationship.destination)
  }

  /// Returns the first available import key of an entity. Items 2 to 4 ignore derived attributes and names that aren't
  /// stored attributes:
  ///
  /// 1. the key that the caller specifies for the entity or its nearest ancestor
  /// 2. `relatedByAttribute` of the relationships to the entity and its ancestors, if they all specify the same
  ///    attribute
  /// 3. `relatedByAttribute` of the entity or its nearest ancestor
  /// 4. the first uniqueness constraint
  func key(of entity: EntityDescription) -> ImportKey? {
    let owners = [entity] + model.ancestors(of: entity)
    let stored = Set(
      model.storedAttributes(of: entity).filter { $0.derivation == nil }.map(\.name))
    let constraints = owners.flatMap(\.uniquenessConstraints)
    for owner in owners {
      guard let choice = chosen.first(where: { $0.entity == owner.name }) else { continue }
      let isConstraint = constraints.contains { Set($0) == Set(choice.attributes) }
      return ImportKey(
        attributes: choice.attributes, isConstraint: isConstraint, isChosen: true)
    }
    if let named = named(for: owners, among: stored) {
      return ImportKey(attributes: [named], isConstraint: constraints.contains([named]))
    }
    return constraints.first { stored.isSuperset(of: $0) }
      .map { ImportKey(attributes: $0, isConstraint: true) }
  }

  private func named(for owners: [EntityDescription], among stored: Set<String>) -> String? {
    let said = Set(attributes(leadingTo: owners).map(\.attribute)).intersection(stored)
    // If the relationships specify different attributes, each attribute only applies to references of the relationship
    // that specifies it.
    if said.count == 1, let named = said.first { return named }
    return owners.compactMap { $0.userInfo[Self.userInfoKey] }.first { stored.contains($0) }
  }

  /// Returns the relationships to any of the entities that have a `relatedByAttribute`.
  func attributes(leadingTo entities: [EntityDescription]) -> [LeadingRelationship] {
    entities.flatMap { leading[$0.name, default: []] }
  }

  /// Returns the attribute whose value can refer to the destination of a relationship, or nil if there is none.
  func attribute(behind relationship: RelationshipDescription) -> (
    name: String, isConstraint: Bool
  )? {
    guard let destination = model.entity(named: relationship.destination) else { return nil }
    let key = key(of: destination)
    if let own = relationship.userInfo[Self.userInfoKey],
      let attribute = model.storedAttributes(of: destination).first(where: { $0.name == own })
    {
      return (attribute.name, key?.attributes == [own] && key?.isConstraint == true)
    }
    guard let key, key.attributes.count == 1, let name = key.attributes.first else { return nil }
    return (name, key.isConstraint)
  }
}

/// The attribute whose values can refer to the destination of a relationship, and its column.
struct ReferenceKey: Hashable {
  var attribute: String
  var type: AttributeType
  var table: String
  var column: String
  var isConstraint: Bool

  /// Returns nil if there is no such attribute.
  init?(behind relationship: RelationshipDescription, by keys: ImportKeys, in layout: StoreLayout) {
    guard let found = keys.attribute(behind: relationship),
      let place = layout.entity(named: relationship.destination),
      let column = place.attributes[found.name]
    else { return nil }
    attribute = found.name
    type = column.type
    table = place.table
    self.column = column.column
    isConstraint = found.isConstraint
  }

  /// Returns the stored form of a text, or NULL if the text isn't valid for the attribute's type.
  func stored(_ text: String) -> SQLiteValue {
    do throws(ValueError) {
      return try type.stored(text: text)
    } catch {
      return .null
    }
  }
}

/// An import key that the caller specifies. For example, `Player.name,born` identifies objects of `Player` by `name`
/// and `born`.
package struct ImportKeyChoice: Hashable, Sendable {
  package let entity: String
  let attributes: [String]

  /// Returns nil if `text` doesn't have the form `Entity.attribute,attribute`, or repeats an attribute.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    let names = parts[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    self.init(entity: String(parts[0]), attributes: names)
  }

  /// Returns nil if an attribute is empty or repeated.
  init?(entity: String, attributes: [String]) {
    guard !attributes.contains(""), Set(attributes).count == attributes.count else { return nil }
    self.entity = entity
    self.attributes = attributes
  }

  /// - Throws: `ModelLookupError` for an unknown entity, `ImportError.badKey` for a name that isn't a stored attribute,
  ///   or is a derived attribute.
  func check(in model: DataModel) throws {
    let entity = try model.requireEntity(named: entity)
    let stored = model.storedAttributes(of: entity).filter { $0.derivation == nil }.map(\.name)
    for name in attributes where !stored.contains(name) {
      throw ImportError.badKey(name, entity: entity.name, known: stored)
    }
  }
}

extension DataModel {
  /// Warnings about `relatedByAttribute` in the user info: unknown names and contradictions.
  package var importKeyFindings: [(diagnostic: DiagnosticMessage, part: ModelPart)] {
    let keys = ImportKeys(model: self)
    return entities.flatMap { entity in
      unknownImportKeys(of: entity) + disagreements(about: entity, keys)
    }
  }

  private func unknownImportKeys(
    of entity: EntityDescription
  ) -> [(diagnostic: DiagnosticMessage, part: ModelPart)] {
    let own = entity.userInfo[ImportKeys.userInfoKey]
      .flatMap { unknownImportKey($0, of: entity, in: entity.name) }
      .map { (diagnostic: $0, part: ModelPart.entity(entity.name)) }
    return [own].compactMap(\.self)
      + entity.relationships.compactMap { relationship in
        guard let name = relationship.userInfo[ImportKeys.userInfoKey],
          let destination = self.entity(named: relationship.destination)
        else { return nil }
        return unknownImportKey(name, of: destination, in: "\(entity.name).\(relationship.name)")
          .map { ($0, .property(relationship.name, of: entity.name)) }
      }
  }

  private func unknownImportKey(
    _ name: String, of entity: EntityDescription, in place: String
  ) -> DiagnosticMessage? {
    let known = storedAttributes(of: entity).filter { $0.derivation == nil }.map(\.name)
    guard !known.contains(name) else { return nil }
    return DiagnosticMessage(
      .warning, "model.import-key",
      "relatedByAttribute of '\(place)' names '\(name)', which isn't a stored attribute of "
        + "'\(entity.name)': imports ignore it", cause: .invalid
    ).didYouMean(name, among: known)
  }

  /// Returns a warning for each relationship to `entity` whose `relatedByAttribute` differs from the entity's, or from
  /// the attribute by which imports identify the entity's objects.
  private func disagreements(
    about entity: EntityDescription, _ keys: ImportKeys
  ) -> [(diagnostic: DiagnosticMessage, part: ModelPart)] {
    let known = Set(storedAttributes(of: entity).filter { $0.derivation == nil }.map(\.name))
    let leading = keys.attributes(leadingTo: [entity]).filter { known.contains($0.attribute) }
    guard let used = keys.key(of: entity)?.attributes.first else { return [] }
    let own = entity.userInfo[ImportKeys.userInfoKey].flatMap { known.contains($0) ? $0 : nil }
    return leading.compactMap { owner, relationship, attribute in
      guard let other = attribute == used ? own : used, other != attribute else { return nil }
      let source =
        attribute == used || other == own
        ? "the entity '\(entity.name)'" : "another relationship"
      let finding = DiagnosticMessage(
        .warning, "model.import-key-disagreement",
        "relatedByAttribute is '\(attribute)' for the relationship '\(owner.name).\(relationship.name)', but "
          + "'\(other)' for \(source): imports identify objects of '\(entity.name)' by '\(used)'",
        cause: .invalid)
      return (finding, .property(relationship.name, of: owner.name))
    }
  }
}
