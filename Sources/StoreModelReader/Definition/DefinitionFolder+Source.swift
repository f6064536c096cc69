package import StoreDiagnostics
package import StoreModel

extension DefinitionFolder: DefinitionSource {
  package var jumps: [VersionJump] { files.map(\.jump) }

  package var warnings: [Diagnostic] { faults.flatMap(\.warnings) }

  package func definition(of jump: VersionJump) throws -> MigrationDefinition? {
    try file(from: jump.from, to: jump.to)?.read()
  }

  package func path(of jump: VersionJump) -> FilePath? {
    file(from: jump.from, to: jump.to)?.path
  }
}
