import PredicateSQL
import SQLiteAccess
package import StoreDiagnostics
import StoreLayout
import StoreModel
import StorePredicate

/// The statements that a list of results is kept by, made of one request.
struct ResultQuery: Sendable {
  /// One key of the order of rows.
  struct Order: Hashable, Sendable {
    var value: SQL
    var isAscending: Bool
  }

  /// `ZITEM t0 LEFT JOIN ZLIST t1 ON …`
  var source: SQL
  var conditions: [SQL]
  /// The row's `Z_PK`.
  var key: SQL
  /// The row's `Z_ENT`, or that of the one entity that all rows have.
  var number: SQL
  /// What a row shows, and how its values are read.
  var row: SelectList
  /// The name of a row's section; nil where there are no sections.
  var heading: SelectList?
  /// With sections, the first is what tells them apart. Rows that are alike go by their keys.
  var order: [Order]
  var limit: Int?
  var offset: Int
}

extension ResultQuery {
  /// All that a row shows and is sorted by, for `RowScan`: in no order, which would cost more than all else.
  func scan(_ arguments: [SQL]) -> SQL {
    "SELECT \(arguments.joined(", ")) FROM \(source)\(filter)"
  }

  /// The scan's arguments: key, number, what the row shows, and what else it is sorted by; and which
  /// of them it is sorted by.
  var scanned: (values: [SQL], order: [Int]) {
    var values = [key, number] + row.values
    let places = order.map { key in
      if let place = values.dropFirst(2).firstIndex(of: key.value) { return place }
      values.append(key.value)
      return values.count - 1
    }
    return (values, places)
  }

  /// Keys and headings of all rows in their order.
  var ordered: SQL {
    "SELECT \(([key] + headingValues).joined(", ")) FROM \(source)\(filter)\(ordering)"
  }

  /// The keys of all rows in their order, within the request's window.
  var orderedKeys: SQL {
    "SELECT \(key) FROM \(source)\(filter)\(ordering)\(window(limit: limit, offset: offset))"
  }

  /// A part of the rows in their order: what they show, their keys and the numbers of their entities.
  func page(limit: Int, offset: Int) -> SQL {
    // No row of the page lies beyond those of the request.
    let left = self.limit.map { max(0, min(limit, $0 - offset)) } ?? limit
    return """
      SELECT \((row.values + [key, number]).joined(", ")) FROM \(source)\(filter)\(ordering)\
      \(window(limit: left, offset: self.offset + offset))
      """
  }

  /// What the rows with some keys show, their keys and the numbers of their entities, in no order.
  func entitledRows(withKeys keys: [Int64]) -> SQL {
    let wanted = keys.map(SQL.number).joined(", ")
    return """
      SELECT \((row.values + [key, number]).joined(", ")) FROM \(source) WHERE \(key) IN (\(wanted))
      """
  }

  private var ordering: SQL {
    let terms = order.map { $0.isAscending ? $0.value : "\($0.value) DESC" } + [key]
    return " ORDER BY \(terms.joined(", "))"
  }

  private func window(limit: Int?, offset: Int) -> SQL {
    guard limit != nil || offset > 0 else { return "" }
    return " LIMIT \(.number(Int64(limit ?? -1))) OFFSET \(.number(Int64(offset)))"
  }

  /// The heading of one row, and what it is sorted by.
  func place(ofRow key: Int64) -> SQL {
    let values = headingValues + order.map(\.value)
    return
      "SELECT \((values + [self.key]).joined(", ")) FROM \(source) WHERE \(self.key) = \(.number(key))"
  }

  /// What tells sections apart, then what their names are made of; nothing without sections.
  var headingValues: [SQL] {
    guard let heading, let first = order.first else { return [] }
    return [first.value] + heading.values
  }

  /// What the rows with some keys show, in no order; the key comes last.
  func rows(withKeys keys: [Int64]) -> SQL {
    let wanted = keys.map(SQL.number).joined(", ")
    return "SELECT \((row.values + [key]).joined(", ")) FROM \(source) WHERE \(key) IN (\(wanted))"
  }

  private var filter: SQL { conditions.whereClause }
}

extension StoreFetchRequest {
  /// The statements for a list of the rows that match.
  ///
  /// - Throws: `ResultRequestError`, `CheckErrors`
  func resultQuery(
    in layout: StoreLayout, storeUUID: String?, texts: RequestTexts = RequestTexts()
  ) throws -> ResultQuery {
    if let error = ResultRequestError(self) { throw error }
    let query = try compiled(in: layout, storeUUID, texts) { compiler throws(CheckError) in
      try compiler.resultQuery()
    }
    guard let query else { throw ResultRequestError.aggregates }
    return query
  }
}

extension FetchCompiler {
  /// Nil when the rows would be folded to one.
  fileprivate mutating func resultQuery() throws(CheckError) -> ResultQuery? {
    switch request.result {
    case .values(let values):
      guard !values.contains(where: { folds($0.expression) }) else { return nil }
      try select(values)
    case .rows, .objectIDs, .count: try selectRow()
    }
    let row = list
    list = SelectList()
    try selectSection()
    let heading = request.sections == nil ? nil : list
    part = .sort
    var order: [ResultQuery.Order] = []
    for key in sortKeys {
      let value = try compiler.operand(key.expression).sql
      order.append(.init(value: value, isAscending: key.isAscending))
    }
    if let place = try memberPlace { order.append(.init(value: place, isAscending: true)) }
    let conditions = try conditions()
    let root = compiler.root
    let only = onlyEntity.flatMap(compiler.layout.entity(named:))
    return ResultQuery(
      source: compiler.context.mainSource, conditions: conditions, key: root.key,
      number: only.map { .number($0.number) } ?? compiler.context.number(of: root), row: row,
      heading: heading, order: order, limit: request.limit, offset: request.offset)
  }
}

/// What a list of results can't be made of: something else than rows of the store.
package enum ResultRequestError: Error, Hashable {
  case count
  case groups
  case distinctRows
  case aggregates

  init?(_ request: StoreFetchRequest) {
    if request.result == .count {
      self = .count
    } else if !request.groupBy.isEmpty || request.having != nil {
      self = .groups
    } else if request.isDistinct {
      self = .distinctRows
    } else {
      return nil
    }
  }
}

extension ResultRequestError: DiagnosableError {
  package var diagnostics: [Diagnostic] {
    [
      Diagnostic(
        .error, "results.no-rows", "live results are rows of the store, \(what) is none",
        cause: .usage
      ).helping("fetch it again after each change of a list of the rows")
    ]
  }

  private var what: String {
    switch self {
    case .count: "a count"
    case .groups: "a group of rows"
    case .distinctRows: "one row for several that are alike"
    case .aggregates: "an aggregate of rows"
    }
  }
}
