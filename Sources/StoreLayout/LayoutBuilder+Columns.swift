import StoreModel

extension LayoutBuilder {
  /// Attributes by name, then to-one relationships by name: in that order they take their names.
  mutating func placeProperties(of entity: Entity, _ number: Int64) {
    let table = table(of: entity)
    for attribute in model.storedAttributes(declaredBy: entity) {
      let (declared, group) = attribute.type.storage
      let column = place(
        attribute.name.columnName, declared, in: table,
        at: ColumnPlace(group: group, entity: number, name: attribute.name))
      attributes[PropertyKey(entity.name, attribute.name)] = AttributeColumn(
        column: column, type: attribute.type, isDerived: attribute.derivation != nil,
        allowsExternalStorage: attribute.allowsExternalStorage)
    }
    for relationship in entity.relationships
    where !relationship.isTransient && !relationship.isToMany {
      placeToOne(relationship, of: entity, number)
    }
  }

  private mutating func placeToOne(
    _ relationship: Relationship, of entity: Entity, _ number: Int64
  ) {
    let table = table(of: entity)
    var place = ColumnPlace(
      group: .integer, entity: number, isRelationship: true, name: relationship.name)
    let column = self.place(relationship.name.columnName, .integer, in: table, at: place)
    place.part = .companion
    var entityColumn: String?
    if let destination = model.entity(named: relationship.destination),
      model.hasSubentities(destination)
    {
      let destinationNumber = numbering.number(of: destination)
      entityColumn = placeIfStored(
        "Z\(destinationNumber)_\(relationship.name.uppercased())", beside: column, in: table,
        at: place)
    }
    toOne[PropertyKey(entity.name, relationship.name)] = ToOneColumn(
      column: column, destination: relationship.destination, entityColumn: entityColumn)
  }

  /// A to-many without an inverse keeps its owner in a column of the members' table that the model
  /// does not name: `Z<n><NAME>`, n being the owner's number.
  mutating func placeHiddenKeys(of entity: Entity, _ number: Int64) {
    for relationship in entity.relationships where isHidden(relationship, of: entity) {
      guard let destination = model.entity(named: relationship.destination) else { continue }
      let table = table(of: destination)
      let name = "\(number)\(relationship.name.uppercased())"
      var place = ColumnPlace(
        group: .hiddenKey, entity: number, isRelationship: true, name: relationship.name)
      let column = self.place("Z\(name)", .integer, in: table, at: place)
      place.part = .companion
      let orderColumn =
        relationship.isOrdered
        ? placeIfStored("Z_FOK_\(name)", beside: column, in: table, at: place) : nil
      toMany[PropertyKey(entity.name, relationship.name)] = .column(
        .init(
          destination: destination.name, table: table, column: column, entityColumn: nil,
          orderColumn: orderColumn))
    }
  }

  private func isHidden(_ relationship: Relationship, of entity: Entity) -> Bool {
    relationship.isToMany && !relationship.isTransient
      && model.sharedInverse(of: relationship, declaredBy: entity) == nil
  }

  /// The place in an ordered to-many is kept beside the to-one that leads back.
  mutating func placeOrderColumns(of entity: Entity, _ number: Int64) {
    let table = table(of: entity)
    for relationship in entity.relationships
    where !relationship.isToMany && !relationship.isTransient {
      guard let (inverse, _) = model.sharedInverse(of: relationship, declaredBy: entity),
        inverse.isOrdered, let key = toOne[PropertyKey(entity.name, relationship.name)]?.column
      else { continue }
      let column = placeIfStored(
        "Z_FOK_\(relationship.name.uppercased())", beside: key, in: table,
        at: ColumnPlace(
          group: .order, entity: number, isRelationship: true, name: relationship.name))
      toOne[PropertyKey(entity.name, relationship.name)]?.orderColumn = column
    }
  }

  /// A to-many with a to-one inverse is read from the inverse's column.
  mutating func placeToMany(of entity: Entity) {
    for relationship in entity.relationships
    where relationship.isToMany && !relationship.isTransient {
      guard let (inverse, owner) = model.sharedInverse(of: relationship, declaredBy: entity),
        let back = toOne[PropertyKey(owner.name, inverse.name)]
      else { continue }
      toMany[PropertyKey(entity.name, relationship.name)] = .column(
        .init(
          destination: relationship.destination, table: table(of: owner), column: back.column,
          entityColumn: back.entityColumn, orderColumn: back.orderColumn))
    }
  }
}

extension String {
  /// The column of a property, where no other property has taken that name.
  fileprivate var columnName: String {
    // A composite's element: no store shows its column, so this form is a guess.
    "Z" + uppercased().map { $0 == "." ? "_" : String($0) }.joined()
  }
}
