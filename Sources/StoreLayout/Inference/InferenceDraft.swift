import SQLiteAccess
import StoreDiagnostics
import StoreModel

/// A model while it is read out of a store's tables.
struct InferenceDraft {
  let schema: StoreSchema
  let forest: EntityForest
  let labels: LabelReading
  let evidence: RowEvidence
  var tables: [TableReading] = []
  var joins: [JoinTableReading] = []
  /// Which entities have values: by table and column; no table that is too long to be seen whole.
  var holders: [String: [String: Set<Int64>]] = [:]
  var attributes: [Int64: [Attribute]] = [:]
  var relationships: [Int64: [Relationship]] = [:]
  /// By table and column, where the order of columns tells it.
  private var ordered: [String: [String: Int64]] = [:]
  var keys: [KeyDraft] = []
  var guesses: [Guess] = []
  var unexplained: [UnexplainedPart]
  /// Of the entity itself.
  private var names: [Int64: Set<String>] = [:]
  /// By table and column: the property that an index can name.
  var properties: [String: [String: (name: String, owner: Int64)]] = [:]

  init(
    _ schema: StoreSchema, hashed: Set<String>, _ evidence: RowEvidence
  ) throws(DatabaseError) {
    self.schema = schema
    self.evidence = evidence
    forest = EntityForest(schema, hashed: hashed)
    labels = LabelReading(schema, forest)
    unexplained = forest.unexplained
    for root in forest.roots {
      guard let table = schema.database.tables[forest.table(of: root)] else { continue }
      let isOneEntity = forest.isLeaf(root)
      let reading = TableReading(table, isOneEntity: isOneEntity)
      tables.append(reading)
      unexplained += reading.unexplained
      guard !isOneEntity else { continue }
      let columns =
        reading.attributes.map(\.column) + reading.keys.map(\.column)
        + reading.hiddenKeys.map(\.column)
      holders[table.name] = try evidence.holders(of: columns, in: table.name)
      ordered[table.name] = ownersByOrder(in: table, reading)
    }
    let read = JoinTableReading.all(in: schema, besides: Set(tables.map(\.table)))
    joins = read.tables
    unexplained += read.unexplained
  }

  /// Integers with keys, dates with other numbers, and texts each stand together, as long as nothing was added later.
  private func ownersByOrder(
    in table: DatabaseSchema.Table, _ reading: TableReading
  ) -> [String: Int64] {
    let keys = Set(reading.keys.map(\.column))
    let names = Dictionary(
      reading.attributes.map { ($0.column, $0.name) } + reading.keys.map { ($0.column, $0.name) }
    ) { first, _ in first }
    let taken = Set(names.values)
    var owners: [String: Int64] = [:]
    for group in [[.integer], [.timestamp, .float], [.varchar]] as [[DeclaredType]] {
      let isOfGroup = { (column: DatabaseSchema.Column) -> Bool in
        DeclaredType(rawValue: column.declaredType).map(group.contains) ?? false
      }
      let run = table.columns.filter { !FixedColumn.ofEveryRow.contains($0.name) }
        .drop { !isOfGroup($0) }.prefix(while: isOfGroup).map(\.name).filter { names[$0] != nil }
      let columns = run.map { column in
        OwnersByOrder.Column(
          name: (names[column] ?? column).withoutCollision(among: taken),
          isKey: keys.contains(column), lowest: lowestOwner(of: column, in: table.name))
      }
      let members = forest.members(ofTable: table.name)
      let found = OwnersByOrder(columns, members: members, forest).owners()
      for (column, owner) in zip(run, found) { owners[column] = owner }
    }
    return owners
  }

  func name(_ entity: Int64) -> String { forest.name(entity) }

  func part(_ property: String, of entity: Int64) -> ModelPart {
    .property(property, of: name(entity))
  }

  mutating func guess(_ part: ModelPart?, _ kind: Guess.Kind) {
    guesses.append(Guess(part, kind))
  }

  mutating func leaveOut(_ name: String, _ reason: UnexplainedPart.Reason) {
    unexplained.append(UnexplainedPart(name: name, reason: reason))
  }

