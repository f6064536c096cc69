import StoreLayout
import StoreModel
import SQLiteAccess

extension KeyMap {
  /// Returns the proofs of the target entities in a copied or updated table. They compare the values computed from the
  /// source's rows with the values in the target. Columns that later steps compute aren't compared: derived attributes,
  /// reconciled one-to-one relationships, and positions in newly ordered relationships.
  func proofs(of transfers: [TransferCompiler]) throws -> [ProofScan] {
    let groups = Dictionary(grouping: transfers) { $0.transfer.target.name }
    return try groups.sorted { $0.key < $1.key }.map { name, transfers in
      let entity = transfers[0].transfer.target
      let columns = Set(
        transfers.flatMap { transfer in transfer.values.filter { $0.value.isKept }.map(\.key) }
      ).subtracting(transfers.flatMap { $0.unplaced.keys })
        .subtracting(oneToOneColumns(of: entity))
        .subtracting(target.computedColumns(of: entity)).sorted()
      let before = try transfers.map { transfer -> SQL in
        var query = transfer.query
        return try query.select([query.key] + columns.map { transfer.values[$0]?.sql ?? "NULL" })
      }
      let after: SQL =
        "SELECT \(([FixedColumn.primaryKey] + columns).map(SQL.name).joined(", ")) FROM \(name: entity.table)"
      return ProofScan(
        subject: name, table: entity.table,
        columns: columns.map { entity.propertyName(of: $0) },
        before: before.joined(" UNION ALL "),
        after: entity.sharesTable
          ? "\(after) WHERE \(name: FixedColumn.entity) = \(.integer(entity.number))" : after)
    }
  }
}

extension StoreLayout {
  /// Returns the columns of derived attributes whose values are computed again. Attributes derived by
  /// `now()` aren't included.
  fileprivate func computedColumns(of entity: EntityLayout) -> [String] {
    guard let own = model.entity(named: entity.name) else { return [] }
    return model.storedAttributes(of: own).compactMap { attribute in
      guard let derivation = attribute.derivation.flatMap(Derivation.init), derivation != .now
      else { return nil }
      return entity.attributes[attribute.name]?.column
    }
  }
}

extension EntityLayout {
  /// Returns the name of the property that is stored in a column, or the column's name if there is none.
  fileprivate func propertyName(of column: String) -> String {
    attributes.first { $0.value.column == column }?.key
      ?? toOne.first { $0.value.column == column }?.key ?? column
  }
}
