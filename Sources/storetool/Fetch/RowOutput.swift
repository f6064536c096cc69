import PredicateSQL
import RecordFormats
import SQLiteAccess
import StoreDiagnostics
import StoreCore
import StoreModel

/// Prints the result of a request on standard output.
struct RowOutput {
  let options: FormatOptions

  /// - Returns: whether there were no rows, or none to be counted.
  /// - Throws: what compiling, running and writing throw.
  @discardableResult
  func print(_ prepared: PreparedRequest, from store: OpenStore) throws -> Bool {
    let query = try prepared.query(in: store)
    // A bare number and bare IDs are what a script reads, unless it asks for a format.
    let isCount = prepared.request.result == .count
    let isBare = (isCount || prepared.request.result == .objectIDs) && options.format == nil
    // One count is one object, not a list of one.
    let format = isCount && options.resolved == .json ? .ndjson : options.resolved
    let unread = UnreadValues()
    var isEmpty = false
    let style = style(isBare: isBare)
    try Progress("rows", besides: Terminal.out).following { report in
      try store.store.read { connection in
        let count = try RowStream(query, on: connection, progress: report).writeAll(
          as: isBare ? .tsv : format, sectioned: prepared.request.sections != nil,
          style: style, context: store.context(counting: unread),
          to: OutputFile.standard(for: format))
        let isZero = { try connection.rows(query.sql).first?.first == .integer(0) }
        isEmpty = try isCount ? isZero() : count == 0
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

  /// Prints object IDs of what is committed, one a line unless a format is asked for.
  ///
  /// - Throws: what running and writing throw.
  func printIDs(_ query: CompiledQuery, from store: OpenStore) throws {
    let never = Cancellation()
    try store.store.read(cancellation: never) {
      try printIDs(query, from: store, on: $0, cancellation: never)
    }
  }

  /// The same within a transaction that is there already.
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
  /// Formats for people show control characters themselves, and have some of their own.
  static func standard(for format: RowFormat) -> OutputFile {
    format.isForPeople ? .styled : .standard
  }
}
