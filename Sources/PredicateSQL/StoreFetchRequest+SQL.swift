package import StoreLayout
package import SQLiteAccess
package import StoreModel
package import StorePredicate

extension StoreFetchRequest {
  /// The SELECT that answers the request, and how to read its columns.
  ///
  /// - Parameters:
  ///   - storeUUID: object IDs that name another store match nothing; nil takes all of them.
  ///   - texts: what the parts were parsed from, for the carets of the errors.
  package func sql(
    in layout: StoreLayout, storeUUID: String? = nil, texts: RequestTexts = RequestTexts()
  ) throws(CheckErrors) -> CompiledQuery {
    try compiled(in: layout, storeUUID, texts) { compiler throws(CheckError) in
      try compiler.compile()
    }
  }

  /// Checks the request, and makes something of it.
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
  /// A SELECT of the rows' `Z_PK` and their entities' numbers, in the request's order.
  package var sql: SQL
  /// The concrete entities that the rows can be of.
  package var entities: [Int64]
  /// No row of these entities is left out.
  package var isEveryRow: Bool
}

extension StoreFetchRequest {
  /// - Throws: `CheckErrors`
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
    let residents = compiler.context.layout.entities.filter {
      $0.table == entity.table && !$0.isAbstract
    }
    // Where all rows are of one entity, an index over what is asked for is enough to find them.
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

/// What the parts of a request were parsed from; nil for a part that code has built.
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

  package enum Part {
    case predicate, select, sort, groupBy, having, sections
  }

  package subscript(part: Part?) -> PredicateText? {
    switch part {
    case .predicate: predicate
    case .select: select
    case .sort: sort
    case .groupBy: groupBy
    case .having: having
    case .sections: sections
    case nil: nil
    }
  }
}
