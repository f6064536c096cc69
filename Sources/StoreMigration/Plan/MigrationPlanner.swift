import SQLiteAccess
import StoreCore
package import StoreLayout
import StoreModel
import StoreDiagnostics

/// Plans the migration of a store, with the fastest strategy for each table.
///
/// A plan depends only on the mapping and the state of the store. First, its steps copy rows to new tables, while the
/// old entity tables are unchanged. Then they drop unused tables, and alter and rename other tables in place. After all
/// rows have been moved, they set relationships, compute derived attributes, create indexes and triggers, and update
/// Core Data's own tables.
package enum MigrationPlanner {
  /// - Parameter storeUUID: the UUID of the store, which object IDs in expressions contain.
  /// - Throws: `CheckErrors` if an expression of a definition doesn't match the source model,
  ///   `MigrationRunError.nameInTheWay`, and `MigrationRunError.keysRunOut`.
  package static func plan(
    _ mapping: ModelMapping, from source: SourceStore, to target: StoreLayout,
    storeUUID: String? = nil
  ) throws -> MigrationPlan {
    var planning = try Planning(mapping, source, target, storeUUID)
    return try planning.plan()
  }
}

private struct Planning {
  let mapping: ModelMapping
  let store: SourceStore
  let target: StoreLayout
  let storeUUID: String?
  let keys: KeyMap
  let compilers: [TransferCompiler]
  let oneToOnes: [OneToOnePlan]
  var transitions: [TableTransition] = []
  /// The steps that create and fill new tables.
  var created: [MigrationStep] = []
  /// The steps that drop unused tables.
  var removed: [MigrationStep] = []
  /// The steps that change tables in place.
  var altered: [MigrationStep] = []
  /// The steps that write positions in newly ordered relationships.
  var placed: [MigrationStep] = []
  /// The steps that reconcile one-to-one relationships.
  var together: [MigrationStep] = []
  var proofs: [ProofScan] = []
  var notes: [String] = []
  var kept: [IndexPlan.KeptTable] = []
  /// The tables of the source that are kept or renamed.
  var used: Set<ExactText> = []
  var names: TableNames

  init(
    _ mapping: ModelMapping, _ store: SourceStore, _ target: StoreLayout, _ storeUUID: String?
  ) throws {
    self.mapping = mapping
    self.store = store
    let source = store.layout
    self.target = target
    self.storeUUID = storeUUID
    let keys = KeyMap(
      transfers: try EntityTransfers(
        mapping, from: source, to: target, highestKeys: store.highestKeys),
      source: source, target: target)
    self.keys = keys
    let compilers = try keys.transfers.all.map {
      try TransferCompiler($0, keys, storeUUID: storeUUID)
    }
    self.compilers = compilers
    oneToOnes = try keys.oneToOnes.map { try OneToOnePlan($0, compilers, keys) }
    names = TableNames(existing: store.takenNames.map(\.text))
    // The names of the model's indexes don't prevent the renaming of tables: either the index is dropped first, or no
    // table of the target has its name.
    for (_, index) in store.indexes where store.foreign.objects[index.name.lowercased()] == nil {
      names.free(index.name)
    }
  }

  mutating func plan() throws -> MigrationPlan {
    try store.foreign.requireFree(for: target)
    let bases = bases()
    for table in target.tables { try add(table, base: bases[table.name]) }
    for table in target.joinTables { try add(table) }
    addOneToOnes()
    dropUnused()
    let indexes = IndexPlan(store, to: target, kept: kept)
    let after = written(mapping.definition?.after ?? [])
    let derived = derivedValues(isTouched: isTouched || !after.isEmpty)
    let triggers = TriggerPlan(
      from: store, to: target, isTouched: isTouched || !derived.isEmpty)
    let matched = Array(compilers.flatMap(\.matched).enumerated())
    let checks = CheckFinder(
      mapping: mapping, transfers: compilers, oneToOnes: oneToOnes, source: source, target: target)
    let steps =
      triggers.dropSteps + matched.map { $1.scratchStep($0) } + created + removed
      + indexes.dropSteps + altered + names.steps
      + matched.flatMap { $1.steps($0) }
      + together + checks.lateQuestions + placed + derived
      + indexes.makeSteps + triggers.makeSteps
      + MigrationBookkeeping(from: source, to: target, moves: moves, in: store.schema).steps
    let found = try checks.checks()
    let left = mapping.definition?.step == nil ? [] : found.filter(\.problem.isForStep)
    return MigrationPlan(
      mapping: mapping, source: source, target: target, tables: transitions,
      checks: found.filter { !left.contains($0) },
      losses: try LossFinder(mapping: mapping, keys: keys, oneToOnes: oneToOnes).losses(),
      prelude: written(mapping.definition?.before ?? []),
      steps: steps,
      // The definition's SQL may change the sources of derived values.
      epilogue: after.isEmpty ? [] : after + derived,
      stepChecks: checks.stepChecks(for: left),
      moves: keys.transfers.all.map {
        RowMove(source: $0.source.name, target: $0.target.name, offset: $0.offset)
      },
      proofs: proofs, movedColumns: movedColumns,
      notes: notes + notesOnFiles,
      highestKeys: keys.transfers.highestKeys)
  }

