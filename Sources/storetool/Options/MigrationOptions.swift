import ArgumentParser
import StoreMigration

/// Between which versions, by which definitions, at what price.
struct MigrationOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The version to migrate to, older ones too. Default: the bundle's current one.",
      valueName: "version"))
  var to: String?

  @OptionGroup var migrations: MigrationsOption

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

  var settings: MigrationSettings {
    MigrationSettings(
      backup: noBackup ? .none : backup.map(MigrationSettings.Backup.at) ?? .beside,
      allowedLosses: allowLoss.map { AllowedLosses($0) } ?? .some([]), proves: !noProof)
  }
}
