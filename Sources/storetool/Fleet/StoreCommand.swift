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

/// A command that runs for one store after the other.
struct StoreCommandLine {
  private let words: StoreWords
  /// The command as it was parsed for the store before; nil when its words differ between stores.
  private var parsed: (any StoreCommand)?

  init(_ words: StoreWords) {
    self.words = words
  }

  /// - Throws: `FleetError`
  func words(for store: FilePath) throws(FleetError) -> [String] {
    try words.arguments(for: store)
  }

  /// - Throws: what the parser throws; `FleetError`.
  mutating func command(for store: FilePath) throws -> any ParsableCommand {
    if var command = parsed {
      command.options.store = store
      return command
    }
    let command = try Storetool.command(of: words(for: store)[...])
    if words.areFixed { parsed = command as? any StoreCommand }
    return command
  }
}
