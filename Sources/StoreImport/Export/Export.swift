package import PredicateSQL
package import RecordFormats
package import SQLiteAccess
package import StoreCore
package import StoreDiagnostics
package import StoreEngine
package import StoreLayout
import StoreModel

/// An export of entities' rows with all stored properties.
package struct Export {
  private(set) var entities: [EntityLayout]
  let layout: StoreLayout
  private let format: RowFormat
  private var isOfChosen = false
  private let style: RowStyle

  /// - Parameter names: the names of the entities, whose subentities are included. If it is empty, all entities are
  ///   exported.
  /// - Throws: `ModelLookupError`; `DiagnosticError` for several entities in a format with one set of columns.
  package init(
    of names: [String], in layout: StoreLayout, as format: RowFormat,
    style: RowStyle = RowStyle()
  ) throws {
    var numbers: Set<Int64> = []
    for name in names {
      _ = try layout.model.requireEntity(named: name)
      numbers.formUnion(layout.entity(named: name)?.subtree ?? [])
    }
    entities = layout.entities.filter {
      !$0.isAbstract && (names.isEmpty || numbers.contains($0.number))
    }
    self.layout = layout
    self.format = format
    self.style = style
    guard entities.count <= 1 || format.takesSeveralEntities else {
      throw DiagnosticError(
        .error(
          "export.several-entities",
          "\(format.rawValue) can contain only one entity, but several were selected: "
            + entities.map(\.name).joined(separator: ", "),
          cause: .usage, help: [.request(.exportOneEntity)]))
    }
  }

  /// Limits the export to matching rows. A format for several entities also includes the rows to which required
  /// relationships lead. Relationships to other rows are omitted.
  ///
  /// - Parameter matching: rows of `entity` and its subentities.
  /// - Throws: `DatabaseError`
  package mutating func choose(
    _ matching: MatchingRows, of entity: EntityLayout, on connection: Connection
  ) throws(DatabaseError) -> ExportSelection {
    let chosen = try ChosenRows(matching, of: entity, in: layout, on: connection)
    isOfChosen = true
    if format.takesSeveralEntities {
      try chosen.addRequired()
      let numbers = try chosen.numbers()
      entities = layout.entities.filter { !$0.isAbstract && numbers.contains($0.number) }
    }
    return ExportSelection(
      required: try chosen.required(), leftOut: try chosen.leftOut(of: entities))
  }

  /// Writes the rows, one entity after another.
  ///
  /// - Throws: the errors of `RowStream`.
  package func write(
    from connection: Connection, _ context: RowContext, to sink: some ByteSink
  ) throws {
    _ = try write(from: connection, context, to: sink, .ofProcess) { _ in }
  }

  /// Writes the rows, and returns their number.
  private func write(
    from connection: Connection, _ context: RowContext, to sink: some ByteSink,
    _ cancellation: Cancellation, _ progress: (Int) -> Void
  ) throws -> Int {
    guard format == .json else {
      return try writeRows(as: format, from: connection, context, to: sink, cancellation, progress)
    }
    let array = JSONArraySink(sink)
    let count = try writeRows(
      as: .ndjson, from: connection, context, to: array, cancellation, progress)
    try array.finish()
    return count
  }

  private func writeRows(
    as format: RowFormat, from connection: Connection, _ context: RowContext,
    to sink: some ByteSink, _ cancellation: Cancellation, _ progress: (Int) -> Void
  ) throws -> Int {
    var written = 0
    for entity in entities {
      let query = ExportQuery(entity, in: layout, isOfChosen: isOfChosen).compiled()
      try withoutActuallyEscaping(progress) { progress in
        let stream = RowStream(query, on: connection, cancellation: cancellation) {
          [written] in progress(written + $0)
        }
        written += try stream.writeAll(
          as: format, style: style, context: context, to: sink)
      }
    }
    return written
  }
}

extension Export {
  /// The rows that an export writes and omits.
  package struct Summary {
    package var count = 0
    package var stray: [StrayRows] = []
    /// Nil without a predicate.
    package var selection: ExportSelection?
  }

  /// Writes all rows, or the rows that a predicate matches and the rows that these require.
  ///
  /// - Parameters:
  ///   - matching: the rows that the predicate matches, and their entity. Nil without a predicate.
  ///   - isStrict: whether rows of unknown entities are an error.
  ///   - progress: is called occasionally with the number of written rows.
  /// - Throws: `StrayRows`; the errors of `RowStream`.
  package mutating func run(
    choosing matching: (rows: MatchingRows, entity: EntityLayout)?, isStrict: Bool,
    from connection: Connection, _ context: RowContext, to sink: some ByteSink,
    cancellation: Cancellation = .ofProcess, progress: (Int) -> Void = { _ in }
  ) throws -> Summary {
    var summary = Summary(stray: try strayRows(on: connection))
    if isStrict, let first = summary.stray.first { throw first }
    if let matching {
      summary.selection = try choose(matching.rows, of: matching.entity, on: connection)
    }
    summary.count = try write(from: connection, context, to: sink, cancellation, progress)
    return summary
  }
}

