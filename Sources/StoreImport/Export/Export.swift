package import RecordFormats
package import SQLiteAccess
package import StoreEngine
package import StoreLayout
package import StoreDiagnostics
import StoreModel

/// Whole rows of some entities, on their way out.
package struct Export {
  let entities: [EntityLayout]
  let layout: StoreLayout
  private let format: RowFormat

  /// - Parameter names: entities, each with its sub-entities; none means all.
  /// - Throws: `ModelLookupError`; `ExportError` for several kinds of row in a format that has one
  ///   set of columns.
  package init(of names: [String], in layout: StoreLayout, as format: RowFormat) throws {
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
    guard entities.count > 1 else { return }
    switch format {
    case .json, .ndjson: return
    case .csv, .tsv, .table, .markdown:
      throw ExportError.severalEntities(entities.map(\.name), format)
    }
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
      let query = ExportQuery(entity, in: layout).compiled()
      try withoutActuallyEscaping(progress) { progress in
        let stream = RowStream(query, on: connection) { [written] in progress(written + $0) }
        written += try stream.writeAll(as: format, context: context, to: sink)
      }
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
