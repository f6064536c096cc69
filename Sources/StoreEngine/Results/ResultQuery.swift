import PredicateSQL
import SQLiteAccess
package import StoreDiagnostics
import StoreLayout
import StoreModel
import StorePredicate

/// The SQL for keeping a list of results up to date, created from one request.
struct ResultQuery: Sendable {
  struct Order: Hashable, Sendable {
    var value: SQL
    var isAscending: Bool
  }

  /// The FROM clause, such as `ZITEM t0 LEFT JOIN ZLIST t1 ON …`.
  var source: SQL
  var conditions: [SQL]
  /// The row's `Z_PK`.
  var key: SQL
  /// The row's `Z_ENT`, or the number of the only possible entity.
  var number: SQL
  /// The values of a row and how to read them.
  var row: SelectList
  /// The values for the name of a row's section. Nil if the request has no sections.
  var heading: SelectList?
  /// The sort keys. With sections, the first sort key identifies the section. Rows that are equal in all sort keys are
  /// sorted by `Z_PK`.
  var order: [Order]
  var limit: Int?
  var offset: Int
}

extension ResultQuery {
  /// Returns the SELECT of all rows for a `RowScan`. The rows aren't sorted, because sorting takes longer than reading.
  func scan(_ columns: [SQL]) -> SQL {
    "SELECT \(columns.joined(", ")) FROM \(source)\(filter)"
  }

  /// The columns of the scan: the key, the entity number, the row's values, and the sort values that aren't among them.
  /// `order` contains the indexes of the sort values.
  var scanned: (values: [SQL], order: [Int]) {
    var values = [key, number] + row.values
    let places = order.map { key in
      if let place = values.dropFirst(2).firstIndex(of: key.value) { return place }
      values.append(key.value)
      return values.count - 1
    }
    return (values, places)
  }

  /// The SELECT of the keys and the `headingValues` of all rows in order.
  var ordered: SQL {
    "SELECT \(([key] + headingValues).joined(", ")) FROM \(source)\(filter)\(ordering)"
  }

  /// The SELECT of the keys of the rows in order, within the request's limit and offset.
  var orderedKeys: SQL {
    "SELECT \(key) FROM \(source)\(filter)\(ordering)\(window(limit: limit, offset: offset))"
  }

  /// Returns the SELECT of a part of the rows in order: their values, keys and entity numbers.
  func page(limit: Int, offset: Int) -> SQL {
    // The page must not exceed the request's limit.
    let remaining = self.limit.map { max(0, min(limit, $0 - offset)) } ?? limit
    return """
      SELECT \((row.values + [key, number]).joined(", ")) FROM \(source)\(filter)\(ordering)\
      \(window(limit: remaining, offset: self.offset + offset))
      """
  }

  /// Returns the SELECT of the values, keys and entity numbers of the rows with the given keys, in any order.
  func entitledRows(withKeys keys: [Int64]) -> SQL {
    rows(withKeys: keys, of: row.values + [key, number])
  }

  private var ordering: SQL {
    let terms = order.map { $0.isAscending ? $0.value : "\($0.value) DESC" } + [key]
    return " ORDER BY \(terms.joined(", "))"
  }

  private func window(limit: Int?, offset: Int) -> SQL {
    guard limit != nil || offset > 0 else { return "" }
    return " LIMIT \(.number(Int64(limit ?? -1))) OFFSET \(.number(Int64(offset)))"
  }

  /// Returns the SELECT of the `headingValues` and the sort values of one row, which determine its position.
  func place(ofRow key: Int64) -> SQL {
    let values = headingValues + order.map(\.value)
    return
      "SELECT \((values + [self.key]).joined(", ")) FROM \(source) WHERE \(self.key) = \(.number(key))"
  }

  /// The value that identifies a section, then the values for its name. Empty if the request has no sections.
  var headingValues: [SQL] {
    guard let heading, let first = order.first else { return [] }
    return [first.value] + heading.values
  }

  /// Returns the SELECT of the values of the rows with the given keys, in any order. The last column is the key.
  func rows(withKeys keys: [Int64]) -> SQL {
    rows(withKeys: keys, of: row.values + [key])
  }

  private func rows(withKeys keys: [Int64], of columns: [SQL]) -> SQL {
    let wanted = keys.map(SQL.number).joined(", ")
    return "SELECT \(columns.joined(", ")) FROM \(source) WHERE \(key) IN (\(wanted))"
  }

  private var filter: SQL { conditions.whereClause }
}

extension StoreFetchRequest {
  /// Returns the SQL for a list of the matching rows.
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
  /// Returns nil if the request aggregates its rows.
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
    part = \.sort
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

/// An error of a request whose result isn't a list of rows.
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
  package var diagnostics: [DiagnosticMessage] {
    [
      DiagnosticMessage(
        .error, "results.no-rows", "the request must return rows of the store, not \(what)",
        cause: .usage
      ).helping("follow the rows instead, and fetch this request again after each of their changes")
    ]
  }

  private var what: String {
    switch self {
    case .count: "a count"
    case .groups: "groups"
    case .distinctRows: "distinct rows"
    case .aggregates: "aggregates"
    }
  }
}
