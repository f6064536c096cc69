package import StoreLayout
package import SQLiteAccess
package import StoreModel
package import StorePredicate

extension StoreFetchRequest {
  /// Returns the SELECT of the request, with its result columns.
  ///
  /// - Parameters:
  ///   - storeUUID: the UUID of the store, or nil to accept object IDs of all stores. Object IDs of another store don't
  ///     match any row.
  ///   - texts: the texts of the parts, for the locations of errors.
  /// - Throws: `CheckErrors` if the request doesn't fit the model or isn't supported in a store.
  package func sql(
    in layout: StoreLayout, storeUUID: String? = nil, texts: RequestTexts = RequestTexts()
  ) throws(CheckErrors) -> CompiledQuery {
    try compiled(in: layout, storeUUID, texts) { compiler throws(CheckError) in
      try compiler.compile()
    }
  }

  /// Checks the request, calls `compile` with a compiler for it, and returns the result.
  ///
  /// - Throws: `CheckErrors` if the request doesn't fit the model, or if `compile` throws an error.
  package func compiled<Result>(
    in layout: StoreLayout, _ storeUUID: String?, _ texts: RequestTexts,
    _ compile: (inout FetchCompiler) throws(CheckError) -> Result
  ) throws(CheckErrors) -> Result {
    try CheckedRequest(self, in: layout.model, texts)
      .compiled(in: layout, storeUUID, texts, compile)
  }
}

/// The rows that a request matches, for statements that change them.
package struct MatchingRows: Hashable {
  /// A SELECT of the rows' `Z_PK` and entity numbers, in the request's order.
  package var sql: SQL
  /// The numbers of the entities that the rows can have, without abstract ones.
  package var entities: [Int64]
  /// Whether the request has no predicate, or one that is always true.
  package var isEveryRow: Bool
}

extension StoreFetchRequest {
  /// Returns the rows that the request matches.
  ///
  /// - Throws: `CheckErrors` if the request doesn't fit the model.
  package func matchingRows(
    in layout: StoreLayout, storeUUID: String?, texts: RequestTexts
  ) throws(CheckErrors) -> MatchingRows {
    try compiled(in: layout, storeUUID, texts) { compiler throws(CheckError) in
      try compiler.matchingRows()
    }
  }
}

extension FetchCompiler {
  fileprivate mutating func matchingRows() throws(CheckError) -> MatchingRows {
    let condition = try conditions().whereClause
    let order = try order(isDistinct: false)
    let residents = compiler.context.layout.entities(in: entity.table).filter { !$0.isAbstract }
    // If all rows of the table are of one entity, its number is a constant, so that an index on the condition's columns
    // contains everything that SQLite must read.
    let number =
      residents.count == 1
      ? .number(residents[0].number) : compiler.root.number ?? .number(entity.number)
    return MatchingRows(
      sql: """
        SELECT \(compiler.root.key), \(number) FROM \(compiler.context.mainSource)\(condition)\(order)
        """,
      entities: wanted,
      isEveryRow: request.predicate == nil || request.predicate == .constant(true))
  }
}

/// The texts of a request's parts, for the locations of errors. The text of a part that was created in code is nil.
package struct RequestTexts: Sendable {
  package var predicate: PredicateText?
  package var refinement: PredicateText?
  package var select: PredicateText?
  package var sort: PredicateText?
  package var groupBy: PredicateText?
  package var having: PredicateText?
  package var sections: PredicateText?

  package init(
    predicate: PredicateText? = nil, refinement: PredicateText? = nil,
    select: PredicateText? = nil, sort: PredicateText? = nil,
    groupBy: PredicateText? = nil, having: PredicateText? = nil, sections: PredicateText? = nil
  ) {
    self.predicate = predicate
    self.refinement = refinement
    self.select = select
    self.sort = sort
    self.groupBy = groupBy
    self.having = having
    self.sections = sections
  }
}
