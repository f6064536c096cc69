import RecordFormats
import SQLiteAccess
import StoreDiagnostics
import StoreCore
import StoreEngine
import StoreModel

/// Prints the rows of a request, and then each change until the user interrupts the command. The format `table` prints
/// the rows again after a change. Other formats print records of the changes.
struct WatchOutput {
  let options: FormatOptions
  let request: PreparedRequest
  let store: OpenStore

  private var format: RowFormat { options.resolved }

  /// Runs until Ctrl-C or `kill`. If the reader of the output has closed it, the command ends when it writes the next
  /// change.
  ///
  /// - Throws: An error of compiling the request, of reading the store, or of writing the rows.
  func run() throws {
    Signals.cancelOnInterrupt()
    do {
      var rows = try LiveRows.watching(
        request.request, texts: request.texts, of: store.store.path,
        in: store.context(counting: UnreadValues()))
      // `rows` opens its own connection, so this one isn't needed.
      try store.store.close()
      try show(rows, changing: nil)
      var size = Terminal.out.size
      while true {
        try Signals.pause(10_000)
        let old = rows.list
        if try rows.update() != nil {
          try show(rows, changing: old)
        } else if format == .table, let now = Terminal.out.size, size.map({ $0 != now }) ?? false {
          try redraw(rows)
        }
        size = Terminal.out.size
      }
    } catch is Cancelled, DatabaseError.cancelled {
      Terminal.exit(.cancelled)
    }
  }

  /// - Parameter old: The list before the change; nil if nothing has been shown yet.
  private func show(_ rows: LiveRows, changing old: ResultList?) throws {
    switch format {
    case .table: try redraw(rows)
    case .ndjson, .json, .csv, .tsv, .markdown, .vertical:
      try ChangeRecords(rows).write(since: old, to: OutputFile.standard)
    }
  }

  /// Shows as many rows as fit on the terminal. If the output isn't a terminal, all rows are written.
  private func redraw(_ rows: LiveRows) throws {
    var shown = request
    var style = options.style
    style.showsNull = true
    if Terminal.out.isTerminal {
      try OutputFile.styled.write("\u{1B}[H\u{1B}[2J")
      let room = room(for: rows.list.sections.map(\.count), style)
      shown.request.limit = min(room, shown.request.limit ?? room)
    }
    let query = try shown.query(in: store)
    try rows.read { connection in
      _ = try RowStream(query, on: connection).writeAll(
        as: .table, sectioned: isSectioned, style: style,
        context: store.context(counting: UnreadValues()), to: OutputFile.styled)
    }
    try OutputFile.standard.write(summary(of: rows, style) + "\n")
  }

  /// Returns the number of rows that fit on the terminal, in addition to the names of the sections, the table headers
  /// and the summary.
  ///
  /// - Parameter sections: The number of rows of each section.
  private func room(for sections: [Int], _ style: RowStyle) -> Int {
    let header = style.hasHeader ? 2 : 0
    // The summary, and the line of the cursor after it.
    var lines = Self.height - 2
    guard isSectioned else { return max(lines - header, 1) }
    var rows = 0
    for (index, count) in sections.enumerated() {
      // A blank line between sections, and the name of the section.
      lines -= (index == 0 ? 0 : 1) + 1 + header
      guard lines > 0 else { break }
      rows += min(count, lines)
      lines -= count
    }
    return max(rows, 1)
  }

  private func summary(of rows: LiveRows, _ style: RowStyle) -> String {
    var text = "rows: \(rows.list.count)"
    if isSectioned { text += ", sections: \(rows.list.sections.count)" }
    if let names = style.fit?.leftOut.names, !names.isEmpty {
      text += ", columns omitted: \(names.joined(separator: ", "))"
    }
    return style.fit.map { DisplayWidth.cut(text, to: $0.width) } ?? text
  }

  private var isSectioned: Bool { request.request.sections != nil }

  /// The assumed height of a terminal that doesn't report its size.
  private static let usualHeight = 24

  private static var height: Int {
    guard let lines = Terminal.out.size?.lines, lines > 0 else { return usualHeight }
    return lines
  }
}
