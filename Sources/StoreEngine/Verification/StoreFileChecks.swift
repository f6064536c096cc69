import ModelHashing

/// What can be asked of a store without its model: its own catalogue tells the tables of entities and
/// the join tables.
struct StoreFileChecks {
  let schema: StoreSchema
  private let keys: [PrimaryKeyRow]

  init(_ schema: StoreSchema) {
    self.schema = schema
    // The history's entities have no rows of their own kind.
    keys = schema.primaryKeys.filter { $0.number < HistoryEntity.change.rawValue }
  }

  private func root(of number: Int64) -> PrimaryKeyRow? {
    var found = keys.first { $0.number == number }
    // Never more steps than there are entities: a damaged store may have a circle.
    for _ in keys {
      guard let parent = found?.parentNumber, parent != 0,
        let next = keys.first(where: { $0.number == parent })
      else { break }
      found = next
    }
    return found
  }

  private func table(of root: PrimaryKeyRow) -> String { "Z\(root.name.uppercased())" }

  private var roots: [PrimaryKeyRow] { keys.filter { $0.parentNumber == 0 } }

  /// Entities renamed in place keep the old name in `Z_PRIMARYKEY`, so a missing table is told only
  /// where the model, too, wants it.
  func missingTables(of layout: StoreLayout?) -> [Finding] {
    (layout?.tables ?? []).flatMap { table -> [Finding] in
      guard schema.hasTable(table.name) else {
        return [Finding(.missingTable(table.name), entity: table.root)]
      }
      return table.columns.filter { !schema.hasColumn($0.name, in: table.name) }.map {
        Finding(.missingColumn($0.name, table: table.name), entity: table.root)
      }
    }
  }

  var checks: [VerificationCheck] { counters + strayRows + ghostPairs }

  private var counters: [VerificationCheck] {
    roots.filter { schema.hasTable(table(of: $0)) }.map { root in
      let table = table(of: root)
      let highest: SQL = "(SELECT max(\(name: FixedColumn.primaryKey)) FROM \(name: table))"
      return VerificationCheck(
        finding: Finding(.shortCounter(root.highestKey, highest: 0), entity: root.name),
        cases: """
          SELECT NULL AS entity, \(highest) AS key \
          WHERE \(highest) > \(value: .integer(max(root.highestKey, 0)))
          """,
        repair: .init(
          statement: """
            UPDATE \(name: FixedTable.primaryKeys) SET \(name: FixedColumn.highestKey) = \(highest) \
            WHERE \(name: FixedColumn.entity) = \(value: .integer(root.number))
            """))
    }
  }

  private var strayRows: [VerificationCheck] {
    roots.filter { schema.hasTable(table(of: $0)) }.map { root in
      let members = keys.filter { self.root(of: $0.number)?.number == root.number }
      let numbers = members.map { SQL.value(.integer($0.number)) }.joined(", ")
      return VerificationCheck(
        finding: Finding(.wrongEntity(table: table(of: root)), entity: root.name),
        cases: """
          SELECT \(name: FixedColumn.entity) AS entity, \(name: FixedColumn.primaryKey) AS key \
          FROM \(name: table(of: root)) \
          WHERE \(name: FixedColumn.entity) IS NULL \
          OR \(name: FixedColumn.entity) NOT IN (\(numbers))
          """)
    }
  }

  /// `Z_2ARTWORKS` of a join table holds keys of entity 2 (docs/formats/store-layout.md).
  private var ghostPairs: [VerificationCheck] {
    schema.columns.sorted { $0.key < $1.key }.compactMap { join, columns in
      let ends = columns.compactMap { column in
        column.entityNumber.flatMap(root).map { (column, table(of: $0)) }
      }
      guard join.entityNumber != nil, ends.count == 2,
        ends.allSatisfy({ schema.hasTable($0.1) })
      else { return nil }
      let missing = ends.map { column, table -> SQL in
        """
        \(name: column) IS NULL OR \(name: column) NOT IN \
        (SELECT \(name: FixedColumn.primaryKey) FROM \(name: table))
        """
      }.joined(" OR ")
      let pair = ends.map { SQL.name($0.0) }.joined(" || '-' || ")
      return VerificationCheck(
        finding: Finding(.ghostPairs(table: join)),
        cases: "SELECT NULL AS entity, \(pair) AS key FROM \(name: join) WHERE \(missing)",
        repair: .init(statement: "DELETE FROM \(name: join) WHERE \(missing)"))
    }
  }
}

extension String {
  /// The 2 of `Z_2ARTWORKS`; nil for any other name, such as `Z_FOK_2ARTWORKS`.
  fileprivate var entityNumber: Int64? {
    guard hasPrefix("Z_") else { return nil }
    return Int64(dropFirst(2).prefix { $0.isASCII && $0.isNumber })
  }
}

extension StoreMetadata {
  /// The sums that Core Data keeps beside the hashes.
  var wrongSums: [Finding] {
    guard !hashes.isEmpty else { return [] }
    let sums = [
      (Key.digest, digest, StoreChecksum.digest(of: hashes)),
      (Key.checksum, checksum, StoreChecksum.checksum(of: hashes)),
    ]
    return sums.compactMap { key, stored, expected in
      guard let stored, stored != expected else { return nil }
      return Finding(.wrongSum(key: key.rawValue))
    }
  }
}
