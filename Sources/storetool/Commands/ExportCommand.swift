import RecordFormats
import StoreImport
import ArgumentParser
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
      beside the store is written as NULL and counted; --strict makes it an error.

        storetool export > all.ndjson
        storetool export Product --format csv > products.csv
      """)

  @Argument(help: "The entities to write. Default: all.")
  var entities: [String] = []

  @OptionGroup var options: StoreOptions

  @Option(name: .long, help: "ndjson, json, csv or another row format. Default: ndjson.")
  var format = RowFormat.ndjson

  @Flag(name: .long, help: "Stop at the first value whose file is not beside the store.")
  var strict = false

  func run() throws {
    let subject = entities.first.map(Subject.entity) ?? .nothing
    let store = try Workspace(options).openStore(having: subject)
    let export = try Export(of: entities, in: store.layout, as: format)
    let unread = UnreadFiles()
    try Progress("rows", besides: Terminal.out).following { report in
      try store.store.read { connection in
        try export.write(
          from: connection, store.context(counting: strict ? nil : unread),
          to: OutputFile.standard, progress: report)
      }
    }
    Terminal.report(unread.warnings(beside: store.store))
  }
}
