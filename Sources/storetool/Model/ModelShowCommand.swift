import ArgumentParser
import RecordFormats
import StoreDiagnostics
import StoreModelReader

/// `storetool model show`
struct ModelShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Prints the whole compiled model.",
    discussion: """
      Every entity with its attributes, relationships, indexes and constraints, inherited ones \
      included, and the fetch-request templates. An outline has one line for each of them, for \
      'git diff' (see 'git install'); of a file that can't be read as a model it is the file itself, with a note.

        storetool model show Models/Company.xcdatamodeld
        storetool model show Models/Company.xcdatamodeld --format json
        storetool model show Models/Company.xcdatamodeld --format outline
      """)

  @OptionGroup var model: ModelArgument

  @Option(
    name: .long,
    help: "How to write the result. Default: table on a terminal, ndjson into a pipe.")
  var format: ShowFormat?

  @OptionGroup var table: TableOptions

  func run() throws {
    switch format ?? .facts(.standard) {
    case .outline: try writeOutline()
    case .facts(let format):
      let facts = ModelFacts(of: try model.workspace.currentModel())
      try FactWriter(format, table.style).print(.page(facts))
    }
  }

  private func writeOutline() throws {
    let version = try model.workspace.currentVersion()
    do {
      try OutputFile.standard.write(ModelOutline(of: version.read().model).text)
    } catch let error as any DiagnosableError {
      // Git would stop at a failure, and old revisions are as they are.
      guard let bytes = try version.rawBytes() else { throw error }
      Terminal.report(
        error.diagnostics.prefix(1).map {
          var note = $0.asNote("shown as it is")
          (note.help, note.excerpt) = ([], nil)
          return note
        })
      try bytes.withUnsafeBufferPointer(OutputFile.standard.write)
    }
  }
}
