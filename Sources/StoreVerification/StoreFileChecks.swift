import SQLiteAccess
import StoreCore
import StoreDiagnostics
import StoreLayout

/// Checks of the schema and of whole tables. Without a model, the tables of entities are determined from
/// `Z_PRIMARYKEY`, and the join tables from their names.
struct StoreFileChecks {
  let schema: StoreSchema
  let layout: StoreLayout?
  private let keys: [PrimaryKeyRow]
  /// The rows of `Z_PRIMARYKEY`, by the entity's number. If several rows have the same number, the first row is used.
  private let keysByNumber: [Int64: PrimaryKeyRow]

  init(_ schema: StoreSchema, layout: StoreLayout?) {
    self.schema = schema
    self.layout = layout
    // The entities of the history are excluded, because `historyChecks` checks them.
    keys = schema.primaryKeys.filter { $0.number < HistoryEntity.first }
    keysByNumber = Dictionary(keys.map { ($0.number, $0) }) { first, _ in first }
  }

  var checks: [VerificationCheck] {
    let evidence = layout.map { EntityEvidence.all(in: $0, schema) }
    return trees.flatMap { [counter(of: $0)] + strayRows(in: $0, evidence) } + historyChecks
      // With a model, `JoinTableChecks` checks the pairs of the model's join tables.
      + (layout == nil ? ghostPairs : [])
  }

  // MARK: The schema

  /// Differences between the model and `Z_PRIMARYKEY`.
  var disagreements: [StoreFinding] {
    guard let layout else { return [] }
    let entities = layout.entities.flatMap { entity -> [StoreFinding] in
      guard let row = keysByNumber[entity.number] else { return [] }
      var findings: [StoreFinding] = []
      if row.parentNumber != entity.parentNumber {
        findings.append(
          StoreFinding(
            .wrongParent(row.parentNumber, expected: entity.parentNumber), entity: entity.name))
      }
      // `Z_PRIMARYKEY` keeps an entity's old name after a migration in place, so an unknown name isn't a finding.
      let isOfOther = !row.name.isExactly(entity.name) && layout.entity(named: row.name) != nil
      if row.name.isEmpty || isOfOther {
        findings.append(StoreFinding(.otherName(row.name), entity: entity.name))
      }
      return findings
    }
    let unknown = keys.filter { layout.entity(numbered: $0.number) == nil }
    return entities + unknown.map { StoreFinding(.unknownEntity($0.name), entity: $0.name) }
  }

  // MARK: Tables of entities

  /// A root entity and its descendants, which share a table.
  private struct Tree {
    var root: PrimaryKeyRow
    var name: String
    var table: String
    /// The entity numbers of the root entity and its descendants.
    var members: [Int64]
  }

  /// The missing tables of the entities that `Z_PRIMARYKEY` lists, and missing key columns of existing tables.
  var missingTables: [SchemaGap] {
    listedTrees.flatMap { schema.gaps(ofRowsIn: $0.table, of: $0.name) }
  }

  private var trees: [Tree] {
    (layout.map(trees) ?? listedTrees).filter { schema.hasTable($0.table) }
  }

  private func trees(of layout: StoreLayout) -> [Tree] {
    layout.tables.compactMap { table in
      guard let root = layout.entity(named: table.root),
        let row = keysByNumber[root.number]
      else { return nil }
      return Tree(root: row, name: root.name, table: table.name, members: root.subtree)
    }
  }

  private var listedTrees: [Tree] {
    let trees = Dictionary(grouping: keys) { root(of: $0.number)?.number }
    return keys.filter { $0.parentNumber == 0 }.map { root in
      Tree(
        root: root, name: root.name, table: table(of: root),
        members: trees[root.number, default: []].map(\.number))
    }
  }

  private func root(of number: Int64) -> PrimaryKeyRow? {
    var found = keysByNumber[number]
    // The number of steps is limited, because the parents in a damaged store may form a cycle.
    for _ in keys {
      guard let parent = found?.parentNumber, parent != 0, let next = keysByNumber[parent]
      else { break }
      found = next
    }
    return found
  }

  private func table(of root: PrimaryKeyRow) -> String { "Z\(root.name.uppercased())" }

  private func counter(of tree: Tree) -> VerificationCheck {
    let highest: SQL = "(SELECT max(\(name: FixedColumn.primaryKey)) FROM \(name: tree.table))"
    return .counter(
      of: tree.name,
      at: tree.root.highestKey, highest: highest,
      raising: """
        UPDATE \(name: FixedTable.primaryKeys) SET \(name: FixedColumn.highestKey) = \(highest) \
        WHERE \(name: FixedColumn.entity) = \(value: .integer(tree.root.number))
        """)
  }

