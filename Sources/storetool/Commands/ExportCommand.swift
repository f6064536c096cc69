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
      parents' rows and sub-entities' alike. CSV takes one entity.

        storetool export > all.ndjson
        storetool export Product --format csv > products.csv
      """)

  @Argument(help: "The entities to write. Default: all.")
  var entities: [String] = []

  @OptionGroup var options: StoreOptions

  @Option(name: .long, help: "ndjson, json, csv or another row format. Default: ndjson.")
  var format = RowFormat.ndjson

  func run() throws {
    let subject = entities.first.map(Subject.entity) ?? .nothing
    let store = try Workspace(options).openStore(having: subject)
    let export = try Export(of: entities, in: store.layout, as: format)
    try Progress("rows", besides: Terminal.out).following { report in
      try store.store.read { connection in
        try export.write(
          from: connection, store.context(), to: OutputFile.standard, progress: report)
      }
    }
  }
}
