import StoreLayout
import StoreModel
import SQLiteAccess

/// A side of a relationship: the rows of the entity in the request (sources), or of the relationship's destination
/// entity (destinations). Linked rows are called partners.
enum LinkSide: Hashable, Sendable {
  case source, destination

  var opposite: LinkSide { self == .source ? .destination : .source }

  /// The column of the side's keys in tables of links.
  var key: SQL { self == .source ? "s" : "d" }

  /// The temporary table of the side's matching rows.
  var table: String { self == .source ? "storetool_link_source" : "storetool_link_destination" }

  /// The number of the side in the table of changed rows.
  var number: SQL { self == .source ? "0" : "1" }
}

/// A to-one or to-many relationship and its columns or join table in the store.
struct LinkedRelationship: Hashable, Sendable {
  /// A column that refers to the partner on the other side.
  struct Column: Hashable, Sendable {
    /// The side whose rows have the column.
    var side: LinkSide
    var table: String
    var column: String
    var entityColumn: String?
    var orderColumn: String?
    /// The name of the to-one relationship, or nil for the column of a to-many relationship without an inverse.
    var property: String?
    var isRequired: Bool
  }

  enum Storage: Hashable, Sendable {
    /// One column, or one on each side of a one-to-one relationship.
    case columns([Column])
    /// A row for each link. If the relationship is its own inverse, one row for each direction.
    case joinTable(ToManyLayout.Join, isOwnInverse: Bool)
  }

  /// The columns with the positions of an owner's members.
  struct Order: Hashable, Sendable {
    /// The side of the owners. The rows on the other side are the members.
    var side: LinkSide
    var table: String
    var owner: String
    var member: String
    var place: String
  }

  let source: EntityLayout
  let destination: EntityLayout
  let relationship: RelationshipDescription
  /// Nil if the model doesn't contain an inverse.
  let inverse: RelationshipDescription?
  let storage: Storage
  let orders: [Order]

  func place(of side: LinkSide) -> EntityLayout { side == .source ? source : destination }

  /// Returns the name of the property that changes in the rows of a side, or nil for destinations of a relationship
  /// without an inverse.
  func property(of side: LinkSide) -> String? {
    side == .source ? relationship.name : inverse?.name
  }

  var columns: [Column] {
    if case .columns(let columns) = storage { columns } else { [] }
  }

  var isOneToOne: Bool { columns.count == 2 }

  var isOwnInverse: Bool {
    if case .joinTable(_, isOwnInverse: true) = storage { true } else { false }
  }

  /// Returns whether a changed link counts as a change of the row on this side, because the row has a property for the
  /// relationship or the column that stores it.
  func isChanged(_ side: LinkSide) -> Bool {
    property(of: side) != nil || columns.contains { $0.side == side }
  }

  /// The sides whose rows have at most one partner.
  var sidesWithOnePartner: [LinkSide] { columns.map(\.side) }

  /// The order of the relationship itself, not of its inverse.
  var order: Order? { orders.first { $0.side == .source } }

  /// A SELECT of the relationship's links in the store: the primary keys of the source (`s`) and the destination (`d`).
  var present: SQL {
    switch storage {
    case .columns(let columns):
      """
      SELECT \(name: FixedColumn.primaryKey) AS \(columns[0].side.key), \
      \(name: columns[0].column) AS \(columns[0].side.opposite.key) \
      FROM \(name: columns[0].table) WHERE \(name: columns[0].column) NOT NULL
      """
    case .joinTable(let join, _):
      """
      SELECT \(name: join.sourceColumn) AS s, \(name: join.destinationColumn) AS d \
      FROM \(name: join.table)
      """
    }
  }
}

extension LinkedRelationship {
  /// - Throws: `ModelLookupError`; `LinkError` for a name that isn't a relationship in the store.
  init(_ name: String, of entity: String, in layout: StoreLayout) throws {
    let entity = try layout.model.requireEntity(named: entity)
    let known = layout.model.relationships(of: entity).filter { !$0.isTransient }.map(\.name)
    guard case (let property, let declaring)? = layout.model.property(named: name, of: entity)
    else { throw LinkError.unknownRelationship(name, entity: entity.name, known: known) }
    guard case .relationship(let relationship) = property else {
      throw LinkError.noRelationship(name, entity: entity.name, known: known)
    }
    guard !relationship.isTransient, let place = layout.entity(named: entity.name),
      let destination = layout.entity(named: relationship.destination)
    else { throw LinkError.notStored(name, entity: entity.name) }
    let inverse = layout.model.sharedInverse(of: relationship, declaredBy: declaring)?.0
    guard let storage = Storage(relationship, of: place, inverse, of: destination) else {
      throw LinkError.notStored(name, entity: entity.name)
    }
    source = place
    self.destination = destination
    self.relationship = relationship
    self.inverse = inverse
    self.storage = storage
    orders = storage.orders(back: inverse.flatMap { destination.toMany[$0.name] })
  }
}

extension LinkedRelationship.Storage {
  fileprivate init?(
    _ relationship: RelationshipDescription, of source: EntityLayout,
    _ inverse: RelationshipDescription?,
    of destination: EntityLayout
  ) {
    if let column = source.toOne[relationship.name] {
      var columns = [
        LinkedRelationship.Column(column, relationship, on: .source, in: source.table)
      ]
      if let inverse, !inverse.isToMany, let back = destination.toOne[inverse.name] {
        columns.append(.init(back, inverse, on: .destination, in: destination.table))
      }
      self = .columns(columns)
      return
    }
    switch source.toMany[relationship.name] {
    case .joinTable(let join)?:
      let isOwnInverse = inverse.flatMap { destination.toMany[$0.name] } == .joinTable(join)
      self = .joinTable(join, isOwnInverse: isOwnInverse)
    case .column(let key)?:
      self = .columns([
        .init(
          side: .destination, table: key.table, column: key.column,
          entityColumn: key.entityColumn, orderColumn: key.orderColumn, property: inverse?.name,
          isRequired: inverse?.isOptional == false)
      ])
    case nil: return nil
    }
  }

  /// - Parameter back: the layout of the inverse, if it is to-many.
  fileprivate func orders(back: ToManyLayout?) -> [LinkedRelationship.Order] {
    switch self {
    case .columns(let columns):
      return columns.compactMap { column in
        column.orderColumn.map {
          .init(
            side: column.side.opposite, table: column.table, owner: column.column,
            member: FixedColumn.primaryKey, place: $0)
        }
      }
    case .joinTable(let join, let isOwnInverse):
      var sides: [(LinkSide, ToManyLayout.Join)] = [(.source, join)]
      if !isOwnInverse, case .joinTable(let reversed)? = back {
        sides.append((.destination, reversed))
      }
      return sides.compactMap { side, join in
        join.orderColumn.map {
          .init(
            side: side, table: join.table, owner: join.sourceColumn,
            member: join.destinationColumn, place: $0)
        }
      }
    }
  }
}

extension LinkedRelationship.Column {
  fileprivate init(
    _ column: ToOneColumn, _ relationship: RelationshipDescription, on side: LinkSide,
    in table: String
  ) {
    self.init(
      side: side, table: table, column: column.column, entityColumn: column.entityColumn,
      orderColumn: column.orderColumn, property: relationship.name,
      isRequired: !relationship.isOptional)
  }
}
