import StoreLayout
import StoreModel

/// The rows of one source entity on their way into one target entity.
struct EntityTransfer: Hashable {
  let mapping: EntityMapping
  let source: EntityLayout
  let target: EntityLayout
  /// What is added to a row's key: 0 but where tables are merged or rows doubled.
  var offset: Int64 = 0
}

/// All transfers of a mapping, with the keys that their rows get.
struct EntityTransfers {
  let all: [EntityTransfer]
  /// The highest key of each target table afterwards.
  private(set) var highestKeys: [String: Int64] = [:]

  /// Without a store: which way rows would go, whatever their keys.
  init(_ mapping: ModelMapping, from source: StoreLayout, to target: StoreLayout) {
    all = mapping.entities.compactMap { entity -> EntityTransfer? in
      guard let old = source.entity(named: entity.source), !old.isAbstract,
        let new = target.entity(named: entity.target)
      else { return nil }
      return EntityTransfer(mapping: entity, source: old, target: new)
    }
  }

  /// - Throws: `MigrationRunError.keysRunOut`
  init(
    _ mapping: ModelMapping, from source: StoreLayout, to target: StoreLayout,
    highestKeys known: [String: Int64]
  ) throws(MigrationRunError) {
    var transfers = EntityTransfers(mapping, from: source, to: target).all
    for table in target.tables {
      let indexes = transfers.indices.filter { transfers[$0].target.table == table.name }
      guard let main = Self.mainTable(of: indexes.map { transfers[$0] }, root: table.root, known)
      else { continue }
      var highest = known[main] ?? 0
      var keeping: Set<String> = []
      for index in indexes {
        let transfer = transfers[index]
        // The first transfer of an entity from the main table keeps its keys.
        if transfer.source.table == main, keeping.insert(transfer.source.name).inserted { continue }
        transfers[index].offset = highest
        let (sum, overflows) = highest.addingReportingOverflow(known[transfer.source.table] ?? 0)
        guard !overflows else { throw .keysRunOut(table: table.name) }
        highest = sum
      }
      highestKeys[table.name] = highest
    }
    all = transfers
  }

  /// The source table whose rows keep their keys: that of the root entity, else the one with the
  /// highest key.
  private static func mainTable(
    of transfers: [EntityTransfer], root: String, _ known: [String: Int64]
  ) -> String? {
    if let transfer = transfers.first(where: { $0.target.name == root }) {
      return transfer.source.table
    }
    return transfers.map(\.source.table).max {
      (known[$0] ?? 0, $1) < (known[$1] ?? 0, $0)
    }
  }

  func into(table: String) -> [EntityTransfer] { all.filter { $0.target.table == table } }

  func into(_ entity: EntityLayout) -> [EntityTransfer] {
    all.filter { entity.subtree.contains($0.target.number) }
  }

  func from(_ entity: EntityLayout) -> [EntityTransfer] {
    all.filter { $0.source.name == entity.name }
  }
}
