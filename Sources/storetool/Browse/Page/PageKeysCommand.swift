import ArgumentParser
import RecordFormats
import StoreEngine
import StoreCore

/// `storetool page-keys`, for the page of `browse`: prints the primary keys of all rows of a request in order, and the
/// progress.
struct PageKeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page-keys", _superCommandName: Storetool.name,
    abstract: "List keys for the page of 'browse'.", shouldDisplay: false)

  @OptionGroup var request: PageRequest

  private static let interval = Duration.milliseconds(100)

  func run() throws {
    let (store, prepared) = try request.prepared()
    let rows = try KeyedRows(prepared.request, texts: prepared.texts, in: store.context())
    try store.store.read { connection in
      try OutputFile.standard.write(
        "{\"rows\":\(rows.tableSize(on: connection))}\n")
      var last = ContinuousClock.now
      try rows.keys(
        on: connection,
        work: { scanned in
          let now = ContinuousClock.now
          guard now - last >= Self.interval else { return }
          last = now
          // Errors are ignored here. If the reader has closed the output, writing the next keys fails.
          Terminal.out.send("{\"scanned\":\(scanned)}\n")
        },
        { keys in
          var out = ByteBuffer()
          out.append("{\"keys\":[")
          for (index, key) in keys.enumerated() {
            if index > 0 { out.append(",") }
            out.append(decimal: key)
          }
          out.append("]}\n")
          try OutputFile.standard.write(out.bytes)
        })
    }
  }
}
