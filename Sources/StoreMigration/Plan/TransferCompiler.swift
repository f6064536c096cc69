import StoreCore
import PredicateSQL
import StoreLayout
import SQLiteAccess
import StoreModel
import StorePredicate

/// Compiles the column values of the target rows of one transfer to SQL.
struct TransferCompiler {
  let transfer: EntityTransfer
  let keys: KeyMap
  private(set) var query: TransferQuery
  /// The values, by the target's column.
  private(set) var values: [String: ColumnValue] = [:]
  /// The to-one relationships whose destinations a predicate finds after all rows have been moved.
  private(set) var matched: [MatchedReference] = []
  /// The columns with the owner's key, by the order column, for ordered relationships without an order in the source.
  private(set) var unplaced: [String: String] = [:]

  init(_ transfer: EntityTransfer, _ keys: KeyMap, storeUUID: String?) throws {
    self.transfer = transfer
    self.keys = keys
    query = TransferQuery(transfer, in: keys.source, storeUUID: storeUUID)
    for (name, column) in transfer.target.attributes { try addAttribute(name, column) }
    for (name, column) in transfer.target.toOne { try addToOne(name, column) }
    try addHiddenKeys()
  }

  // MARK: Attributes

  private mutating func addAttribute(_ name: String, _ column: AttributeColumn) throws {
    let origin = transfer.mapping.attributes[name] ?? .nothing
    var value: ColumnValue
    switch origin.source {
    case .nothing: value = .null
    case .attribute(let old):
      value = transfer.source.attributes[old].map { converted($0, to: column) } ?? .null
    case .expression(let expression):
      let sql = try query.rows.value(expression, as: column.type)
      value = query.rows.readsRowAlone ? .local(sql) : .remote(sql)
    }
    let fallback = origin.fallback.map(column.stored(default:)) ?? .null
    if fallback != .null { value = value.withFallback(fallback) }
    values[column.column] = value
  }

  private func converted(_ old: AttributeColumn, to new: AttributeColumn) -> ColumnValue {
    let value = SQL.name(ColumnValue.row, old.column)
    switch Conversion(from: old.type, to: new.type) {
    case nil: return .null
    case .copy:
      guard old.allowsExternalStorage != new.allowsExternalStorage else {
        return .column(old.column)
      }
      return .local(
        new.allowsExternalStorage
          ? ExternalBytes.wrapped(value) : StoredBytes.sql(value), from: old.column)
    case .checked: return .local(ValueConversion.sql(value, old.type, new.type), from: old.column)
    }
  }

  /// The target's attributes whose values move from files into rows, with their columns in the source.
  var movedFromFiles: [(attribute: String, from: ExternalColumn)] {
    transfer.mapping.attributes.compactMap { name, origin in
      guard case .attribute(let old) = origin.source,
        let column = transfer.source.attributes[old], column.allowsExternalStorage,
        transfer.target.attributes[name]?.allowsExternalStorage == false
      else { return nil }
      return (
        "\(transfer.target.name).\(name)",
        ExternalColumn(table: transfer.source.table, column: column.column)
      )
    }
  }

  // MARK: Relationships

  private mutating func addToOne(_ name: String, _ column: ToOneColumn) throws {
    guard let destination = keys.target.entity(named: column.destination) else { return }
    let reference = try reference(of: name, column, to: destination)
    values[column.column] = reference.value.key
    if let entityColumn = column.entityColumn { values[entityColumn] = reference.value.number }
    guard let orderColumn = column.orderColumn else { return }
    values[orderColumn] = reference.order.map { .column($0) } ?? .null
    if reference.order == nil, reference.value.key != .null {
      unplaced[orderColumn] = column.column
    }
  }

  /// A reference, and the source row's column with its position in an ordered relationship; nil without such a column.
  private typealias Placed = (value: KeyMap.Reference, order: String?)

  private static let nothing: Placed = (.init(key: .null, number: .null), nil)

  private mutating func reference(
    of name: String, _ column: ToOneColumn, to destination: EntityLayout
  ) throws -> Placed {
    switch transfer.mapping.relationships[name] ?? .nothing {
    case .relationship(let old):
      guard let pairs = SourcePairs(old, of: transfer.source, in: keys.source) else {
        return Self.nothing
      }
      return try member(of: pairs, to: destination)
    case .path(let expression):
      let object = try query.rows.object(expression)
      return (
        try keys.reference(
          .remote(object.key), number: .remote(object.number), from: object.entity,
          to: destination), nil
      )
    case .matching(let match):
      matched.append(
        try MatchedReference(
          name, column, match, to: destination, query: query, in: keys.target))
      return Self.nothing
    case .nothing:
      // A one-to-one relationship is reconciled after all rows have been moved.
      guard keys.oneToOne(name, of: transfer.target) == nil else { return Self.nothing }
      return try backReference(of: name, to: destination)
    }
  }

