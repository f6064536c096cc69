import SQLiteAccess
package import StoreLayout
import StoreDiagnostics

/// Updates Core Data's own tables to the target version: entity numbers, history and model cache. The steps run after
/// all rows have been moved.
package struct MigrationBookkeeping: Hashable, Sendable {
  private let source: StoreLayout
  private let target: StoreLayout
  private let moves: [EntityMove]
  private let schema: StoreSchema

  /// - Parameters:
  ///   - moves: the moves of entities. If an entity is split, the history of its deleted rows is assigned to the target
  ///     of its first move.
  ///   - schema: the schema of the store before the migration.
  package init(
    from source: StoreLayout, to target: StoreLayout, moves: [EntityMove], in schema: StoreSchema
  ) {
    self.source = source
    self.target = target
    self.moves = moves
    self.schema = schema
  }

  package var steps: [MigrationStep] { primaryKeySteps + historySteps + modelCacheSteps }

  /// Returns the step that writes the version hashes and names of the target version to the metadata. The UUID and the
  /// metadata that apps add don't change.
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
    // The old rows have negative numbers until their counters have been copied.
    return [
      step(
        """
        UPDATE \(table) SET \(number) = -\(number) \
        WHERE \(number) BETWEEN 1 AND \(value: .integer(HistoryEntity.first - 1))
        """, "negates the old entity numbers")
    ]
      + target.entities.map { entity in
        step(
          """
          INSERT INTO \(table) (\(number), \(name: FixedColumn.entityName), \
          \(name: FixedColumn.parent), \(name: FixedColumn.highestKey)) \
          VALUES (\(value: .integer(entity.number)), \(value: .text(entity.name)), \
          \(value: .integer(entity.parentNumber)), \(highestKey(of: entity)))
          """, "writes the entity number of \(entity.name)")
      } + [step("DELETE FROM \(table) WHERE \(number) < 0", "removes the old entity numbers")]
  }

  /// Whether the store has the target's entity numbers, and rows don't move to other tables or get new keys.
  private var isNumberedAlready: Bool {
    let present = schema.primaryKeys.filter { $0.number < HistoryEntity.first }
      .map { PrimaryKeyRow(number: $0.number, name: $0.name, parentNumber: $0.parentNumber) }
    let wanted = target.entities.map(\.primaryKeyRow)
    return present.count == wanted.count
      && wanted.allSatisfy { row in present.contains { $0.isExactly(row) } }
      && moves.allSatisfy { move in
        move.keyOffset == nil
          && source.entity(named: move.source)?.root == target.entity(named: move.target)?.root
      }
  }

  /// Returns the value of `Z_MAX`: 0 for a sub-entity. For a root entity, it isn't less than the old counters, so that
  /// a key is never used twice.
  private func highestKey(of entity: EntityLayout) -> SQL {
    guard entity.parentNumber == 0 else { return .value(.integer(0)) }
    let used: SQL =
      "ifnull((SELECT max(\(name: FixedColumn.primaryKey)) FROM \(name: entity.table)), 0)"
    let roots = sourceRoots(of: entity)
    guard !roots.isEmpty else { return used }
    return """
      max(\(used), ifnull((SELECT max(\(name: FixedColumn.highestKey)) \
      FROM \(name: FixedTable.primaryKeys) WHERE \(name: FixedColumn.entity) IN \(.list(roots.map(-)))), 0))
      """
  }

  /// Returns the numbers of the source's root entities from whose tables rows move to the table of `root`, and of the
  /// root of the source entity with the same name as `root`.
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

  /// Deletes the cached model of the old version. Afterwards, `MigrationRun` writes `Migration.carriedModel`.
  private var modelCacheSteps: [MigrationStep] {
    guard schema.hasTable(FixedTable.modelCache) else { return [] }
    return [
      step("DELETE FROM \(name: FixedTable.modelCache)", "removes the old version's compiled model")
    ]
  }
}
