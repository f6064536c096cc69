import StoreDiagnostics
import ArgumentParser
import StoreModelReader

/// `storetool model lock`
struct ModelLockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Writes down the hashes of released versions.",
    discussion: """
      Adds every version that is not there yet to Migrations/<Model>.lock, a line each; with \
      --released all but the current one, which may be unfinished, and with --model-version only \
      that one. Run it when you release: from then on 'model check' fails when \
      a version of the file is edited or removed. A line that is there is never changed: where the \
      version has another hash by now, nothing is written.

        storetool model lock
        storetool model lock --released
        storetool model lock Models/Todo.xcdatamodeld --model-version 'Todo 2'
      """)

  @OptionGroup var model: ModelArgument

  @Flag(
    name: .customLong("released"), help: "Leave out the current version, which may still change.")
  var leavesOutCurrent = false

  @OptionGroup var migrations: MigrationsOption
  @OptionGroup var format: FormatOptions

  func validate() throws {
    if leavesOutCurrent, model.options.modelVersion != nil {
      throw ValidationError(
        "--released and --model-version both say which versions; give one of them")
    }
  }

  func run() throws {
    let released = try model.workspace.bundles().map { bundle in
      try Release(of: versions(of: bundle), of: bundle, in: migrations.folder(of: bundle))
    }
    for release in released where !release.added.isEmpty { try release.lock.write() }
    try FactWriter(format).print(LockFacts.facts(of: released))
    for release in released {
      Terminal.report(release.notes)
      let count = release.added.count
      Terminal.err.write(
        "\(release.lock.path): \(count) \("version".plural(count)) added\n")
    }
  }

  private func versions(of bundle: ModelBundle) throws -> [ModelVersion] {
    if let version = model.options.modelVersion { return [try bundle.version(named: version)] }
    guard leavesOutCurrent else { return bundle.versions }
    let current = try bundle.requireCurrentVersion().name
    return bundle.versions.filter { !$0.name.isExactly(current) }
  }
}
