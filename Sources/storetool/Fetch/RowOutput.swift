import PredicateSQL
import RecordFormats
import SQLiteAccess
import StoreDiagnostics
import StoreCore
import StoreModel

/// Prints the result of a request on standard output.
struct RowOutput {
  let options: FormatOptions

  /// - Returns: Whether the result is empty, or the count is 0.
  /// - Throws: An error of compiling or running the request, or of writing its result.
  @discardableResult
  func print(_ prepared: PreparedRequest, from store: OpenStore) throws -> Bool {
    var query = try prepared.query(in: store)
    // Scripts expect a plain number and plain IDs unless they specify a format.
    let isCount = prepared.request.result == .count
    let isBare = (isCount || prepared.request.result == .objectIDs) && options.format == nil
    // `json` would print an array, but a count is a single object.
    let format = isCount && options.resolved == .json ? .ndjson : options.resolved
    let unread = UnreadValues()
    var isEmpty = false
    let style = style(isBare: isBare)
    try Progress("rows", besides: Terminal.out).following { report in
      try store.store.read { connection in
        if isCount {
          // The scan runs once. Its result is written as the row of another query.
          let count = try connection.rows(query.sql).first?.first ?? .integer(0)
          query.sql = "SELECT \(value: count)"
          isEmpty = count == .integer(0)
        }
        let count = try RowStream(query, on: connection, progress: report).writeAll(
          as: isBare ? .tsv : format, sectioned: prepared.request.sections != nil,
          style: style, context: store.context(counting: unread),
          to: OutputFile.standard(for: format))
        if !isCount { isEmpty = count == 0 }
      }
    }
    Terminal.noteLeftOut(of: style)
    Terminal.report(unread.warnings(beside: store.store))
    return isEmpty
  }

  private func style(isBare: Bool) -> RowStyle {
    var style = options.style
    style.hasHeader = style.hasHeader && !isBare
    style.showsNull = true
    return style
  }

  /// Prints object IDs of committed rows, one per line unless a format is specified. Cancelling the process doesn't
  /// stop this.
  ///
  /// - Throws: An error of running or writing the query.
  func printIDs(_ query: CompiledQuery, from store: OpenStore) throws {
    let never = Cancellation()
    try store.store.read(cancellation: never) {
      try printIDs(query, from: store, on: $0, cancellation: never)
    }
  }

  /// Prints object IDs within an existing transaction.
  func printIDs(
    _ query: CompiledQuery, from store: OpenStore, on connection: Connection,
    cancellation: Cancellation = .ofProcess
  ) throws {
    let isBare = options.format == nil
    _ = try RowStream(query, on: connection, cancellation: cancellation).writeAll(
      as: isBare ? .tsv : options.resolved, style: style(isBare: isBare),
      context: store.context(), to: OutputFile.standard(for: options.resolved))
  }
}

extension OutputFile {
  /// Returns standard output for a format. Formats for people escape control characters in values themselves, and write
  /// unescaped ones for colors.
  static func standard(for format: RowFormat) -> OutputFile {
    format.isForPeople ? .styled : .standard
  }
}
