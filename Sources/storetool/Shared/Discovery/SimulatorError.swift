import StoreDiagnostics

/// Why no store of a simulator is found.
enum SimulatorError: Error, Hashable {
  /// Nil where not even the home folder is known.
  case noFolder(FilePath?)
  /// A property list that can't be decoded.
  case unreadable(FilePath)
  /// macOS may protect the folders of apps.
  case unreadableFolder(FilePath, reason: String)
  case unknown(String, root: FilePath, known: [String])
  case noStore(String, groups: [String])
}

extension SimulatorError: DiagnosableError {
  var diagnostics: [Diagnostic] { [diagnostic] }

  private var diagnostic: Diagnostic {
    switch self {
    case .noFolder(let path):
      Diagnostic(
        .error, "simulator.none",
        "there is no folder of simulators\(path.map { ": '\($0)'" } ?? "")", cause: .notFound,
        help: [
          "install a simulator in Xcode, or name a folder of devices: set \(Simulators.variable)"
        ])
    case .unreadable(let path):
      Diagnostic(
        .error, "simulator.unreadable", "'\(path)' is not a property list", cause: .invalid)
    case .unreadableFolder(let path, let reason):
      Diagnostic(
        .error, "simulator.unreadable", "the folder '\(path)' can't be read: \(reason)",
        cause: .inputOutput)
    case .unknown(let id, let root, let known):
      Diagnostic(
        .error, "simulator.unknown-app", "no simulator in '\(root)' has an app or group '\(id)'",
        cause: .notFound, help: ["'storetool simulators' lists the apps"]
      ).didYouMean(id, among: known)
    case .noStore(let id, let groups):
      Diagnostic(
        .error, "simulator.no-store", "'\(id)' has no Core Data store", cause: .notFound,
        help: groups.map { "an app group has one: --simulator \($0)" })
    }
  }
}