extension RowFormat {
  /// Whether the format supports several entities. The other formats have one set of columns for all rows.
  package var takesSeveralEntities: Bool {
    switch self {
    case .json, .ndjson: true
    case .csv, .tsv, .table, .vertical, .markdown: false
    }
  }
}

/// The SELECT of an entity's rows, each with `$entity` and `$id`, its attributes, its to-one relationships as IDs and
/// its to-many relationships as lists of IDs.
package struct ExportQuery {
  private let entity: EntityLayout
  private let layout: StoreLayout
  private let isOfChosen: Bool
  private var selected: [SQL] = []
  private var columns: [ResultColumn] = []

  /// - Parameters:
  ///   - entity: the entity. Rows of subentities aren't included, because each row is exported once with its own
  ///     entity.
  ///   - isOfChosen: whether to include only `ChosenRows` and relationships between them.
  package init(_ entity: EntityLayout, in layout: StoreLayout, isOfChosen: Bool = false) {
    self.entity = entity
    self.layout = layout
    self.isOfChosen = isOfChosen
  }

  package func compiled() -> CompiledQuery {
    var copy = self
    copy.selectIdentity()
    copy.selectAttributes()
    copy.selectToOne()
    copy.selectToMany()
    var sql: SQL = """
      SELECT \(copy.selected.joined(", ")) FROM \(name: entity.table) AS t0
      """
    var conditions: [SQL] = []
    if entity.sharesTable {
      conditions.append("\(.name("t0", FixedColumn.entity)) = \(value: .integer(entity.number))")
    }
    if isOfChosen {
      let keys = ChosenRows.keys(in: entity, of: layout)
      conditions.append("\(.name("t0", FixedColumn.primaryKey)) IN (\(keys))")
    }
    if !conditions.isEmpty { sql += " WHERE \(conditions.joined(" AND "))" }
    sql += " ORDER BY \(.name("t0", FixedColumn.primaryKey))"
    return CompiledQuery(sql: sql, columns: copy.columns)
  }

  /// Adds a value to the SELECT, and returns the index of its column.
  private mutating func select(_ sql: SQL) -> Int {
    selected.append(sql)
    return selected.count - 1
  }

  private mutating func selectIdentity() {
    let name = select(.value(.text(entity.name)))
    columns.append(ResultColumn(name: "$entity", source: .value(name, .string)))
    let key = select(.name("t0", FixedColumn.primaryKey))
    columns.append(
      ResultColumn(name: "$id", source: .objectID(key: key, entity: .fixed(entity.name))))
  }

  private mutating func selectAttributes() {
    for (name, attribute) in entity.attributes.sorted(by: { $0.key < $1.key }) {
      let index = select(.name("t0", attribute.column))
      columns.append(
        ResultColumn(
          name: name, source: .value(index, attribute.type),
          allowsExternalStorage: attribute.allowsExternalStorage))
    }
  }

  private mutating func selectToOne() {
    for (name, toOne) in entity.toOne.sorted(by: { $0.key < $1.key }) {
      let key = select(reference(toOne))
      var source = ResultColumn.EntitySource.fixed(toOne.destination)
      if let column = toOne.entityColumn { source = .number(select(.name("t0", column))) }
      columns.append(ResultColumn(name: name, source: .objectID(key: key, entity: source)))
    }
  }

  private func reference(_ toOne: ToOneColumn) -> SQL {
    let column = SQL.name("t0", toOne.column)
    guard let condition = isChosen(column, toOne.destination) else { return column }
    return "CASE WHEN \(condition) THEN \(column) END"
  }

  /// Returns the condition that a destination row is exported, or nil if all rows are exported.
  private func isChosen(_ key: SQL, _ destination: String) -> SQL? {
    guard isOfChosen, let place = layout.entity(named: destination) else { return nil }
    return "\(key) IN (\(ChosenRows.keys(in: place, of: layout)))"
  }

  private mutating func selectToMany() {
    for (name, toMany) in entity.toMany.sorted(by: { $0.key < $1.key }) {
      let owner = SQL.name("t0", FixedColumn.primaryKey)
      let member = SQL.name(MemberList.alias, FixedColumn.primaryKey)
      let condition = isChosen(member, toMany.destination)
      let index = select(MemberList(toMany, in: layout).sql(of: owner, where: condition))
      columns.append(ResultColumn(name: name, source: .objectIDs(index)))
    }
  }
}

extension StrayRows: DiagnosableError {
  package var diagnostics: [DiagnosticMessage] {
    let rows = count == 1 ? "1 row of \(table) has" : "\(count) rows of \(table) have"
    return [
      .error(
        "export.stray-rows", "\(rows) an entity number that doesn't belong in this table",
        help: [
          "these rows don't belong to an entity, so they aren't exported; a repair sets the entity number of each row that fits only one entity"
        ])
    ]
  }
}

extension Export {
  /// Returns the rows that `write` doesn't export because their entity number doesn't belong in their table.
  ///
  /// - Throws: `DatabaseError`
  package func strayRows(on connection: Connection) throws(DatabaseError) -> [StrayRows] {
    try layout.strayRows(beside: entities, on: connection)
  }
}
