import StoreLayout

extension StoreFinding {
  /// Creates the finding for a gap in the schema.
  ///
  /// - Parameters:
  ///   - layout: the store's layout, which provides the root entity of the gap's table; nil without a model.
  ///   - isRepairable: whether a repair can create the missing part.
  init(_ gap: SchemaGap, in layout: StoreLayout?, isRepairable: Bool) {
    let kind: Kind
    let table: String
    var entity: String?
    switch gap {
    case .table(let name, _, nil), .emptyTable(let name, _):
      (kind, table) = (.missingTable(name), name)
    case .table(let name, _, let instead?): (kind, table) = (.notATable(name, instead), name)
    case .joinTableName(let name, let usual):
      (kind, table) = (.misnamedTable(name, usual: usual), name)
    case .column(let column, let name): (kind, table) = (.missingColumn(column, table: name), name)
    case .companion(let column):
      (kind, table) = (.missingColumn(column.column, table: column.table), column.table)
    case .primaryKey(let columns, let name):
      (kind, table) = (.missingPrimaryKey(columns, table: name), name)
    case .index(let index, let name):
      let columns = index.columns.map(\.name)
      kind = .missingIndex(index.name, table: name, columns: columns, isUnique: index.isUnique)
      table = name
    case .trigger(let trigger):
      (kind, table) = (.missingTrigger(trigger.name, table: trigger.table), trigger.table)
    case .rTree(let tree): (kind, table) = (.missingRTree(tree.name, table: tree.table), tree.table)
    case .number(let number, let owner, let name, _):
      (kind, table, entity) = (.unlistedEntity(number: number), name, owner)
    }
    self.init(kind, entity: entity ?? layout?.table(named: table)?.root)
    self.isRepairable = isRepairable
  }
}

extension StoreMetadata {
  /// The findings for missing, unreadable or wrong parts of the metadata.
  var findings: [StoreFinding] {
    if let fault { return [StoreFinding(.unreadableMetadata(fault))] }
    // Stores of two real apps have a UUID, but no property list. They are reported as `noHashes`.
    guard !uuid.isEmpty || !entries.isEmpty else { return [StoreFinding(.noMetadata)] }
    return hashes.isEmpty ? [StoreFinding(.noHashes)] : wrongSums
  }
}