  /// - Parameter evidence: the evidence by the table's name; nil without a model.
  private func strayRows(
    in tree: Tree, _ evidence: [String: EntityEvidence]?
  ) -> [VerificationCheck] {
    if let evidence { return evidence[tree.table]?.checks ?? [] }
    return [
      VerificationCheck(
        finding: StoreFinding(.wrongEntity(table: tree.table, isCertain: false), entity: tree.name),
        cases: """
          SELECT \(name: FixedColumn.entity) AS entity, \(name: FixedColumn.primaryKey) AS key \
          FROM \(name: tree.table) WHERE \(name: FixedColumn.entity) IS NULL \
          OR \(name: FixedColumn.entity) NOT IN \(.list(tree.members))
          """)
    ]
  }

  // MARK: Join tables

  /// The checks for pairs with a missing row. A join table's column such as `Z_2ARTWORKS` contains keys of entity 2
  /// (docs/formats/store-layout.md).
  private var ghostPairs: [VerificationCheck] {
    schema.database.tables.sorted { $0.key < $1.key }.compactMap { join, pairs in
      let ends = pairs.columnNames.compactMap { column in
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
        finding: StoreFinding(.ghostPairs(table: join)),
        cases: "SELECT NULL AS entity, \(pair) AS key FROM \(name: join) WHERE \(missing)")
    }
  }
}

extension VerificationCheck {
  /// Returns the check that a counter isn't less than the highest key in use.
  ///
  /// - Parameters:
  ///   - highest: an expression for the highest key in use.
  ///   - raising: a statement that corrects the counter.
  static func counter(
    of entity: String, at value: Int64, highest: SQL, raising: SQL
  ) -> VerificationCheck {
    VerificationCheck(
      finding: StoreFinding(.shortCounter(value, highest: 0), entity: entity),
      cases: """
        SELECT NULL AS entity, \(highest) AS key WHERE \(highest) > \(value: .integer(max(value, 0)))
        """,
      repair: .init(statement: raising))
  }
}

extension String {
  /// The entity number in the name of a join table or its column, such as 2 in `Z_2ARTWORKS`; nil if no number follows
  /// `Z_`, as in `Z_FOK_2ARTWORKS`.
  fileprivate var entityNumber: Int64? {
    guard hasPrefix("Z_") else { return nil }
    return Int64(dropFirst(2).prefix { $0.isASCII && $0.isNumber })
  }
}

extension StoreMetadata {
  /// The findings for checksums in the metadata that don't match the version hashes.
  var wrongSums: [StoreFinding] {
    guard !hashes.isEmpty else { return [] }
    let sums = [
      (Key.digest, digest, StoreChecksum.digest(of: hashes)),
      (Key.checksum, checksum, StoreChecksum.checksum(of: hashes)),
    ]
    return sums.compactMap { key, stored, expected in
      guard let stored, stored != expected else { return nil }
      return StoreFinding(.wrongSum(key: key.rawValue))
    }
  }
}

extension StoreFileChecks {
  /// The checks of the persistent history (docs/formats/history.md).
  var historyChecks: [VerificationCheck] {
    HistoryEntity.allCases.filter { schema.hasTable($0.table) }.map(counter) + lostTransactions
      + lostTexts
  }

  private func counter(of entity: HistoryEntity) -> VerificationCheck {
    let row = schema.primaryKeys.first { $0.number == entity.rawValue }
    let highest: SQL = "(SELECT max(\(name: FixedColumn.primaryKey)) FROM \(name: entity.table))"
    return .counter(
      of: entity.name, at: row?.highestKey ?? 0, highest: highest,
      raising: entity.raisingCounter(to: highest))
  }

  private var lostTransactions: [VerificationCheck] {
    guard schema.hasColumn(HistoryColumn.transaction, in: HistoryTable.changes),
      schema.hasTable(HistoryTable.transactions)
    else { return [] }
    return [
      VerificationCheck(
        finding: StoreFinding(.lostTransaction),
        cases: """
          SELECT NULL AS entity, \(name: FixedColumn.primaryKey) AS key \
          FROM \(name: HistoryTable.changes) WHERE \(name: HistoryColumn.transaction) IS NULL \
          OR \(name: HistoryColumn.transaction) NOT IN \
          (SELECT \(name: FixedColumn.primaryKey) FROM \(name: HistoryTable.transactions))
          """)
    ]
  }

  private var lostTexts: [VerificationCheck] {
    let references = HistoryColumn.origins.map { $0 + HistoryColumn.reference }
      .filter { schema.hasColumn($0, in: HistoryTable.transactions) }
    guard schema.hasTable(HistoryTable.strings), !references.isEmpty else { return [] }
    // `NULL NOT IN (…)` is never true, so a transaction without a text isn't reported.
    let lost = references.map { column -> SQL in
      """
      \(name: column) NOT IN \
      (SELECT \(name: FixedColumn.primaryKey) FROM \(name: HistoryTable.strings))
      """
    }.joined(" OR ")
    return [
      VerificationCheck(
        finding: StoreFinding(.lostText),
        cases: """
          SELECT NULL AS entity, \(name: FixedColumn.primaryKey) AS key \
          FROM \(name: HistoryTable.transactions) WHERE \(lost)
          """)
    ]
  }
}
