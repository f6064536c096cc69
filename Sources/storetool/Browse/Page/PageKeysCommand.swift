import ArgumentParser
import RecordFormats
import StoreEngine

/// `storetool page-keys`, for the page of `browse`: the keys of all rows in their order, and how far the search has come.
struct PageKeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page-keys", _superCommandName: Storetool.name,
    abstract: "Lists keys for the page of 'browse'.", shouldDisplay: false)

  @OptionGroup var request: PageRequest

  private static let interval = Duration.milliseconds(100)

  func run() throws {
    let (store, prepared) = try request.prepared()
    let rows = try KeyedRows(prepared.request, texts: prepared.texts, in: store.context())
    try store.store.read { connection in
      try OutputFile.standard.write(line: "{\"rows\":\(try rows.tableSize(on: connection))}")
      var last = ContinuousClock.now
      try rows.keys(
        on: connection,
        work: { scanned in
          let now = ContinuousClock.now
          guard now - last >= Self.interval else { return }
          last = now
          // Who has gone is found out by the next keys, or has ended this process.
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

extension OutputFile {
  /// - Throws: `OutputClosed`, `OutputFailure`
  func write(line: String) throws {
    var text = line + "\n"
    try text.withUTF8 { try write($0) }
  }
}
