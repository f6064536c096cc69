public import StoreDiagnostics

/// What is wanted of a migration.
public struct MigrationSettings: Hashable, Sendable {
  /// Where a copy of the store is put before anything changes.
  public enum Backup: Hashable, Sendable {
    /// `STORE.<version>.<UTC>.backup` beside the store.
    case beside
    /// At a path where nothing is yet.
    case at(FilePath)
    case none
  }

  public var backup: Backup
  /// What may be dropped, where the target has no place for it. Any other loss stops the migration.
  public var allowedLosses: AllowedLosses
  /// What may stand among them without being lost, beside what the migration knows: names of other
  /// versions.
  package var otherNames: Set<String> = []
  /// Whether rows are compared before and after.
  public var proves: Bool

  public init(
    backup: Backup = .beside, allowedLosses: AllowedLosses = .none, proves: Bool = true
  ) {
    self.backup = backup
    self.allowedLosses = allowedLosses
    self.proves = proves
  }
}
