import StoreLayout
import StoreModel

/// The effects of a model's delete rules for rows of some entities: the relationships that are followed to more rows,
/// the relationships that prevent the deletion, and the columns that refer to deleted rows.
///
/// They depend on the layout, not on the rows of the store.
struct DeleteRules {
  /// A relationship and the entity that declares it.
  private struct Declared {
    var entity: EntityLayout
    var relationship: RelationshipDescription
    var inverse: RelationshipDescription?
    var inverseOwner: EntityLayout?

    var name: String { "\(entity.name).\(relationship.name)" }
  }

  let layout: StoreLayout
  private let rules: BatchDelete.Rules
  private let declared: [Declared]
  /// The numbers of the entities whose rows can be deleted.
  let reachable: Set<Int64>
  /// The tables of the rows from which cascades lead, and of the rows to which they lead.
  private let cascadeSources: Set<String>
  private let cascadeDestinations: Set<String>
  private let emptied: String?
  private let row: DeletedRows.Row?

  /// - Parameters:
  ///   - first: the numbers of the entities of the requested rows.
  ///   - emptied: the table whose rows are all deleted, or nil.
  ///   - row: the only deleted row, or nil if several rows can be deleted. Other rows that rules reach aren't deleted.
  init(
    _ rules: BatchDelete.Rules, first: [Int64], emptied: String?, row: DeletedRows.Row? = nil,
    in layout: StoreLayout
  ) {
    let declared = Self.declared(in: layout)
    self.layout = layout
    self.rules = rules
    self.declared = declared
    self.emptied = emptied
    self.row = row
    let cascades = rules == .model ? declared.filter { $0.relationship.deleteRule == .cascade } : []
    let reachable =
      row == nil ? Self.reachable(from: first, by: cascades, in: layout) : Set(first)
    self.reachable = reachable
    let followed = cascades.filter { !reachable.isDisjoint(with: $0.entity.subtree) }
    cascadeSources = Set(followed.map(\.entity.table))
    cascadeDestinations = Set(
      followed.compactMap { layout.entity(named: $0.relationship.destination)?.table })
  }

  /// Returns the numbers of the entities that cascades reach from rows of the entities `first`.
  private static func reachable(
    from first: [Int64], by cascades: [Declared], in layout: StoreLayout
  ) -> Set<Int64> {
    var destinations: [Int64: Set<String>] = [:]
    for way in cascades {
      for number in way.entity.subtree {
        destinations[number, default: []].insert(way.relationship.destination)
      }
    }
    var reachable = Set(first)
    var pending = first
    while let number = pending.popLast() {
      for destination in destinations[number, default: []] {
        let members = layout.entity(named: destination)?.subtree ?? []
        pending += members.filter { reachable.insert($0).inserted }
      }
    }
    return reachable
  }

  private static func declared(in layout: StoreLayout) -> [Declared] {
    layout.model.entities.flatMap { entity -> [Declared] in
      guard let place = layout.entity(named: entity.name) else { return [] }
      return entity.relationships.filter { !$0.isTransient }.map { relationship in
        let inverse = layout.model.sharedInverse(of: relationship, declaredBy: entity)
        return Declared(
          entity: place, relationship: relationship, inverse: inverse?.0,
          inverseOwner: inverse.flatMap { layout.entity(named: $0.declaredBy.name) })
      }
    }
  }

  /// The tables from which rows can be deleted, in the order of the layout.
  var deleted: [DeletedRows] {
    layout.tables.map(\.name).compactMap { deleted($0) }
  }

  func deleted(_ table: String) -> DeletedRows? {
    guard layout.entities(in: table).contains(where: { reachable.contains($0.number) })
    else { return nil }
    let isWhole = table == emptied
    let residents = layout.entities(in: table).filter { !$0.isAbstract }
    return DeletedRows(
      table: table, isWhole: isWhole,
      onlyEntity: residents.count == 1 ? residents[0].number : nil,
      isRepeated: !isWhole
        && cascadeSources.contains(table) && cascadeDestinations.contains(table),
      row: row)
  }

  private func deleted(of entity: EntityLayout) -> DeletedRows? {
    reachable.isDisjoint(with: entity.subtree) ? nil : deleted(entity.table)
  }

  private func followed(by rule: RelationshipDescription.DeleteRule) -> [Declared] {
    guard rules == .model else { return [] }
    return declared.filter {
      $0.relationship.deleteRule == rule && !reachable.isDisjoint(with: $0.entity.subtree)
    }
  }

  // MARK: From deleted rows

  /// Returns the relationships with the given delete rule that lead from deleted rows to other rows.
  func paths(_ rule: RelationshipDescription.DeleteRule) -> [DeletePath] {
    followed(by: rule).compactMap { way in
      guard let source = deleted(way.entity.table), let link = link(of: way),
        let destination = layout.entity(named: way.relationship.destination),
        // All rows of that table are deleted anyway.
        destination.table != emptied
      else { return nil }
      return DeletePath(
        name: way.name, owners: numbers(of: way.entity), source: source,
        destination: destination.name, destinationTable: destination.table, link: link)
    }
  }

  private func link(of way: Declared) -> DeletePath.Link? {
    let name = way.relationship.name
    if let column = way.entity.toOne[name] { return .ownColumn(column.column) }
    switch way.entity.toMany[name] {
    case .column(let key):
      let holder = way.inverseOwner ?? layout.entity(named: key.destination)
      return .theirColumn(key.column, of: holder.flatMap(numbers) ?? [])
    case .joinTable(let join): return .joinTable(join)
    case nil: return nil
    }
  }

