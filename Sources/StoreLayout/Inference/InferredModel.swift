package import SQLiteAccess
import StoreDiagnostics
package import StoreModel

/// A model that is inferred from the tables of a store, so that the store can be read without its model.
///
/// Its layout in the store contains all tables of entities, columns and join tables, except those in `unexplained`. Its
/// version hashes usually differ from the hashes of the model that wrote the store.
package struct InferredModel: Hashable, Sendable {
  package var model: DataModel
  /// The parts that aren't certain.
  package var guesses: [Guess]
  package var unexplained: [UnexplainedPart]
  /// The error after which no more rows were read, or nil.
  package var fault: DatabaseError?

  /// - Parameters:
  ///   - name: the name of the model.
  ///   - rows: the store, for reading a limited number of rows, or nil to use only the schema.
  package init(
    of schema: StoreSchema, metadata: StoreMetadata? = nil, named name: String,
    rows: Connection? = nil
  ) throws(DatabaseError) {
    let evidence = RowEvidence(rows)
    var draft = try InferenceDraft(
      schema, hashed: Set((metadata?.hashes ?? [:]).keys), evidence)
    draft.guess(nil, .unsaid)
    try draft.readKeys()
    try draft.addAttributes()
    draft.addJoinTables()
    draft.addHiddenKeys()
    draft.addToOnes()
    try draft.guessAbstract()
    let identifiers = metadata?.modelIdentifiers ?? []
    model = draft.model(named: name, identifiers: identifiers.isEmpty ? [""] : identifiers)
    guesses = draft.guesses
    unexplained = draft.unexplained
    fault = evidence.fault
  }

  package func guesses(about part: ModelPart?) -> [Guess] { guesses.filter { $0.part == part } }
}

extension Connection {
  /// Infers the model from the tables of this store.
  package func inferredModel(named name: String) throws(DatabaseError) -> InferredModel {
    let metadata = try hasTable(FixedTable.metadata) ? metadata() : nil
    return try InferredModel(of: schema(), metadata: metadata, named: name, rows: self)
  }
}

extension InferenceDraft {
  /// Guesses that an entity may be abstract if it has subentities and no rows.
  mutating func guessAbstract() throws(DatabaseError) {
    for number in forest.numbers where !forest.isLeaf(number) {
      let used = try evidence.numbersInUse(in: forest.table(of: number))
      if used?.contains(number) == false { guess(.entity(name(number)), .maybeAbstract) }
    }
  }

  mutating func model(named name: String, identifiers: [String]) -> DataModel {
    let constraints = constraints()
    let indexes = fetchIndexes()
    var entities: [EntityDescription] = []
    for number in forest.numbers {
      guard let node = forest[number] else { continue }
      let isRenamed = node.name != node.storedName
      if isRenamed { guess(.entity(node.name), .renamedEntity(old: node.storedName)) }
      entities.append(
        EntityDescription(
          name: node.name, parent: node.parent.map(forest.name),
          attributes: attributes[number] ?? [], relationships: relationships[number] ?? [],
          indexes: indexes[number] ?? [], uniquenessConstraints: constraints[number] ?? [],
          renamingIdentifier: isRenamed ? node.storedName : nil,
          userInfo: omitsEntityIndex(node) ? [EntityIndexKey.name: "YES"] : [:]))
    }
    return DataModel(name: name, versionIdentifiers: identifiers, entities: entities)
  }

  private func omitsEntityIndex(_ node: EntityForest.Node) -> Bool {
    guard node.parent == nil, !forest.isLeaf(node.number) else { return false }
    let indexes = schema.database.tables[node.table]?.indexes ?? []
    return !indexes.contains { $0.columns == [FixedColumn.entity] }
  }
}
