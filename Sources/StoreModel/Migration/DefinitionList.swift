import StoreDiagnostics

/// Definitions as values of the program.
struct DefinitionList: DefinitionSource {
  private let definitions: [MigrationDefinition]
  /// Of the versions.
  private let names: [String]

  init(_ definitions: [MigrationDefinition], of names: [String]) {
    self.definitions = definitions
    self.names = names
  }

  var jumps: [VersionJump] {
    definitions.map(\.jump).filter {
      names.containsExactly($0.from) && names.containsExactly($0.to)
    }
  }

  var warnings: [Diagnostic] { faults.map { Diagnostic(.warning, $0.code, $0.message) } }

  func definition(of jump: VersionJump) throws -> MigrationDefinition? {
    definitions.first { $0.jump == jump }
  }

  func path(of jump: VersionJump) -> FilePath? { nil }

  func requireSound(
    _ versions: [String], _ jumps: [VersionJump]
  ) throws(DiagnosticError) {
    let concerned = faults.filter { fault in
      jumps.contains(fault.jump)
        || !fault.isTwin
          && (versions.containsExactly(fault.jump.from) || versions.containsExactly(fault.jump.to))
    }
    guard concerned.isEmpty else {
      throw DiagnosticError(concerned.map { Diagnostic(.error, $0.code, $0.message) })
    }
  }

  private struct Issue {
    let jump: VersionJump
    let code: String
    let message: String
    /// Whether it is the second one between its versions.
    let isTwin: Bool
  }

  private var faults: [Issue] {
    definitions.indices.compactMap { index in
      let jump = definitions[index].jump
      let ends = "from '\(jump.from)' to '\(jump.to)'"
      if let unknown = [jump.from, jump.to].first(where: { !names.containsExactly($0) }) {
        return Issue(
          jump: jump, code: "migration.unknown-version",
          message: "the definition \(ends) names '\(unknown)', which is no version of the model",
          isTwin: false)
      }
      guard definitions[..<index].contains(where: { $0.jump == jump }) else { return nil }
      return Issue(
        jump: jump, code: "migration.twice", message: "there are two definitions \(ends)",
        isTwin: true)
    }
  }
}