  /// The entity that declares a column, as low as no value is lost; and whether that is known.
  ///
  /// Where not every row is seen, it is the root: a value in any row can be read then.
  func owner(
    of column: String, in table: String
  ) -> (entity: Int64, isCertain: Bool, holders: [Int64])? {
    let members = forest.members(ofTable: table)
    guard let root = members.first(where: forest.isRoot) else { return nil }
    let labelled = labels.entities[table]?[column] ?? []
    guard members.count > 1, !labelled.contains(root) else { return (root, true, []) }
    guard holders[table] != nil else { return (root, false, []) }
    let lowest = lowestOwner(of: column, in: table)
    let owner = ordered[table]?[column] ?? lowest ?? root
    let holding = holders[table]?[column]?.sorted() ?? []
    return (owner, lowest == root, holding)
  }

  /// The entity nearest to all that are known to have a property of this column.
  private func lowestOwner(of column: String, in table: String) -> Int64? {
    let holding = holders[table]?[column]?.filter { forest[$0]?.table == table } ?? []
    let labelled = labels.entities[table]?[column] ?? []
    return forest.nearestCommon(of: labelled.union(holding).sorted())
  }

  /// Takes a name for a property, unless the entity, an ancestor or one below it has it.
  mutating func claim(_ property: String, for entity: Int64) -> Bool {
    guard !isInUse(property, around: entity) else { return false }
    names[entity, default: []].insert(property)
    return true
  }

  func isInUse(_ property: String, around entity: Int64) -> Bool {
    forest.members(ofTable: forest.table(of: entity)).contains { other in
      names[other]?.contains(property) == true
        && (forest.isKind(other, of: entity) || forest.isKind(entity, of: other))
    }
  }

  /// A free name for a relationship that no column names.
  mutating func madeUpName(_ wish: String, for entity: Int64) -> String {
    var name = wish
    var suffix = 1
    while !claim(name, for: entity) {
      suffix += 1
      name = "\(wish)\(suffix)"
    }
    return name
  }
}

extension String {
  /// `OWNER1` beside `OWNER` is another entity's `owner`.
  func withoutCollision(among names: Set<String>) -> String {
    names.contains(trimmingNumber) ? trimmingNumber : self
  }

  /// Without the digits at its end.
  var trimmingNumber: String {
    String(reversed().drop { $0.isASCII && $0.isNumber }.reversed())
  }
}

extension InferenceDraft {
  /// The constraint of each unique index, by entity.
  func constraints() -> [Int64: [[String]]] {
    var constraints: [Int64: [[String]]] = [:]
    for (table, indexes) in labels.indexes.sorted(by: { $0.key < $1.key }) {
      for index in indexes where index.isConstraint {
        guard let names = names(of: index, in: table) else { continue }
        constraints[index.entity, default: []].append(names)
      }
    }
    for table in tables { addInlineConstraints(of: table.table, to: &constraints) }
    return constraints.mapValues { lists in
      lists.enumerated().filter { !lists[..<$0].contains($1) }.map(\.element)
    }
  }

  /// fw 851 writes `VARCHAR UNIQUE` (docs/formats/store-layout.md, "Indexes").
  private func addInlineConstraints(of table: String, to constraints: inout [Int64: [[String]]]) {
    for index in schema.database.tables[table]?.indexes ?? [] {
      guard index.definition == nil, index.isUnique, index.columns.count == 1,
        let property = properties[table]?[index.columns[0]]
      else { continue }
      constraints[property.owner, default: []].append([property.name])
    }
  }

  /// By entity; partial ones have a condition that is not read back from SQL.
  func fetchIndexes() -> [Int64: [FetchIndex]] {
    var made: [Int64: [FetchIndex]] = [:]
    for (table, indexes) in labels.indexes.sorted(by: { $0.key < $1.key }) {
      for index in indexes where !index.isConstraint && !index.index.isPartial {
        guard !index.name.isEmpty, let names = names(of: index, in: table) else { continue }
        let elements = zip(names, index.index.parts).map {
          FetchIndex.Element(.property($0), isAscending: $1.isAscending)
        }
        made[index.entity, default: []].append(FetchIndex(name: index.name, elements: elements))
      }
    }
    return made
  }

  /// Those of the entity itself or inherited; nil when one is neither.
  private func names(of index: LabelReading.Index, in table: String) -> [String]? {
    let names = index.index.columns.compactMap { column -> String? in
      guard let property = properties[table]?[column],
        forest.isKind(index.entity, of: property.owner)
      else { return nil }
      return property.name
    }
    return names.count == index.index.columns.count && !names.isEmpty ? names : nil
  }
}
