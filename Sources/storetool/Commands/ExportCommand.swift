import RecordFormats
import StoreImport
import ArgumentParser
import StoreDiagnostics
import StoreEngine

/// `storetool export`
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", _superCommandName: Storetool.name,
    abstract: "Writes whole rows with their relationships, for import to read.",
    discussion: """
      Each record has $entity and $id, its attributes, its to-one relationships as an object ID and \
      its to-many relationships as an array of them. Without ENTITY all entities are written, \
      parents' rows and sub-entities' alike. CSV takes one entity. A value whose file is not \
      beside the store is written as NULL and counted, rows that no entity has are left out and \
      counted; --strict makes both an error.

        storetool export > all.ndjson
        storetool export Product --format csv > products.csv
      """)

  @Argument(help: "The entities to write. Default: all.", completion: .furtherEntities)
  var entities: [String] = []

  @OptionGroup var options: StoreOptions

  @Flag(name: .long, help: ClosestOption.help)
  var closest = false

  @Option(name: .long, help: "ndjson, json, csv or another row format. Default: ndjson.")
  var format = RowFormat.ndjson

  @Flag(
    name: .long,
    help:
      "Stop at the first value whose file is not beside the store, and before rows that no entity has."
  )
  var strict = false

  func run() throws {
    let subject = entities.first.map(Subject.entity) ?? .nothing
    let store = try Workspace(options, closest: closest).openStore(having: subject)
    let export = try Export(of: entities, in: store.layout, as: format)
    let unread = UnreadFiles()
    var stray: [StrayRows] = []
    try Progress("rows", besides: Terminal.out).following { report in
      try store.store.read { connection in
        stray = try export.strayRows(on: connection)
        if strict, let first = stray.first { throw first }
        try export.write(
          from: connection, store.context(counting: strict ? nil : unread),
          to: OutputFile.standard, progress: report)
      }
    }
    let leftOut = stray.flatMap(\.diagnostics).map { diagnostic in
      var warning = diagnostic
      warning.severity = .warning
      return warning
    }
    Terminal.report(leftOut + unread.warnings(beside: store.store))
  }
}
