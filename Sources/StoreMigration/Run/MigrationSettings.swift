public import StoreDiagnostics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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

extension MigrationSettings.Backup {
  /// The names that the backup may get, the next where one is taken; empty where none is made.
  func paths(of store: FilePath, version: String, at date: Date) -> [FilePath] {
    switch self {
    case .none: return []
    case .at(let path): return [path]
    case .beside:
      let version = String(version.map { $0 == "/" || $0 == "\0" ? "_" : $0 })
      let stem: FilePath = "\(store).\(version).\(Self.timestamp(of: date))"
      // Two migrations within a second need two names.
      return ["\(stem).backup"]
        + (2...20).map { (number: Int) in "\(stem)-\(String(number)).backup" }
    }
  }

  /// `20260131T174501Z`
  static func timestamp(of date: Date) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second], from: date)
    func digits(_ number: Int?, _ count: Int) -> String {
      let text = String(number ?? 0)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return digits(parts.year, 4) + digits(parts.month, 2) + digits(parts.day, 2) + "T"
      + digits(parts.hour, 2) + digits(parts.minute, 2) + digits(parts.second, 2) + "Z"
  }
}
