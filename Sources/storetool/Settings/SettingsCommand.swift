import ArgumentParser
import StoreDiagnostics
import StoreModelReader

struct SettingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings", _superCommandName: Storetool.name,
    abstract: "Show the settings that commands use, and where they are specified.",
    discussion: """
      The settings are the model, the store, the folder of migrations, and the codes of findings to ignore. A command \
      uses the first of these sources: its options, the environment variables $STORETOOL_MODEL and $STORETOOL_STORE, \
      the file at $STORETOOL_SETTINGS or else the storetool.json in the working directory or in the nearest parent \
      folder that contains one, and a search for models and stores. Paths in the file are relative to its folder:

        {"model": "App/Model.xcdatamodeld", "store": "Fixtures/App.sqlite",
         "migrations": "App/Migrations", "ignore": ["model.same-hash"]}

        storetool settings
      """)

  @OptionGroup var format: FormatOptions

  func run() throws {
    try FactWriter(format).print(SettingsFacts.facts(of: Workspace(modelPath: nil)))
  }
}

/// The output of `settings`: one record for each setting, with its source.
enum SettingsFacts {
  private struct Record: Encodable {
    let setting: String
    let value: String?
    let from: String
  }

  /// - Throws: An error in the settings file, or an error of searching for models and stores.
  static func facts(of workspace: Workspace) throws -> Facts {
    let settings = try Settings.inForce()
    var records: [Record] = []
    func add(_ setting: String, _ value: String?, _ source: String) {
      records.append(Record(setting: setting, value: value, from: source))
    }
    let file = settings.file.map { "\($0)" } ?? ""
    /// Adds the value of a variable or of the settings file, otherwise a record for each value that a search finds, or
    /// one record if it doesn't find any.
    func add(
      _ setting: String, _ variable: String, _ value: LocalPath?, _ search: () throws -> [LocalPath]
    ) rethrows {
      if let path = LocalPath(variable: variable) {
        add(setting, "\(path)", "$\(variable)")
      } else if let value {
        add(setting, "\(value)", file)
      } else {
        let found = try search()
        if found.isEmpty { add(setting, nil, "not found") }
        for path in found { add(setting, "\(path)", "found") }
      }
    }
    try add("model", Workspace.modelVariable, settings.model) { try modelPaths(in: workspace) }
    try add("store", Workspace.storeVariable, settings.store, workspace.storePaths)
    if let migrations = settings.migrations {
      add("migrations", "\(migrations)", file)
    } else {
      add("migrations", nil, "next to the folder of the model")
    }
    for ignored in settings.ignored { add("ignore", ignored.text, file) }
    return .records(columns: ["setting", "value", "from"], records)
  }

  /// Returns the paths of the models. Missing models aren't an error here.
  private static func modelPaths(in workspace: Workspace) throws -> [LocalPath] {
    do {
      return try workspace.bundles().map(\.path)
    } catch let error as any DiagnosableError where error.diagnostics.first?.cause == .notFound {
      return []
    }
  }
}
