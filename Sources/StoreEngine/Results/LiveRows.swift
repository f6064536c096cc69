package import PredicateSQL
package import RecordFormats
package import SQLiteAccess
package import StoreCore
package import StoreDiagnostics
package import StoreModel

/// The rows of a request, read again whenever somebody has written to the store.
package struct LiveRows {
  package private(set) var list: ResultList
  /// The rows of the list as the last reading has found them.
  private var scan: RowScan
  private var connection: LiveConnection
  private let query: ResultQuery
  private let naming: SectionNaming?
  private let context: RowContext

  /// Reads all rows.
  ///
  /// - Parameters:
  ///   - mode: how the store is opened.
  ///   - cached: what the rows were at another time.
  /// - Throws: `DatabaseError`, `Cancelled`; what naming a section throws.
  init(
    _ query: ResultQuery, of path: FilePath, _ mode: LiveConnection.OpenMode, _ context: RowContext,
    indexTitle: @escaping ResultList.IndexTitle = ResultList.firstLetter,
    after cached: KeptRows? = nil, cancellation: Cancellation
  ) throws {
    self.query = query
    self.context = context
    naming = SectionNaming(query, context: context)
    connection = try LiveConnection(path, mode, context.layout)
    list = ResultList(
      cached?.list ?? MatchedRows(),
      of: ResultSource(query, context, indexTitle: indexTitle))
    scan = cached?.scan ?? RowScan()
    _ = try connection.hasChanged()
    if let rows = try read(after: cached?.list, cancellation) { list = list.following(rows) }
  }

  /// The rows of a request in a store that is only looked at: no file is made or changed.
  ///
  /// - Throws: `ResultRequestError`, `CheckErrors`, and what reading throws.
  package static func watching(
    _ request: StoreFetchRequest, texts: RequestTexts, of path: FilePath, in context: RowContext,
    cancellation: Cancellation = .ofProcess
  ) throws -> LiveRows {
    let query = try request.resultQuery(in: context.layout, storeUUID: context.store, texts: texts)
    return try LiveRows(query, of: path, .withoutTrace, context, cancellation: cancellation)
  }

  /// The rows as they are now; nil when they are as they were.
  ///
  /// - Throws: `DatabaseError`, `Cancelled`; what naming a section throws. After `DatabaseError.locked` the
  ///   next call tries again.
  package mutating func update(cancellation: Cancellation = .ofProcess) throws -> ResultList? {
    do {
      guard try connection.hasChanged() else { return nil }
      guard let rows = try read(after: list.matched, cancellation) else { return nil }
      list = list.following(rows)
      return list
    } catch let error as DatabaseError where error.isPassing {
      connection.forget()
      return nil
    }
  }

  private mutating func read(
    after old: MatchedRows?, _ cancellation: Cancellation
  ) throws -> MatchedRows? {
    try connection.store.read(cancellation: cancellation) { connection in
      try ResultReading(query: query, naming: naming, connection: connection)
        .rows(after: old, &scan)
    }
  }

  /// The list without any row. One without sections has its one all the same.
  var none: SectionedRows {
    let sections = naming == nil ? [SectionedRows.Section(value: .null, rows: 0..<0)] : []
    return SectionedRows(keys: [], fingerprints: [], sections: sections)
  }

  /// What a cache keeps.
  var kept: KeptRows { KeptRows(list: list.matched, scan: scan) }

  /// Reads the store as it is now, over the connection of the rows.
  ///
  /// - Throws: what `body` throws, `DatabaseError`.
  package func read<T>(
    cancellation: Cancellation = .ofProcess, _ body: (Connection) throws -> T
  ) throws -> T {
    try connection.store.read(cancellation: cancellation, body)
  }

  /// What rows show, as they are now: in no order, and without those that are gone.
  ///
  /// - Parameter body: is given the values of each row in a `PackedRows`, and its key.
  /// - Throws: what `body` throws, `DatabaseError`.
  package func readRows(
    withKeys keys: [Int64], cancellation: Cancellation = .ofProcess,
    _ body: (PackedRows, Int64) throws -> Void
  ) throws {
    try connection.store.read(cancellation: cancellation) { connection in
      // Far below the number of values that a statement takes.
      for start in stride(from: 0, to: keys.count, by: Self.pageSize) {
        let page = Array(keys[start..<min(start + Self.pageSize, keys.count)])
        var statement = try connection.prepare(query.rows(withKeys: page))
        let row = PackedRows(width: Int(statement.columnCount))
        while try statement.step() {
          row.removeAll()
          statement.copyRow(into: row)
          try body(row, statement.integer(at: statement.columnCount - 1))
        }
      }
    }
  }

  private static let pageSize = 500

  /// How the values of a row are to be read: those of the request, without the key behind them.
  package var shape: RowShape {
    context.shape(of: query.row.columns, width: query.row.values.count + 1)
  }
}

/// Makes the names of sections: a value as a table shows it, NULL as the empty text.
struct SectionNaming: Sendable {
  private let shape: RowShape

  /// Nil for a request without sections.
  init?(_ query: ResultQuery, context: RowContext) {
    guard let heading = query.heading else { return nil }
    shape = context.shape(of: heading.columns, width: heading.values.count)
  }

  /// - Parameter first: the column of what tells sections apart; what the name is made of follows.
  /// - Throws: `ExternalValueMissing`
  func heading(of statement: borrowing Statement, at first: Int32) throws -> Heading {
    let row = PackedRows(width: shape.width)
    for index in 0..<shape.width {
      let value = statement.value(at: first + 1 + Int32(index))
      row.nextCells[index] = row.cell(of: value)
    }
    row.commitRow()
    return Heading(value: statement.value(at: first).normalised, name: try name(of: row))
  }

  private func name(of row: PackedRows) throws -> String {
    let cells = UnsafePointer(row.cells(ofRow: 0))
    var text = ByteBuffer(capacity: 64)
    let form = try text.append(
      cells[shape.cells[0]], as: shape.columns[0].content, of: cells, in: row,
      largeValues: shape.largeValues)
    switch form {
    case .plain, .literal: return String(decoding: text.bytes, as: UTF8.self)
    case .text(let bytes): return String(decoding: bytes, as: UTF8.self)
    case .special(let name): return name.description
    case .list, .null: return ""
    }
  }
}
