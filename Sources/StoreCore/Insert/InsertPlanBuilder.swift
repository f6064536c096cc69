import SQLiteAccess
import StoreLayout
import StoreModel
import StorePredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Collects the fields of a plan: the stored attributes, then the to-one relationships, both sorted by name.
struct InsertPlanBuilder {
  let entity: EntityDescription
  let place: EntityLayout
  let layout: StoreLayout
  private(set) var fields: [InsertPlan.Field] = []
  /// The names of the columns, in the order of the cells in a packed row.
  private(set) var columns: [String] = []
  private(set) var refused: [String: InsertPlan.Refusal] = [:]
  private(set) var relationships: [RelationshipStep] = []

  mutating func addAttributes() {
    for attribute in layout.model.attributes(of: entity) where attribute.isTransient {
      refused[attribute.name] = .transient
    }
    addCompositesAndSubentities()
    for (name, column) in place.attributes.sorted(by: { $0.key < $1.key }) {
      guard !column.isDerived else {
        refused[name] = .derived
        continue
      }
      let attribute = self.attribute(at: name.split(separator: ".").map(String.init))
      fields.append(
        InsertPlan.Field(
          name: name,
          content: .attribute(column.type, isExternal: column.allowsExternalStorage),
          cell: addColumn(column.column), isRequired: attribute?.isOptional == false,
          validation: attribute?.validation ?? AttributeDescription.Validation(),
          defaultValue: attribute?.defaultValue.map(column.stored(default:)) ?? .null))
    }
  }

  /// Adds refusals for composites, fetched properties and properties of subentities, which a user can mistake for
  /// fields.
  private mutating func addCompositesAndSubentities() {
    for attribute in layout.model.attributes(of: entity) {
      let elements = place.attributes.keys.filter { $0.hasPrefix(attribute.name + ".") }.sorted()
      if case .composite = attribute.type, !elements.isEmpty {
        refused[attribute.name] = .composite(elements: elements)
      }
    }
    for owner in [entity] + layout.model.ancestors(of: entity) {
      for property in owner.fetchedProperties { refused[property.name] = .fetched }
    }
    let own = Set(
      layout.model.attributes(of: entity).map(\.name)
        + layout.model.relationships(of: entity).map(\.name))
    for subentity in layout.model.subtree(of: entity).dropFirst() {
      let names = subentity.attributes.map(\.name) + subentity.relationships.map(\.name)
      for name in names where !own.contains(name) && refused[name] == nil {
        refused[name] = .ofSubentity(subentity.name)
      }
    }
  }

  mutating func addToOnes() {
    for name in place.toMany.keys { refused[name] = .toMany }
    for (name, column) in place.toOne.sorted(by: { $0.key < $1.key }) {
      guard let destination = layout.model.entity(named: column.destination) else { continue }
      let kinds = layout.model.subtree(of: destination).filter { !$0.isAbstract }
      let numbers = kinds.compactMap { kind in
        layout.entity(named: kind.name).map { (kind.name, $0.number) }
      }
      let relationship = layout.model.relationships(of: entity).first { $0.name == name }
      let cell = addColumn(column.column)
      let toOne = InsertPlan.ToOne(
        destination: column.destination,
        entityNumbers: Dictionary(numbers) { first, _ in first },
        entityCell: column.entityColumn.map { addColumn($0) },
        uniqueKey: InsertPlan.UniqueKey(of: destination, in: layout),
        namingAttribute: layout.model.namingAttribute(of: destination.name))
      fields.append(
        InsertPlan.Field(
          name: name, content: .toOne(toOne), cell: cell,
          isRequired: relationship?.isOptional == false,
          validation: AttributeDescription.Validation(),
          defaultValue: .null))
      relationships.append(step(for: name, relationship, column, toOne))
    }
  }

  private func step(
    for name: String, _ relationship: RelationshipDescription?, _ column: ToOneColumn,
    _ toOne: InsertPlan.ToOne
  ) -> RelationshipStep {
    let destination = layout.entity(named: column.destination)
    let inverse = relationship.flatMap { layout.model.inverse(of: $0)?.0 }
    let partner = inverse.flatMap { $0.isToMany ? nil : destination?.toOne[$0.name] }
    return RelationshipStep(
      property: name, table: place.table,
      // If several entities share the table, rows of the other entities must not change.
      entityNumber: place.sharesTable ? place.number : nil, column: column,
      destinationTable: destination?.table ?? "",
      destinationNumbers: toOne.entityNumbers.values.sorted(),
      partner: partner, inverse: inverse?.name)
  }

  private mutating func addColumn(_ name: String) -> Int {
    columns.append(name)
    return columns.count - 1
  }

  /// Returns the attribute with a name, or the element of a composite with a path of names.
  private func attribute(at path: [String]) -> AttributeDescription? {
    guard let first = path.first else { return nil }
    var found = layout.model.attributes(of: entity).first { $0.name == first }
    for name in path.dropFirst() {
      guard case .composite(let composite)? = found?.type else { return nil }
      found = layout.model.composite(named: composite)?.attributes.first { $0.name == name }
    }
    return found
  }

  /// The constraints that the entity declares or inherits.
  var uniqueness: [InsertPlan.UniquenessConstraint] {
    let owners = [entity] + layout.model.ancestors(of: entity)
    return owners.flatMap(\.uniquenessConstraints).map { properties in
      InsertPlan.UniquenessConstraint(
        properties: properties,
        columns: properties.compactMap {
          place.attributes[$0]?.column ?? place.toOne[$0]?.column
        })
    }
  }
}

extension InsertPlan.UniqueKey {
  /// - Returns: nil if no single attribute of the entity is unique.
  init?(of entity: EntityDescription, in layout: StoreLayout) {
    guard let place = layout.entity(named: entity.name) else { return nil }
    let owners = [entity] + layout.model.ancestors(of: entity)
    let names = owners.flatMap(\.uniquenessConstraints).filter { $0.count == 1 }.flatMap(\.self)
    guard let name = names.first(where: { place.attributes[$0] != nil }),
      let column = place.attributes[name]
    else { return nil }
    self.init(attribute: name, type: column.type, table: place.table, column: column.column)
  }
}
