import SQLiteAccess
import StoreDiagnostics
import StoreModel

/// A model that is being inferred from a store's tables.
struct InferenceDraft {
  let schema: StoreSchema
  let forest: EntityForest
  let labels: LabelReading
  let evidence: RowEvidence
  var tables: [TableReading] = []
  var joins: [JoinTableReading] = []
  /// The entities whose rows have values in a column, by table and column. Tables of a single entity, and tables that
  /// are too long to be read completely, are missing.
  var holders: [String: [String: Set<Int64>]] = [:]
  var attributes: [Int64: [AttributeDescription]] = [:]
  var relationships: [Int64: [RelationshipDescription]] = [:]
  /// The entity that declares a column, by table and column, if the order of the columns determines it.
  private var ordered: [String: [String: Int64]] = [:]
  var keys: [KeyDraft] = []
  var guesses: [Guess] = []
  var unexplained: [UnexplainedPart]
  /// The names of each entity's own properties, by the entity's number.
  private var names: [Int64: Set<String>] = [:]
  /// The property that a column belongs to, by table and column.
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

  /// Returns the entities that declare columns, by column, as far as the order of the columns determines them. Core
  /// Data places columns in groups: integers and keys, then dates and floating-point numbers, then texts. Columns that
  /// were added later are after the groups, so their order isn't used.
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
    guesses.append(Guess(part: part, kind: kind))
  }

  mutating func leaveOut(_ name: String, _ reason: UnexplainedPart.Reason) {
    unexplained.append(UnexplainedPart(name: name, reason: reason))
  }

  /// Returns the entity that is assumed to declare a column, whether this is certain, and the entities whose rows have
  /// values in it.
  ///
  /// The order of the columns determines the assumed entity, if possible. Otherwise, it is the lowest entity in the
  /// hierarchy for which no values are lost. If not all rows were read, it is the root, so that values in all rows can
  /// be read.
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

  /// Returns the nearest common ancestor of all entities that are known to have a property for this column.
  private func lowestOwner(of column: String, in table: String) -> Int64? {
    let holding = holders[table]?[column]?.filter { forest[$0]?.table == table } ?? []
    let labelled = labels.entities[table]?[column] ?? []
    return forest.nearestCommon(of: labelled.union(holding).sorted())
  }

  /// Reserves a name for a property. Returns false if the entity, an ancestor or a subentity already has a property
  /// with that name.
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

  /// Reserves an unused name for a relationship without a column, and returns it.
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
  /// Returns the name without the number that Core Data adds after a name collision. If there is also `OWNER`, `OWNER1`
  /// is the property `owner` of another entity.
  func withoutCollision(among names: Set<String>) -> String {
    names.contains(trimmingNumber) ? trimmingNumber : self
  }

  /// The name without digits at its end.
  var trimmingNumber: String {
    String(reversed().drop { $0.isASCII && $0.isNumber }.reversed())
  }
}

extension InferenceDraft {
  /// Returns the uniqueness constraints for unique indexes, by the entity's number.
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

  /// Adds constraints for columns that are declared as `VARCHAR UNIQUE`, as framework version 851 does
  /// (docs/formats/store-layout.md, "Indexes").
  private func addInlineConstraints(of table: String, to constraints: inout [Int64: [[String]]]) {
    for index in schema.database.tables[table]?.indexes ?? [] {
      guard index.definition == nil, index.isUnique, index.columns.count == 1,
        let property = properties[table]?[index.columns[0]]
      else { continue }
      constraints[property.owner, default: []].append([property.name])
    }
  }

  /// Returns the fetch indexes, by the entity's number. Partial indexes are omitted, because their conditions aren't
  /// converted from SQL.
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

  /// Returns the names of an index's properties, or nil if a column doesn't belong to an own or inherited property of
  /// the index's entity.
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
