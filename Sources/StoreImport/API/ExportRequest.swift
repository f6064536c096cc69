import PredicateSQL
import RecordFormats
import StoreCore
import StoreDiagnostics
import StoreEngine
import StoreLayout
public import StoreModel
public import StorePredicate

/// The rows of an export. Each row is a record with `$entity`, `$id`, its attributes, its to-one relationships as
/// object IDs, and its to-many relationships as arrays of object IDs. `importRecords` reads the records.
public struct ExportRequest: Hashable, Sendable {
  /// The names of the entities, whose subentities are included. If it is empty, all entities are exported.
  public var entities: [String]
  /// The rows of the entity to export. It requires one entity. In JSON and NDJSON, related rows that the model requires
  /// are exported too, and references to other rows are omitted.
  public var predicate: FormatPredicate?
  /// Whether the export fails if the external file of a value is missing, or if a row has an unknown entity. Otherwise
  /// such values become null, and such rows are omitted.
  public var isStrict = true

  /// Creates a request for all rows of entities.
  ///
  /// - Parameters:
  ///   - entities: the names of the entities. If it is empty, all entities are exported.
  ///   - predicate: the rows of the entity to export.
  public init(_ entities: [String] = [], predicate: FormatPredicate? = nil) {
    self.entities = entities
    self.predicate = predicate
  }

  /// Creates a request for the rows that match a condition.
  ///
  ///     ExportRequest(Order.self, where: \.amount > 100)
  ///
  /// - Parameters:
  ///   - type: the type of the rows.
  ///   - condition: the condition.
  public init<Object: StoredObject>(_ type: Object.Type, where condition: TypedCondition<Object>) {
    self.init([Object.entityName], predicate: condition.predicate)
  }
}

/// The formats of an export. CSV and TSV contain the rows of one entity that has no subentities.
public enum ExportFormat: String, Hashable, Sendable, CaseIterable {
  /// A JSON object in each line.
  case ndjson
  /// An array of JSON objects.
  case json
  /// Fields separated by commas, after a header with the names of the properties.
  case csv
  /// Fields separated by tabs, with `\t`, `\n`, `\r` and `\\` as escapes.
  case tsv
}

/// The result of an export to a file.
public struct ExportResult: Hashable, Sendable {
  /// The number of exported rows.
  public var rows: Int
  /// The numbers of rows that are exported only because required relationships lead to them, by entity.
  public var required: [String: Int]
  /// The numbers of rows that aren't exported although exported rows refer to them, by `Entity.relationship`.
  public var omitted: [String: Int]
  /// The number of values that are null in the export, because their external file is missing or can't be read. It is 0
  /// in a strict export.
  public var unreadValues: Int
  /// The number of rows of unknown entities, which aren't exported. It is 0 in a strict export.
  public var strayRows: Int
}

extension ExportRequest {
  /// Writes the rows of the request.
  ///
  /// - Throws: `StoreError`, `CheckErrors`, `ModelLookupError`, `DiagnosticError`, `OutputError`, `DatabaseError`,
  ///   `ExternalValueMissing`, `Cancelled`
  func write(
    _ reading: ReadingContext, as format: ExportFormat, to sink: some ByteSink,
    _ progress: (@Sendable (BatchProgress) -> Void)?
  ) throws -> ExportResult {
    var style = RowStyle()
    style.showsNull = true
    var export = try Export(
      of: entities, in: reading.layout, as: format.rowFormat, style: style)
    let unread = UnreadValues()
    let context = RowContext(
      layout: reading.layout, store: reading.store.metadata.uuid,
      externalFolder: ExternalFolder(
        path: reading.store.externalDataFolder, counting: isStrict ? nil : unread))
    let summary: Export.Summary
    do {
      summary = try export.run(
        choosing: matchingRows(reading), isStrict: isStrict, from: reading.connection, context,
        to: sink, cancellation: reading.cancellation
      ) { progress?(BatchProgress(rows: $0)) }
    } catch let error as StrayRows {
      throw StoreError(.damaged, error.diagnostics)
    } catch let error as OutputError {
      throw StoreError(.inputOutput, error.diagnostics)
    }
    progress?(BatchProgress(rows: summary.count, total: summary.count))
    let counts = unread.counts
    return ExportResult(
      rows: summary.count, required: summary.selection?.required.byName ?? [:],
      omitted: summary.selection?.leftOut.byName ?? [:],
      unreadValues: counts.missing + counts.notFollowed + counts.unreadable,
      strayRows: summary.stray.reduce(0) { $0 + Int($1.count) })
  }

  private func matchingRows(
    _ reading: ReadingContext
  ) throws -> (rows: MatchingRows, entity: EntityLayout)? {
    guard let predicate else { return nil }
    guard entities.count == 1, let name = entities.first else {
      throw StoreError(
        .invalidRequest,
        [
          DiagnosticMessage(
            .error, "export.predicate-entities", "a predicate requires one entity", cause: .usage)
        ])
    }
    guard let entity = reading.layout.entity(named: name) else { return nil }
    var request = StoreFetchRequest(entity: name)
    request.predicate = predicate
    let rows = try request.matchingRows(
      in: reading.layout, storeUUID: reading.store.metadata.uuid, texts: RequestTexts())
    return (rows, entity)
  }
}

extension ExportFormat {
  fileprivate var rowFormat: RowFormat {
    switch self {
    case .ndjson: .ndjson
    case .json: .json
    case .csv: .csv
    case .tsv: .tsv
    }
  }
}

extension [ExportSelection.Count] {
  fileprivate var byName: [String: Int] {
    reduce(into: [:]) { $0[$1.name, default: 0] += Int($1.count) }
  }
}