  /// Returns the numbers of the entity and its subentities, or nil if the table doesn't have rows of other entities.
  private func numbers(of entity: EntityLayout) -> [Int64]? {
    let others = layout.entities(in: entity.table).contains {
      !$0.isAbstract && !entity.subtree.contains($0.number)
    }
    return others ? entity.subtree : nil
  }

  // MARK: To deleted rows

  /// The columns in which rows that remain can refer to deleted rows.
  var references: [Reference] {
    declared.filter { $0.entity.table != emptied || $0.relationship.isToMany }.compactMap { way in
      if let column = way.entity.toOne[way.relationship.name] { return reference(way, column) }
      guard way.inverse == nil, case .column(let key)? = way.entity.toMany[way.relationship.name]
      else { return nil }
      return hiddenReference(way, key)
    }
  }

  private func reference(_ way: Declared, _ column: ToOneColumn) -> Reference? {
    guard let destination = layout.entity(named: column.destination),
      let target = deleted(of: destination), let fate = fate(by: way.inverse)
    else { return nil }
    return Reference(
      name: way.name, property: way.relationship.name, fate: fate,
      isRequired: !way.relationship.isOptional, table: way.entity.table,
      holders: numbers(of: way.entity), column: column.column, entityColumn: column.entityColumn,
      orderColumn: column.orderColumn, target: target, deleted: deleted(of: way.entity))
  }

  /// Returns the effect of the inverse's delete rule on a column that refers to a deleted row. Returns nil if a
  /// remaining row can't refer to a deleted row.
  private func fate(by inverse: RelationshipDescription?) -> Reference.Fate? {
    guard rules == .model else { return .dangles }
    // Without an inverse, Core Data doesn't change the column. Here, it becomes NULL, because a reference to a
    // missing row isn't useful.
    guard let inverse else { return .cleared }
    switch inverse.deleteRule {
    case .nullify: return .cleared
    case .noAction: return .dangles
    // In a one-to-one relationship, a remaining row can refer to a deleted row that doesn't refer to it.
    case .cascade, .deny: return inverse.isToMany ? nil : .cleared
    }
  }

  private func hiddenReference(_ way: Declared, _ key: ToManyLayout.ForeignKey) -> Reference? {
    guard let target = deleted(of: way.entity),
      let holder = layout.entity(named: key.destination), holder.table != emptied
    else { return nil }
    let fate: Reference.Fate
    switch (rules, way.relationship.deleteRule) {
    case (.none, _), (.model, .noAction): fate = .dangles
    case (.model, .nullify): fate = .cleared
    case (.model, .cascade), (.model, .deny): return nil
    }
    return Reference(
      name: way.name, property: nil, fate: fate, isRequired: false, table: key.table,
      holders: numbers(of: holder), column: key.column, entityColumn: key.entityColumn,
      orderColumn: key.orderColumn, target: target, deleted: deleted(of: holder))
  }

  /// The to-many relationships in which remaining rows can lose members that refer to them.
  var losses: [MemberLoss] {
    guard rules == .model else { return [] }
    return declared.compactMap { way in
      guard way.relationship.deleteRule == .nullify,
        let column = way.entity.toOne[way.relationship.name], let inverse = way.inverse,
        inverse.isToMany, let members = deleted(of: way.entity),
        let owner = layout.entity(named: column.destination), owner.table != emptied
      else { return nil }
      return MemberLoss(
        property: inverse.name, table: owner.table, members: members, column: column.column,
        deleted: deleted(of: owner))
    }
  }

  /// The to-many relationships with a minimum count that can lose members.
  var shortages: [MemberShortage] {
    guard rules == .model else { return [] }
    return layout.memberCountRules.compactMap { rule in
      guard rule.minimum > 0, rule.owner.table != emptied,
        let destination = layout.entity(named: rule.toMany.destination),
        let members = deleted(of: destination)
      else { return nil }
      return MemberShortage(rule: rule, members: members, deleted: deleted(of: rule.owner))
    }
  }

  // MARK: Many-to-many

  /// The many-to-many relationships that can lose members.
  var memberships: [Membership] {
    declared.filter { $0.entity.table != emptied }.compactMap { way in
      guard case .joinTable(let join)? = way.entity.toMany[way.relationship.name],
        let destination = layout.entity(named: join.destination),
        let members = deleted(of: destination)
      else { return nil }
      return Membership(
        name: way.name, property: way.relationship.name, join: join, table: way.entity.table,
        members: members, deleted: deleted(of: way.entity))
    }
  }

  /// The join tables with links of deleted rows. A request that applies the model's rules removes these links
  /// regardless of the relationship's delete rule, because a link belongs to both rows.
  var joins: [JoinCleaning] {
    guard rules == .model else { return [] }
    let ways = Dictionary(grouping: declared) {
      $0.entity.toMany[$0.relationship.name]?.table
    }
    return layout.joinTables.compactMap { table in
      var ends: [JoinCleaning.End] = []
      for way in ways[table.name, default: []] {
        guard case .joinTable(let join)? = way.entity.toMany[way.relationship.name],
          let destination = layout.entity(named: join.destination)
        else { continue }
        let sides = [(join.sourceColumn, way.entity), (join.destinationColumn, destination)]
        for (column, entity) in sides {
          guard let deleted = deleted(of: entity), !ends.contains(where: { $0.column == column })
          else { continue }
          ends.append(.init(column: column, deleted: deleted))
        }
      }
      return ends.isEmpty ? nil : JoinCleaning(table: table.name, ends: ends)
    }
  }

  // MARK: Files

  /// The columns that allow external storage: those of entities whose rows can be deleted, and those of all entities.
  var externalColumns: (deleted: [ExternalColumn], all: [ExternalColumn]) {
    (
      ExternalColumn.all(of: layout.entities.filter { reachable.contains($0.number) }),
      ExternalColumn.all(of: layout.entities)
    )
  }
}
