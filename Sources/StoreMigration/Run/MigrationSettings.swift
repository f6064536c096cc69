public import StoreDiagnostics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The settings of a migration.
public struct MigrationSettings: Hashable, Sendable {
  /// The location of the copy that is created before the migration.
  public enum Backup: Hashable, Sendable {
    /// A file in the store's folder, with the name `STORE.<version>.<UTC>.backup`, or `…-2.backup` if this file exists.
    case beside
    /// A path, at which no file may exist.
    case at(LocalPath)
    /// No backup.
    case none
  }

  /// The location of the backup.
  public var backup: Backup
  /// The rows and values that may be dropped if the target can't represent them. Any other loss stops the migration.
  public var allowedLosses: AllowedLosses
  /// Additional names that are valid in `allowedLosses`, because they exist in other versions.
  package var otherNames: Set<String> = []
  /// Whether the migration compares rows before and after, which is its proof that no data was lost.
  public var proves: Bool

  /// Creates settings for a migration.
  ///
  /// - Parameters:
  ///   - backup: the location of the backup.
  ///   - allowedLosses: the rows and values that may be dropped.
  ///   - proves: whether the migration compares rows before and after.
  public init(
    backup: Backup = .beside, allowedLosses: AllowedLosses = .none, proves: Bool = true
  ) {
    self.backup = backup
    self.allowedLosses = allowedLosses
    self.proves = proves
  }
}

extension MigrationSettings.Backup {
  /// Returns the possible paths of the backup, in order of preference. Empty if no backup is created.
  func paths(of store: LocalPath, version: String, at date: Date) -> [LocalPath] {
    switch self {
    case .none: return []
    case .at(let path): return [path]
    case .beside:
      let version = String(version.map { $0 == "/" || $0 == "\0" ? "_" : $0 })
      let stem: LocalPath = "\(store).\(version).\(Self.timestamp(of: date))"
      // Two migrations within a second require different names.
      return ["\(stem).backup"]
        + (2...20).map { (number: Int) in "\(stem)-\(String(number)).backup" }
    }
  }

  /// Returns a time in UTC, such as `20260131T174501Z`.
  static func timestamp(of date: Date) -> String {
    Date.ISO8601FormatStyle().dateSeparator(.omitted).timeSeparator(.omitted).format(date)
  }
}
