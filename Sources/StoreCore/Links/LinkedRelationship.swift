import StoreLayout
import StoreModel
import SQLiteAccess

/// One of the two sides of a relationship: that of the entity which it is named with, or its destination.
enum LinkSide: Hashable, Sendable {
  case source, destination

  var opposite: LinkSide { self == .source ? .destination : .source }

  /// The column of a side's keys in tables of links.
  var key: SQL { self == .source ? "s" : "d" }

  /// The temporary table of a side's rows that match.
  var table: String { self == .source ? "storetool_link_source" : "storetool_link_destination" }

  /// In the table of all rows that change.
  var number: SQL { self == .source ? "0" : "1" }
}

/// A relationship as the store keeps it: the same value for to-one and to-many, whichever side names it.
struct LinkedRelationship: Hashable, Sendable {
  /// A column of one side's rows that names their partner on the other.
  struct Column: Hashable, Sendable {
    /// The side whose rows have it.
    var side: LinkSide
    var table: String
    var column: String
    var entityColumn: String?
    var orderColumn: String?
    /// The to-one; nil for the hidden key of a to-many without inverse.
    var property: String?
    var isRequired: Bool
  }

  enum Storage: Hashable, Sendable {
    /// One column; of a one-to-one relationship one on each side.
    case columns([Column])
    /// A row for each pair; when the relationship is its own inverse, one for each direction.
    case joinTable(ToManyLayout.Join, isOwnInverse: Bool)
  }

  /// Where members of one side's rows keep their places.
  struct Order: Hashable, Sendable {
    /// The side whose rows have the members.
    var side: LinkSide
    var table: String
    var owner: String
    var member: String
    var place: String
  }

  let source: EntityLayout
  let destination: EntityLayout
  let relationship: Relationship
  /// Nil where the model has none that names this one back.
  let inverse: Relationship?
  let storage: Storage
  let orders: [Order]

  func place(of side: LinkSide) -> EntityLayout { side == .source ? source : destination }

  /// What changes of a side's rows.
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

  /// Rows of a side are saved when a relationship of theirs changes, or a column that stands for the other side's.
  func isChanged(_ side: LinkSide) -> Bool {
    property(of: side) != nil || columns.contains { $0.side == side }
  }

  /// The sides of which a row has one partner at most.
  var sidesWithOnePartner: [LinkSide] { columns.map(\.side) }

  /// The order that the relationship itself has.
  var order: Order? { orders.first { $0.side == .source } }

  /// A SELECT of all links of the store, as `s` and `d`.
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
  /// - Throws: `ModelLookupError`; `LinkError` for a name that is none of a relationship in the store.
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
    _ relationship: Relationship, of source: EntityLayout, _ inverse: Relationship?,
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

  /// - Parameter back: the inverse, where it is to-many.
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
    _ column: ToOneColumn, _ relationship: Relationship, on side: LinkSide, in table: String
  ) {
    self.init(
      side: side, table: table, column: column.column, entityColumn: column.entityColumn,
      orderColumn: column.orderColumn, property: relationship.name,
      isRequired: !relationship.isOptional)
  }
}