  /// Returns the reference to the destination of a to-one relationship, or to the first destination of a to-many.
  private func member(of pairs: SourcePairs, to destination: EntityLayout) throws -> Placed {
    if case .owner(let column) = pairs.storage {
      let value = try keys.reference(
        .column(column.column), number: column.entityColumn.map { .column($0) },
        from: pairs.destination, to: destination)
      return (value, column.orderColumn)
    }
    let row = SQL.name(ColumnValue.row, FixedColumn.primaryKey)
    let value = try keys.reference(
      .remote(pairs.ofFirstMember(pairs.memberKey, owner: row)),
      number: pairs.memberNumber.map { .remote(pairs.ofFirstMember($0, owner: row)) },
      from: pairs.destination, to: destination)
    return (value, nil)
  }

  /// Returns the reference of a to-one relationship for which the mapping has no origin, based on the origin of its
  /// inverse. For example, the source has only the inverse.
  private func backReference(of name: String, to destination: EntityLayout) throws -> Placed {
    guard let entity = keys.target.model.entity(named: transfer.target.name),
      let relationship = keys.target.model.relationships(of: entity).first(where: {
        $0.name == name
      }), let inverse = keys.target.model.inverse(of: relationship)?.0
    else { return Self.nothing }
    return try owner(of: inverse.name, declaredBy: destination, to: destination)
  }

  /// Returns the reference to the owner that has this row as a member.
  private func owner(
    of relationship: String, declaredBy owner: EntityLayout, to destination: EntityLayout
  ) throws -> Placed {
    for transfer in keys.transfers.into(owner) {
      guard case .relationship(let old)? = transfer.mapping.relationships[relationship],
        let pairs = SourcePairs(old, of: transfer.source, in: keys.source),
        pairs.destination.subtree.contains(self.transfer.source.number)
      else { continue }
      let declaring = keys.source.declaring(old, of: transfer.source)
      if case .member(let key) = pairs.storage, key.table == self.transfer.source.table {
        let value = try keys.reference(
          .column(key.column), number: key.entityColumn.map { .column($0) }, from: declaring,
          to: destination)
        return (value, key.orderColumn)
      }
      let row = SQL.name(ColumnValue.row, FixedColumn.primaryKey)
      let value = try keys.reference(
        .remote(pairs.ofFirstOwner(pairs.ownerKey, member: row)),
        number: pairs.ownerNumber.map { .remote(pairs.ofFirstOwner($0, member: row)) },
        from: declaring, to: destination)
      return (value, nil)
    }
    return Self.nothing
  }

  /// Adds the columns in the members' rows that contain the owner's key, for to-many relationships without an inverse.
  private mutating func addHiddenKeys() throws {
    for owner in keys.target.entities {
      guard let entity = keys.target.model.entity(named: owner.name) else { continue }
      for relationship in entity.relationships {
        guard case .column(let key)? = owner.toMany[relationship.name],
          keys.target.model.sharedInverse(of: relationship, declaredBy: entity) == nil,
          let members = keys.target.entity(named: key.destination),
          members.subtree.contains(transfer.target.number)
        else { continue }
        let reference = try self.owner(of: relationship.name, declaredBy: owner, to: owner)
        values[key.column] = reference.value.key
        guard let orderColumn = key.orderColumn else { continue }
        values[orderColumn] = reference.order.map { .column($0) } ?? .null
        if reference.order == nil, reference.value.key != .null {
          unplaced[orderColumn] = key.column
        }
      }
    }
  }
}

extension ColumnValue {
  /// Returns the value with a default that replaces NULL.
  fileprivate func withFallback(_ value: SQLiteValue) -> ColumnValue {
    let fallback = SQL.value(value)
    return switch self {
    case .null: .local(fallback)
    case .column(let name):
      .local("COALESCE(\(.name(Self.row, name)), \(fallback))", from: name, onlyForNull: true)
    case .local(let sql, let column, _):
      .local("COALESCE(\(sql), \(fallback))", from: column)
    case .remote(let sql): .remote("COALESCE(\(sql), \(fallback))")
    }
  }
}

extension StoreLayout {
  func declaring(_ relationship: String, of entity: EntityLayout) -> EntityLayout {
    model.entity(named: entity.name)
      .flatMap { model.property(named: relationship, of: $0)?.declaredBy.name }
      .flatMap(self.entity(named:)) ?? entity
  }
}
