import StoreDiagnostics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
