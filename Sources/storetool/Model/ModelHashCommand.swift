import ArgumentParser
import StoreLayout

/// `storetool model hash`
struct ModelHashCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hash",
    abstract: "Prints the version hash of every entity.",
    discussion: """
      The hashes are those that Core Data writes into a store, as base64.

        storetool model hash Models/Todo.xcdatamodeld --model-version 'Todo 2'
      """)

  @OptionGroup var model: ModelArgument
  @OptionGroup var format: FormatOptions

  func run() throws {
    let model = try model.workspace.currentModel().model
    try FactWriter(format).print(HashFacts.all(of: model))
    for note in VersionHash.notes(on: model) { Terminal.note(note.message, code: "hash.assumed") }
  }
}