  private var movedColumns: [ExternalColumn] {
    Set(compilers.flatMap(\.movedFromFiles).map(\.from)).sorted {
      ($0.table, $0.column) < ($1.table, $1.column)
    }
  }

  private var notesOnFiles: [String] {
    Set(compilers.flatMap(\.movedFromFiles).map(\.attribute)).sorted().map {
      "values of '\($0)' in external files are moved to rows; unreferenced files are deleted after the commit"
    }
  }

  /// Returns the steps that compute derived attributes at the end of the migration. New attributes are always computed,
  /// and existing attributes only if a table of the store changes.
  private func derivedValues(isTouched: Bool) -> [MigrationStep] {
    DerivedColumn.all(in: target, storeUUID: storeUUID).compactMap { column in
      let isNew = mapping.entities.contains { entity in
        target.entity(named: entity.target).map { column.numbers.contains($0.number) } == true
          && entity.attributes[column.attribute.name]?.source == .nothing
      }
      // The derived timestamps of existing attributes are kept.
      guard isNew || isTouched && !column.isTime else { return nil }
      return MigrationStep(
        column.update(rows: nil), "computes \(column.entity).\(column.attribute.name)",
        .rows(column.table))
    }
  }

  /// Returns steps that run the SQL of a definition. The SQL isn't checked.
  private func written(_ texts: [Written<String>]) -> [MigrationStep] {
    texts.map { text in
      var step = MigrationStep(
        SQL(segments: [.text(text.meaning)]), "runs the definition's SQL", .script)
      step.written = text
      return step
    }
  }

  private var moves: [EntityMove] {
    keys.transfers.all.map { transfer in
      EntityMove(
        from: transfer.source.name, to: transfer.target.name,
        keyOffset: transfer.offset == 0 ? nil : .integer(transfer.offset),
        properties: transfer.mapping.propertySources)
    }
  }

  private var source: StoreLayout { store.layout }

  private var isTouched: Bool {
    transitions.contains { $0.strategy != .unchanged && $0.strategy != .create }
  }

  // MARK: Entity tables

  /// Returns the candidates for a change in place: source tables by the name of the target table. Each source table is
  /// used at most once.
  private func bases() -> [String: DatabaseSchema.Table] {
    var bases: [String: DatabaseSchema.Table] = [:]
    var taken: Set<String> = []
    for table in target.tables {
      let transfers = keys.transfers.into(table: table.name)
      guard let main = transfers.first(where: { $0.offset == 0 })?.source.table,
        let found = store.tables[main], taken.insert(main).inserted
      else { continue }
      bases[table.name] = found
    }
    return bases
  }

  private mutating func add(_ table: TableLayout, base: DatabaseSchema.Table?) throws {
    let transfers = compilers.filter { $0.transfer.target.table == table.name }
    let plan = TablePlan(table, transfers: transfers, base: base, source: source)
    if let update = plan.update, plan.fitsInPlace, !plan.isCheaperAsCopy {
      try addInPlace(plan, by: update)
    } else {
      let name = names.new(table.name)
      created += try plan.stepsAsCopy(under: name)
      note(base?.name, table.name, transfers.isEmpty ? .create : .rebuild)
      proofs += try keys.proofs(of: transfers)
    }
    addPlaces(of: table, transfers)
    noteKeys(transfers)
  }

