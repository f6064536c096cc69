import ArgumentParser
import StoreMigration

/// What a migration may lose, and what it does to be safe.
struct MigrationSettingsOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Drop what the target has no place for: Item.note,Item.tags, or all.", valueName: "names"))
  var allowLoss: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Where the backup goes. Default: STORE.<version>.<UTC>.backup beside the store.",
      valueName: "path"),
    completion: .file())
  var backup: String?

  @Flag(name: .long, help: "Make no backup.")
  var noBackup = false

  @Flag(name: .long, help: "Do not compare the rows before and after.")
  var noProof = false

  func validate() throws {
    if noBackup && backup != nil {
      throw ValidationError("--backup and --no-backup exclude each other")
    }
  }

  func settings(for source: MigrationSource) -> MigrationSettings {
    let allowed = allowLoss.map { AllowedLosses($0) } ?? .some([])
    return MigrationSettings(
      backup: noBackup ? .none : backup.map(MigrationSettings.Backup.at) ?? .beside,
      allowedLosses: allowed, otherNames: source.found.namesOfVersions(for: allowed),
      proves: !noProof)
  }
}
