import RecordFormats
import SQLiteAccess
import StoreDiagnostics
import StoreEngine
import StoreModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Shows the rows of a request as they change, until the user has seen enough.
struct WatchOutput {
  private let format: RowFormat
  private let request: PreparedRequest
  private let store: OpenStore

  init(_ options: FormatOptions, _ request: PreparedRequest, of store: OpenStore) {
    format = options.resolved
    self.request = request
    self.store = store
  }

  /// Ends with Ctrl-C or `kill`, or when nobody reads any more.
  ///
  /// - Throws: what compiling, reading and writing throw.
  func run() throws {
    Signals.cancelOnInterrupt()
    do {
      var rows = try LiveRows.watching(
        request.request, texts: request.texts, of: store.store.path,
        in: store.context(counting: UnreadFiles()))
      // It has said what it knows; the rows have a connection of their own.
      try store.store.close()
      try show(rows, changing: nil)
      while true {
        usleep(Self.pause)
        try Cancellation.ofProcess.check()
        let old = rows.list
        if try rows.update() != nil { try show(rows, changing: old) }
      }
    } catch is Cancelled {
      Terminal.exit(.cancelled)
    } catch DatabaseError.cancelled {
      Terminal.exit(.cancelled)
    }
  }

  /// Between two looks, in microseconds.
  private static let pause: UInt32 = 10_000

  /// - Parameter old: the list that was shown before.
  private func show(_ rows: LiveRows, changing old: ResultList?) throws {
    switch format {
    case .table: try redraw(rows)
    case .ndjson, .json, .csv, .tsv, .markdown:
      try ChangeRecords(rows).write(since: old, to: OutputFile.standard)
    }
  }

  /// As many rows as a terminal shows; all of them into a file.
  private func redraw(_ rows: LiveRows) throws {
    var shown = request
    if let height = Terminal.out.height {
      Terminal.out.send("\u{1B}[H\u{1B}[2J")
      // A header, its line, headings, and the summary below.
      let room = max(height - 4 - 2 * rows.list.sections.count, 1)
      shown.request.limit = min(room, shown.request.limit ?? room)
    }
    let query = try shown.query(in: store)
    try rows.read { connection in
      _ = try RowStream(query, on: connection).writeAll(
        as: .table, sectioned: request.request.sections != nil,
        context: store.context(counting: UnreadFiles()),
        to: OutputFile.standard)
    }
    let sections = request.request.sections == nil ? "" : ", sections: \(rows.list.sections.count)"
    Terminal.out.write("rows: \(rows.list.count)\(sections)\n")
  }
}

extension Terminal.Stream {
  /// In lines; nil for what is not a terminal.
  var height: Int? {
    guard isTerminal else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return 24 }
    return Int(size.ws_row)
  }
}
