package import PredicateSQL
package import RecordFormats
package import SQLiteAccess
package import StoreCore
package import StoreLayout
package import StoreDiagnostics
import StoreModel

/// Whole rows of some entities, on their way out.
package struct Export {
  private(set) var entities: [EntityLayout]
  let layout: StoreLayout
  private let format: RowFormat
  private var isOfChosen = false
  private let style: RowStyle

  /// - Parameter names: entities, each with its sub-entities; none means all.
  /// - Throws: `ModelLookupError`; `ExportError` for several kinds of row in a format that has one
  ///   set of columns.
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
      throw ExportError.severalEntities(entities.map(\.name), format)
    }
  }

  /// Leaves all other rows out. In a format that takes several entities, rows come along that the model requires as
  /// partners; all other relationships to rows that are left out are, too.
  ///
  /// - Parameter matching: rows of `entity` and of those below it.
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

  /// Writes all rows, an entity after the other.
  ///
  /// - Parameter progress: called now and then with the rows written so far.
  /// - Throws: what `RowStream` throws.
  package func write(
    from connection: Connection, _ context: RowContext, to sink: some ByteSink,
    progress: (Int) -> Void = { _ in }
  ) throws {
    if format == .json {
      let array = JSONArraySink(sink)
      try writeRows(as: .ndjson, from: connection, context, to: array, progress)
      try array.finish()
    } else {
      try writeRows(as: format, from: connection, context, to: sink, progress)
    }
  }

  private func writeRows(
    as format: RowFormat, from connection: Connection, _ context: RowContext,
    to sink: some ByteSink, _ progress: (Int) -> Void
  ) throws {
    var written = 0
    for entity in entities {
      let query = ExportQuery(entity, in: layout, isOfChosen: isOfChosen).compiled()
      try withoutActuallyEscaping(progress) { progress in
        let stream = RowStream(query, on: connection) { [written] in progress(written + $0) }
        written += try stream.writeAll(
          as: format, style: style, context: context, to: sink)
      }
    }
  }
}

extension RowFormat {
  /// Others have one set of columns.
  package var takesSeveralEntities: Bool {
    switch self {
    case .json, .ndjson: true
    case .csv, .tsv, .table, .vertical, .markdown: false
    }
  }
}

/// Why rows can't be exported together.
package enum ExportError: DiagnosableError, Hashable {
  case severalEntities([String], RowFormat)

  package var diagnostics: [Diagnostic] {
    switch self {
    case .severalEntities(let names, let format):
      [
        Diagnostic(
          .error, "export.several-entities",
          "\(format.rawValue) has one set of columns, but these are several entities: "
            + names.joined(separator: ", "),
          cause: .usage, help: [.request(.exportOneEntity)])
      ]
    }
  }
}