  private mutating func addInPlace(_ plan: TablePlan, by update: TableUpdate) throws {
    let base = update.base
    used.insert(ExactText(base.name))
    let steps = plan.stepsInPlace(by: update)
    altered += steps
    names.rename(base.name, to: plan.target.name)
    kept.append(
      IndexPlan.KeptTable(
        old: base.name, new: plan.target.name,
        columns: Dictionary(
          plan.carriers.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first }),
        rewritten: update.rewrittenColumns))
    let isUpdated = !plan.dropped.isEmpty || steps.contains { $0.effect != .schema }
    let isSame = steps.isEmpty && base.name.isExactly(plan.target.name)
    let schemaStrategy: TableTransition.Strategy = isSame ? .unchanged : .schema
    let rowStrategy: TableTransition.Strategy = plan.dropped.isEmpty ? .update : .dropColumns
    note(base.name, plan.target.name, isUpdated ? rowStrategy : schemaStrategy)
    if isUpdated { proofs += try keys.proofs(of: plan.transfers) }
  }

  private mutating func note(_ old: String?, _ new: String?, _ strategy: TableTransition.Strategy) {
    transitions.append(TableTransition(from: old, to: new, strategy: strategy))
  }

  /// Changes the displayed strategy of a table to `update`, because steps of a relationship update its rows. Slower
  /// strategies are kept.
  private mutating func noteUpdate(of table: String) {
    let index = transitions.firstIndex {
      $0.to == table && ($0.strategy == .schema || $0.strategy == .unchanged)
    }
    if let index { transitions[index].strategy = .update }
  }

  private mutating func addOneToOnes() {
    for (number, plan) in oneToOnes.enumerated() {
      together += plan.steps(number, in: target).filter { step in
        !(step.question?.permission.map { mapping.intends($0) } ?? false)
      }
      proofs += plan.proofs
      for side in plan.pair.sides { noteUpdate(of: side.owner.table) }
    }
  }

  /// Adds the steps that write positions in relationships that become ordered.
  private mutating func addPlaces(of table: TableLayout, _ transfers: [TransferCompiler]) {
    let unplaced = transfers.flatMap(\.unplaced)
    let owners = Dictionary(unplaced) { first, _ in first }
    for (order, owner) in owners.sorted(by: { $0.key < $1.key }) {
      noteUpdate(of: table.name)
      let key = SQL.name(FixedColumn.primaryKey)
      let position: SQL =
        "(row_number() OVER (PARTITION BY \(name: owner) ORDER BY \(key)) - 1)"
      placed.append(
        MigrationStep(
          """
          UPDATE \(name: table.name) SET \(name: order) = o.place FROM (\
          SELECT \(key) AS k, \(OrderPlaces.place(at: position)) AS place \
          FROM \(name: table.name) WHERE \(name: owner) IS NOT NULL) AS o \
          WHERE o.k = \(.name(table.name, FixedColumn.primaryKey))
          """, "orders a newly ordered relationship by key", .rows(table.name)))
      notes.append(
        "\(table.name).\(order): the relationship of this column becomes ordered; "
          + "its members are initially in the order of their primary keys"
      )
    }
  }

  private mutating func noteKeys(_ transfers: [TransferCompiler]) {
    for transfer in transfers.map(\.transfer) where transfer.offset != 0 {
      notes.append(
        "rows of \(transfer.source.name) move to the table \(transfer.target.table) and get new primary keys (old key + \(transfer.offset)); saved object IDs of these rows become invalid"
      )
    }
  }

  // MARK: Join tables

  private mutating func add(_ table: JoinTableLayout) throws {
    guard let plan = try JoinTablePlan(table, keys, store.tables) else { return }
    switch plan.strategy {
    case .empty:
      created.append(creation(of: table, under: names.new(table.name)))
      note(nil, table.name, .create)
    case .keep(let old, let columns, let deletions):
      used.insert(ExactText(old))
      // The deletions are among the first steps, because they read the entities' tables in their old state.
      created += deletions.map {
        MigrationStep($0, "deletes pairs of dropped rows", .rows(old))
      }
      altered += columns.filter { !$0.isExactly($1) }.sorted { $0.key < $1.key }.map { from, to in
        MigrationStep(
          "ALTER TABLE \(name: old) RENAME COLUMN \(name: from) TO \(name: to)",
          "renames \(old).\(from) to \(to)", .schema)
      }
      names.rename(old, to: table.name)
      kept.append(.init(old: old, new: table.name, columns: columns, rewritten: []))
      let isSame = old.isExactly(table.name) && columns.allSatisfy { $0.isExactly($1) }
      note(old, table.name, deletions.isEmpty ? (isSame ? .unchanged : .schema) : .update)
      if !deletions.isEmpty { proofs.append(plan.proof) }
    case .copy:
      let name = names.new(table.name)
      created.append(creation(of: table, under: name))
      created.append(
        MigrationStep(plan.insertion(into: name), "fills \(table.name)", .rows(table.name)))
      note(store.tables[table.name] == nil ? nil : table.name, table.name, .rebuild)
      proofs.append(plan.proof)
    }
  }

  private func creation(of table: JoinTableLayout, under name: String) -> MigrationStep {
    var new = table
    new.name = name
    return MigrationStep(defining: new.sql, "creates \(table.name)", .schema)
  }

  // MARK: Dropped tables

  private mutating func dropUnused() {
    let all = source.tables.map(\.name) + source.joinTables.map(\.name)
    for table in all where !used.contains(ExactText(table)) && store.tables[table] != nil {
      removed.append(MigrationStep("DROP TABLE \(name: table)", "drops \(table)", .rows(table)))
      names.free(table)
      if !transitions.contains(where: { table.isExactly($0.from) && $0.strategy == .rebuild }) {
        note(table, nil, .drop)
      }
    }
  }
}
