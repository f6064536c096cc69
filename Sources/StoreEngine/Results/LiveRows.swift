package import PredicateSQL
package import RecordFormats
package import SQLiteAccess
package import StoreCore
package import StoreDiagnostics
package import StoreModel

/// The rows of a request, which are compared with the store on demand.
struct RequestedRows {
  private(set) var list: ResultList
  /// The keys and hashes of the rows at the last read.
  private var scan: RowScan
  private let query: ResultQuery
  private let naming: SectionNaming?
  private let context: RowContext

  /// Reads all rows.
  ///
  /// - Parameter cached: the rows that an earlier run of the program stored, or nil.
  /// - Throws: `DatabaseError`, `Cancelled`, and the errors of reading the name of a section.
  init(
    _ query: ResultQuery, from store: Store, _ context: RowContext,
    indexTitle: @escaping ResultList.IndexTitle = ResultList.firstLetter,
    after cached: KeptRows? = nil, cancellation: Cancellation
  ) throws {
    self.query = query
    self.context = context
    naming = SectionNaming(query, context: context)
    list = ResultList(
      cached?.list ?? MatchedRows(),
      of: ResultSource(query, context, indexTitle: indexTitle))
    scan = cached?.scan ?? RowScan()
    if let rows = try read(from: store, after: cached?.list, cancellation) {
      list = list.following(rows)
    }
  }

  /// Reads the rows again, and returns them if they have changed.
  ///
  /// - Throws: `DatabaseError`, `Cancelled`, and the errors of reading the name of a section.
  mutating func update(from store: Store, cancellation: Cancellation) throws -> ResultList? {
    guard let rows = try read(from: store, after: list.matched, cancellation) else { return nil }
    list = list.following(rows)
    return list
  }

  private mutating func read(
    from store: Store, after old: MatchedRows?, _ cancellation: Cancellation
  ) throws -> MatchedRows? {
    try store.read(cancellation: cancellation) { connection in
      try ResultReading(query: query, naming: naming, connection: connection)
        .rows(after: old, &scan)
    }
  }

  /// An empty list for this request. It has one empty section if the request doesn't have sections.
  var none: SectionedRows {
    let sections = naming == nil ? [SectionedRows.Section(value: .null, rows: 0..<0)] : []
    return SectionedRows(keys: [], fingerprints: [], sections: sections)
  }

  /// The data for a cache.
  var kept: KeptRows { KeptRows(list: list.matched, scan: scan) }

  /// Reads the current values of the rows with the given keys, in any order. Keys of missing rows are ignored.
  ///
  /// - Parameter body: called with each row's values in a `PackedRows`, and its key.
  /// - Throws: the errors of `body`, `DatabaseError`.
  func readRows(
    withKeys keys: [Int64], from store: Store, cancellation: Cancellation,
    _ body: (PackedRows, Int64) throws -> Void
  ) throws {
    try store.read(cancellation: cancellation) { connection in
      // `pageSize` is far below the maximum number of values in a statement.
      for start in stride(from: 0, to: keys.count, by: Self.pageSize) {
        let page = Array(keys[start..<min(start + Self.pageSize, keys.count)])
        var statement = try connection.prepare(query.rows(withKeys: page))
        try statement.forEachRow { row in
          try body(row, row.cells(ofRow: 0)[row.width - 1].integer)
        }
      }
    }
  }

  private static let pageSize = 500

  /// The description of a row's cells, without the key at the end.
  var shape: RowShape {
    context.shape(of: query.row.columns, width: query.row.values.count + 1)
  }
}

/// The rows of a request, and a connection that detects writes to the store, for a program that doesn't write.
package struct LiveRows {
  private var rows: RequestedRows
  private var connection: LiveConnection

  package var list: ResultList { rows.list }

  /// Reads the rows of a request, without creating or changing files of the store. `update` reads them again.
  ///
  /// - Throws: `ResultRequestError`, `CheckErrors`, and the errors of reading.
  package static func watching(
    _ request: StoreFetchRequest, texts: RequestTexts, of path: LocalPath, in context: RowContext,
    cancellation: Cancellation = .ofProcess
  ) throws -> LiveRows {
    let query = try request.resultQuery(in: context.layout, storeUUID: context.store, texts: texts)
    var connection = try LiveConnection(path, .withoutTrace, context.layout)
    _ = try connection.hasChanged()
    let rows = try RequestedRows(
      query, from: connection.store, context, cancellation: cancellation)
    return LiveRows(rows: rows, connection: connection)
  }

  /// Returns the current rows, or nil if they haven't changed.
  ///
  /// - Throws: `DatabaseError`, `Cancelled`, and the errors of reading the name of a section. If the store is locked,
  ///   it returns nil and the next call tries again.
  package mutating func update(cancellation: Cancellation = .ofProcess) throws -> ResultList? {
    do {
      guard try connection.hasChanged() else { return nil }
      return try rows.update(from: connection.store, cancellation: cancellation)
    } catch let error as DatabaseError where error.isPassing {
      connection.forget()
      return nil
    }
  }

  /// An empty list for this request. It has one empty section if the request doesn't have sections.
  var none: SectionedRows { rows.none }

  /// The data for a cache.
  var kept: KeptRows { rows.kept }

  /// Runs `body` in a read transaction on the connection that reads the rows.
  ///
  /// - Throws: the errors of `body`, `DatabaseError`.
  package func read<T>(
    cancellation: Cancellation = .ofProcess, _ body: (Connection) throws -> T
  ) throws -> T {
    try connection.store.read(cancellation: cancellation, body)
  }

  /// Reads the current values of the rows with the given keys, in any order. Keys of missing rows are ignored.
  ///
  /// - Parameter body: called with each row's values in a `PackedRows`, and its key.
  /// - Throws: the errors of `body`, `DatabaseError`.
  package func readRows(
    withKeys keys: [Int64], cancellation: Cancellation = .ofProcess,
    _ body: (PackedRows, Int64) throws -> Void
  ) throws {
    try rows.readRows(withKeys: keys, from: connection.store, cancellation: cancellation, body)
  }

  /// The description of a row's cells, without the key at the end.
  package var shape: RowShape { rows.shape }
}

/// Creates the names of sections. A name is the text of the section's value, as in printed tables. It is empty for
/// NULL.
struct SectionNaming: Sendable {
  private let shape: RowShape

  /// Returns nil for a request without sections.
  init?(_ query: ResultQuery, context: RowContext) {
    guard let heading = query.heading else { return nil }
    shape = context.shape(of: heading.columns, width: heading.values.count)
  }

  /// Returns the value and the name of the section of a statement's current row.
  ///
  /// - Parameter first: the index of the column that identifies the section. The columns for its name follow.
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
