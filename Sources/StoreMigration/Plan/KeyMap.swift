import StoreLayout
import SQLiteAccess
import StoreModel

/// Translates references to source rows into references to the target rows that they become.
struct KeyMap {
  let transfers: EntityTransfers
  let source: StoreLayout
  let target: StoreLayout
  /// The one-to-one relationships that must be reconciled after all rows have been moved.
  let oneToOnes: [OneToOne]

  init(transfers: EntityTransfers, source: StoreLayout, target: StoreLayout) {
    self.transfers = transfers
    self.source = source
    self.target = target
    oneToOnes = OneToOne.unsettled(transfers, source, target)
  }

  /// A reference to a target row.
  struct Reference {
    var key: ColumnValue
    /// The new `Z_ENT` of the row.
    var number: ColumnValue
  }

  /// Returns the reference to the target row that a source row becomes.
  ///
  /// - Parameters:
  ///   - key: the key of the source row: a column of the row that contains the reference, or a subquery (`remote`).
  ///   - number: the `Z_ENT` of the source row; nil if the caller doesn't know it.
  ///   - old: the relationship's destination entity in the source model.
  ///   - new: the relationship's destination entity in the target model.
  func reference(
    _ key: ColumnValue, number: ColumnValue?, from old: EntityLayout, to new: EntityLayout
  ) throws -> Reference {
    let routes = old.subtree.compactMap(source.entity(numbered:)).filter { !$0.isAbstract }
      .map { entity in
        (entity, transfers.from(entity).filter { new.subtree.contains($0.target.number) })
      }
    guard routes.contains(where: { !$0.1.isEmpty }) else {
      return Reference(key: .null, number: .null)
    }
    let isPlain = routes.allSatisfy { $0.1.count == 1 && $0.1[0].mapping.filter == nil }
    let keepsKeys = isPlain && routes.allSatisfy { $0.1[0].offset == 0 }
    let keepsNumbers = isPlain && routes.allSatisfy { $0.1[0].target.number == $0.0.number }
    let isFiltered = routes.contains { $0.1.contains { $0.mapping.filter != nil } }
    let entity = number ?? lookup(key, in: old, isOnly: routes.count == 1)
    let isRemote = key.isRemote || entity.isRemote || isFiltered
    func value(_ sql: SQL, from column: ColumnValue?) -> ColumnValue {
      isRemote ? .remote(sql) : .local(sql, from: column?.sourceColumn)
    }
    let newKey =
      keepsKeys
      ? key : value(try choice(routes, entity, key) { $0.newKey(of: key.sql) }, from: key)
    if keepsNumbers, let number, case .column = number {
      return Reference(key: newKey, number: number)
    }
    let newNumber = try choice(routes, entity, key) { .integer($0.target.number) }
    return Reference(key: newKey, number: value(newNumber, from: number))
  }

  /// Returns the keys of the target rows that the owner and the member of each pair become.
  func keys(
    of pairs: SourcePairs, to owner: EntityLayout, _ member: EntityLayout
  ) throws -> (owner: SQL, member: SQL) {
    let owner = try reference(
      .remote(pairs.ownerKey), number: pairs.ownerNumber.map { .remote($0) }, from: pairs.owner,
      to: owner)
    let member = try reference(
      .remote(pairs.memberKey), number: pairs.memberNumber.map { .remote($0) },
      from: pairs.destination, to: member)
    return (owner.key.sql, member.key.sql)
  }

  private func lookup(_ key: ColumnValue, in entity: EntityLayout, isOnly: Bool) -> ColumnValue {
    if isOnly, let only = entity.subtree.first {
      return .local("\(.integer(only))")
    }
    return .remote(
      """
      (SELECT \(name: FixedColumn.entity) FROM \(name: entity.table) \
      WHERE \(name: FixedColumn.primaryKey) = \(key.sql))
      """)
  }

  /// Returns a CASE expression with a result for each possible entity of the row, and NULL for a row that is dropped.
  private func choice(
    _ routes: [(EntityLayout, [EntityTransfer])], _ entity: ColumnValue, _ key: ColumnValue,
    _ result: (EntityTransfer) -> SQL
  ) throws -> SQL {
    var cases = SQL()
    for (old, transfers) in routes {
      for transfer in transfers {
        var condition: SQL =
          routes.count == 1
          ? "\(key.sql) IS NOT NULL" : "\(entity.sql) = \(.integer(old.number))"
        if transfer.mapping.filter != nil {
          condition += " AND \(key.sql) IN (\(try TransferQuery.keys(of: transfer, in: source)))"
        }
        cases += " WHEN \(condition) THEN \(result(transfer))"
      }
    }
    return "CASE\(cases) END"
  }
}
