import PredicateSQL
import SQLiteAccess
import StoreLayout
import StoreModel
import StorePredicate

/// A transfer: the rows of one source entity that become rows of one target entity.
struct EntityTransfer: Hashable {
  let mapping: EntityMapping
  let source: EntityLayout
  let target: EntityLayout
  /// The offset that is added to the rows' keys. It is 0 unless tables are merged or rows are duplicated.
  var offset: Int64 = 0

  /// Returns the key of the target row that the source row with a key becomes.
  func newKey(of key: SQL) -> SQL { offset == 0 ? key : "\(key) + \(.integer(offset))" }
}

/// All transfers of a mapping, with the offsets of their keys.
struct EntityTransfers {
  let all: [EntityTransfer]
  /// An upper bound of the keys in each target table after the migration, by the table's name.
  private(set) var highestKeys: [String: Int64] = [:]

  /// Creates the transfers without offsets, for models without a store.
  init(_ mapping: ModelMapping, from source: StoreLayout, to target: StoreLayout) {
    all = mapping.entities.compactMap { entity -> EntityTransfer? in
      guard let old = source.entity(named: entity.source), !old.isAbstract,
        let new = target.entity(named: entity.target)
      else { return nil }
      return EntityTransfer(mapping: entity, source: old, target: new)
    }
  }

  /// Creates the transfers for a store whose highest keys are known.
  ///
  /// - Throws: `MigrationRunError.keysRunOut` if a key would exceed 64 bits.
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

  /// Returns the source table whose rows keep their keys: the table with the rows that become rows of `root`; if there
  /// is none, the table with the highest key.
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

/// A query over the source rows of a transfer.
struct TransferQuery {
  let transfer: EntityTransfer
  let source: StoreLayout
  var rows: RowQuery

  init(_ transfer: EntityTransfer, in source: StoreLayout, storeUUID: String? = nil) {
    self.transfer = transfer
    self.source = source
    rows = RowQuery(transfer.source, in: source, storeUUID: storeUUID)
  }

  /// Returns the conditions that select the transfer's rows. The array is empty if the transfer contains all rows of
  /// the table.
  mutating func conditions() throws -> [SQL] {
    var conditions: [SQL] = []
    if transfer.source.sharesTable {
      conditions.append(
        "\(.name(rows.alias, FixedColumn.entity)) = \(.integer(transfer.source.number))")
    }
    if let filter = transfer.mapping.filter { conditions.append("(\(try rows.condition(filter)))") }
    return conditions
  }

  mutating func select(_ results: [SQL]) throws -> SQL {
    let conditions = try conditions()
    let clause: SQL = conditions.isEmpty ? "" : " WHERE \(conditions.joined(" AND "))"
    return "SELECT \(results.joined(", ")) FROM \(rows.source)\(clause)"
  }

  var key: SQL { transfer.newKey(of: .name(rows.alias, FixedColumn.primaryKey)) }

  /// Returns a query for the keys of the source rows of a transfer.
  static func keys(of transfer: EntityTransfer, in source: StoreLayout) throws -> SQL {
    var query = TransferQuery(transfer, in: source)
    return try query.select([.name(query.rows.alias, FixedColumn.primaryKey)])
  }
}
