import PredicateSQL
import SQLiteAccess
import StoreDiagnostics
import StoreLayout
import StoreModel
import StorePredicate
import StoreCore

/// Reads the rows of a query and the included rows in an open read transaction.
struct IncludedReading {
  let owner: PersistentStore
  let connection: Connection
  let cancellation: Cancellation
  /// Receives all rows.
  var digest: RowDigest?

  private var layout: StoreLayout { owner.layout }
  private var storeUUID: String { owner.store.metadata.uuid }

  /// Returns the rows of the query with their included rows.
  ///
  /// - Parameter limit: an additional limit for the query's rows.
  /// - Throws: `CheckErrors` if the request doesn't fit the model, `UnreadableValue`, `DatabaseError`, `Cancelled`.
  func rows<Object: StoredObject>(
    of including: Including<Object>, limit: Int? = nil
  ) throws -> [Included<Object>] {
    var request = including.query.request
    if let limit { request.limit = min(request.limit ?? limit, limit) }
    let ends = try relationships(of: including.tree, from: request.entity)
    request.result = request.result.adding(ends.toOnes)
    let query = try request.sql(in: layout, storeUUID: storeUUID)
    let collector = RowCollector(.own, references: query.keyColumns(of: ends.toOnes))
    let table = try read(
      including.tree, ends, query, of: request, collector,
      isWhole: request.isWhole(in: layout))
    guard let table = table as? TypedRowTable<Object> else {
      preconditionFailure("the tree does not begin with the query's rows")
    }
    return table.rows.indices.map { Included(table: table, row: $0) }
  }

  // MARK: One table

  /// The included relationships of the rows of one table.
  private struct Ends {
    /// The names of the to-one relationships, in the order of the tree's branches.
    var toOnes: [String] = []
    /// The to-many layout of each branch, or nil for a to-one relationship.
    var members: [ToManyLayout?] = []
  }

  /// - Throws: `CheckErrors` if a relationship doesn't exist in the model.
  private func relationships(of tree: IncludedTree, from entity: String) throws -> Ends {
    var ends = Ends()
    guard let place = layout.entity(named: entity) else { return ends }
    for branch in tree.branches {
      let name = branch.relationship.name
      if place.toOne[name] != nil {
        ends.toOnes.append(name)
        ends.members.append(nil)
      } else if let members = place.toMany[name] {
        ends.members.append(members)
      } else {
        throw CheckErrors([
          CheckError(
            .unknownProperty(
              name, entity: entity, known: (Array(place.toOne.keys) + place.toMany.keys).sorted()))
        ])
      }
    }
    return ends
  }

  /// - Parameter isWhole: whether the request matches all rows of the table.
  private func read(
    _ tree: IncludedTree, _ ends: Ends, _ query: CompiledQuery, of request: StoreFetchRequest,
    _ collector: RowCollector, isWhole: Bool = false,
    taking notes: (RowCollector) -> Void = { _ in }
  ) throws -> RowTable {
    let plan = ReadingPlan(query.columns, for: request, in: owner.store, layout)
    let table = tree.reader.makeTable()
    var collector = collector
    var batches = RowBatches(try connection.prepare(query.sql), digest: digest)
    while let batch = try batches.next() {
      var reader = PackedRowReader(batch, by: plan, rowsBefore: collector.keys.count)
      try tree.reader.read(table, &reader, &collector)
      try cancellation.check()
    }
    notes(collector)
    var toOnes = collector.referredKeys[...]
    for (branch, members) in zip(tree.branches, ends.members) {
      let (end, rows) =
        if let members {
          try self.members(members, of: collector.keys, branch.tree, isWhole: isWhole)
        } else {
          try destinations(of: toOnes.removeFirst(), branch.tree)
        }
      table.links.append(
        RowLinks(relationship: branch.relationship, path: branch.path, ends: end, table: rows))
    }
    return table
  }

  // MARK: Other ends

  private func destinations(
    of keys: [Int64], _ tree: IncludedTree
  ) throws -> (RowLinks.Ends, RowTable) {
    let wanted = KeyIndex(keys, arePlaced: false)
    guard wanted.count > 0 else { return (.init(toOne: keys, in: wanted), tree.reader.makeTable()) }
    var found = wanted
    let table = try related(tree, .destinations, wanted, isWhole: false) { _, references in
      RowCollector(.destinations, wanted, references: references)
    } taking: {
      found = $0.index
    }
    return (.init(toOne: keys, in: found), table)
  }

  private func members(
    _ members: ToManyLayout, of keys: [Int64], _ tree: IncludedTree, isWhole: Bool
  ) throws -> (RowLinks.Ends, RowTable) {
    let owners = KeyIndex(keys, arePlaced: true)
    var (pairs, memberKeys): ([MemberPair], [Int64]) = ([], [])
    var table = tree.reader.makeTable()
    if !keys.isEmpty {
      let isJoined = if case .joinTable = members { true } else { false }
      table = try related(tree, .members(members), owners, isWhole: isWhole) { query, references in
        RowCollector(
          isJoined ? .pairs : .members, owners, owner: query.owner ?? 0, place: query.place,
          references: references)
      } taking: {
        (pairs, memberKeys) = ($0.pairs, $0.keys)
      }
    }
    return (.init(pairs, ofRows: keys.count, keys: memberKeys), table)
  }

  private func related(
    _ tree: IncludedTree, _ link: RelatedRows.Link, _ index: KeyIndex, isWhole: Bool,
    _ collector: (RelatedQuery, _ references: [Int]) -> RowCollector,
    taking notes: (RowCollector) -> Void
  ) throws -> RowTable {
    var request = tree.reader.request
    let ends = try relationships(of: tree, from: request.entity)
    request.result = request.result.adding(ends.toOnes)
    let related = try request.related(
      RelatedRows(link, keys: isWhole ? .all : .of(index)), in: layout, storeUUID: storeUUID)
    return try read(
      tree, ends, related.query, of: request,
      collector(related, related.query.keyColumns(of: ends.toOnes)), taking: notes)
  }
}

extension RelatedRows.Keys {
  /// The maximum number of keys that the statement always lists. More keys are replaced by the range that contains them
  /// if the index is dense (`KeyIndex.isDense`).
  private static let fewKeys = 250

  fileprivate static func of(_ index: KeyIndex) -> Self {
    guard index.count > fewKeys, index.isDense, let bounds = index.bounds else {
      return .list(index.keys)
    }
    return .range(bounds)
  }
}

extension StoreFetchRequest.Result {
  /// Returns the selected values, followed by the to-one relationships that aren't selected yet.
  fileprivate func adding(_ toOnes: [String]) -> Self {
    guard case .values(let values) = self else { return self }
    let names = Set(values.map(\.name))
    return .values(
      values
        + toOnes.filter { !names.contains($0) }.map {
          SelectedValue(FormatExpression(property: $0), name: $0)
        })
  }
}

extension StoreFetchRequest {
  /// Whether the request matches all rows of the entity's table.
  fileprivate func isWhole(in layout: StoreLayout) -> Bool {
    guard let place = layout.entity(named: entity), place.parentNumber == 0 else { return false }
    return predicate == nil && refinement == nil && membership == nil && limit == nil && offset == 0
      && (includesSubentities || !place.sharesTable)
  }
}

extension CompiledQuery {
  /// The columns of the SELECT that contain the keys of to-one relationships.
  fileprivate func keyColumns(of names: [String]) -> [Int] {
    names.compactMap { name in
      for column in columns {
        if column.name == name, case .objectID(let key, _) = column.source { return key }
      }
      return nil
    }
  }
}
