import SQLiteAccess
package import StoreLayout
import StoreDiagnostics

/// Brings Core Data's own tables to where a fresh store of the target version has them. To be run
/// when the rows are in their new tables.
package struct MigrationBookkeeping: Hashable, Sendable {
  private let source: StoreLayout
  private let target: StoreLayout
  private let moves: [EntityMove]
  private let schema: StoreSchema

  /// - Parameters:
  ///   - moves: of an entity that is split the one comes first that the history of its lost rows follows.
  ///   - schema: the store's before the first step.
  package init(
    from source: StoreLayout, to target: StoreLayout, moves: [EntityMove], in schema: StoreSchema
  ) {
    self.source = source
    self.target = target
    self.moves = moves
    self.schema = schema
  }

  package var steps: [MigrationStep] { primaryKeySteps + historySteps + modelCacheSteps }

  /// The hashes and names of the target version; the UUID and the app's own keys stay.
  ///
  /// - Throws: an error of `PropertyListEncoder`.
  package static func metadataStep(
    from metadata: StoreMetadata, to model: ModelFingerprint
  ) throws -> MigrationStep {
    var new = metadata
    new.migrate(to: model)
    return MigrationStep(
      """
      UPDATE \(name: FixedTable.metadata) \
      SET \(name: FixedColumn.propertyList) = \(value: .blob(try new.propertyList()))
      """, "writes the version hashes", .bookkeeping)
  }

  private func step(_ sql: SQL, _ purpose: String) -> MigrationStep {
    MigrationStep(sql, purpose, .bookkeeping)
  }

  // MARK: Entity numbers

  private var primaryKeySteps: [MigrationStep] {
    guard !isNumberedAlready else { return [] }
    let table = SQL.name(FixedTable.primaryKeys)
    let number = SQL.name(FixedColumn.entity)
    // The old rows wait under negative numbers until their counters are taken over.
    return [
      step(
        """
        UPDATE \(table) SET \(number) = -\(number) \
        WHERE \(number) BETWEEN 1 AND \(value: .integer(HistoryEntity.first - 1))
        """, "puts the old entity numbers aside")
    ]
      + target.entities.map { entity in
        step(
          """
          INSERT INTO \(table) (\(number), \(name: FixedColumn.entityName), \
          \(name: FixedColumn.parent), \(name: FixedColumn.highestKey)) \
          VALUES (\(value: .integer(entity.number)), \(value: .text(entity.name)), \
          \(value: .integer(entity.parentNumber)), \(highestKey(of: entity)))
          """, "numbers \(entity.name)")
      } + [step("DELETE FROM \(table) WHERE \(number) < 0", "removes the old entity numbers")]
  }

  /// Whether the store has the target's numbers and no table takes in rows of another one.
  private var isNumberedAlready: Bool {
    let present = schema.primaryKeys.filter { $0.number < HistoryEntity.first }
      .map { PrimaryKeyRow(number: $0.number, name: $0.name, parentNumber: $0.parentNumber) }
    let wanted = target.entities
      .map { PrimaryKeyRow(number: $0.number, name: $0.name, parentNumber: $0.parentNumber) }
    return present.count == wanted.count
      && wanted.allSatisfy { row in present.contains { $0.isExactly(row) } }
      && moves.allSatisfy { move in
        move.keyOffset == nil
          && source.entity(named: move.source)?.root == target.entity(named: move.target)?.root
      }
  }

  /// The counter of a root: no key that was ever handed out in it is handed out again.
  private func highestKey(of entity: EntityLayout) -> SQL {
    guard entity.parentNumber == 0 else { return .value(.integer(0)) }
    let used: SQL =
      "ifnull((SELECT max(\(name: FixedColumn.primaryKey)) FROM \(name: entity.table)), 0)"
    let roots = sourceRoots(of: entity)
    guard !roots.isEmpty else { return used }
    let list = roots.map { SQL.value(.integer(-$0)) }.joined(", ")
    return """
      max(\(used), ifnull((SELECT max(\(name: FixedColumn.highestKey)) \
      FROM \(name: FixedTable.primaryKeys) WHERE \(name: FixedColumn.entity) IN (\(list))), 0))
      """
  }

  /// The numbers of the roots whose rows a target root has taken in.
  private func sourceRoots(of root: EntityLayout) -> [Int64] {
    let names =
      moves.filter { target.entity(named: $0.target)?.root == root.name }.map(\.source)
      + [root.name]
    let roots = names.compactMap { source.entity(named: $0)?.root }
    return Set(roots.compactMap { source.entity(named: $0)?.number }).sorted()
  }

  // MARK: History

  private var historySteps: [MigrationStep] {
    guard let changes = schema.database.tables[HistoryTable.changes] else { return [] }
    return HistoryPlan(from: source, to: target, moves: moves, columns: changes.columnNames).steps
  }

  // MARK: Model cache

  /// The old version's model is worse than none; `Migration.carriedModel` takes its place.
  private var modelCacheSteps: [MigrationStep] {
    guard schema.hasTable(FixedTable.modelCache) else { return [] }
    return [
      step("DELETE FROM \(name: FixedTable.modelCache)", "removes the old version's compiled model")
    ]
  }
}
