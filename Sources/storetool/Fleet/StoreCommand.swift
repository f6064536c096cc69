import StoreDiagnostics
import ArgumentParser

/// A command that reads its words once for all stores: to parse them takes as long as a short command itself.
protocol StoreCommand: ParsableCommand {
  var options: StoreOptions { get set }
}

extension ApplyTemplateCommand: StoreCommand {}
extension BatchDeleteCommand: StoreCommand {}
extension BatchInsertCommand: StoreCommand {}
extension ExportCommand: StoreCommand {}
extension FetchCommand: StoreCommand {}
extension HistoryCommand: StoreCommand {}
extension ImportCommand: StoreCommand {}
extension InfoCommand: StoreCommand {}
extension InsertCommand: StoreCommand {}
extension MigrateStatusCommand: StoreCommand {}
extension ShowCommand: StoreCommand {}
extension TemplatesCommand: StoreCommand {}
extension VerifyCommand: StoreCommand {}

/// The words of a command that is run for one store after the other.
struct StoreCommandLine {
  private let words: [String]
  /// How it writes its rows; nil where it has no formats, or its own is meant.
  private let rows: String?
  /// As it was parsed for the store before; nil where its words are others for each store.
  private var parsed: (any StoreCommand)?

  init(_ words: [String], rows: String?) {
    self.words = words
    self.rows = rows
  }

  func words(for store: FilePath) -> [String] {
    FleetWork.arguments(words, for: store, rows: rows)
  }

  /// - Throws: what the parser throws.
  mutating func command(for store: FilePath) throws -> any ParsableCommand {
    if var command = parsed {
      command.options.store = store
      return command
    }
    let command = try Storetool.command(of: words(for: store)[...])
    if !words.contains(where: StorePlaceholder.isIn) { parsed = command as? any StoreCommand }
    return command
  }
}
