package import StoreDiagnostics
package import StoreModel

/// The file of a migration between two versions of a model, which is read on demand.
package struct DefinitionFile: Hashable, Sendable {
  package enum Form: Hashable, Sendable {
    case definition
    /// Core Data's mapping model.
    case mappingModel
  }

  package let path: LocalPath
  package let form: Form
  /// The name of the version from which the file migrates. `to` is the version to which it migrates.
  package let from: String
  package let to: String

  var jump: VersionJump { VersionJump(from: from, to: to) }

  /// Reads and parses the file. Each call parses it again.
  ///
  /// - Throws: `ModelBundleError` if the file can't be read, `XMLError` if its XML is malformed, or `DiagnosticError`
  ///   with all errors of an invalid definition, or with an error for each part of a mapping model that can't be
  ///   converted.
  package func read() throws -> MigrationDefinition {
    let source = XMLSource(file: "\(path)", bytes: try ModelPath.bytes(of: path))
    guard form == .definition else { return try MappingModelReading.read(source).complete() }
    let definition = try MigrationDefinition(reading: source)
    let mistakes = [
      mistake(in: definition.from, "from", fileSays: from),
      mistake(in: definition.to, "to", fileSays: to),
    ].compactMap { $0 }
    guard mistakes.isEmpty else { throw DiagnosticError(mistakes) }
    return definition
  }

  /// Returns an error if the version in the content isn't the one in the file name, for example because the file was
  /// copied or renamed.
  private func mistake(
    in name: Written<String>, _ attribute: String, fileSays version: String
  ) -> DiagnosticMessage? {
    guard !name.meaning.isExactly(version) else { return nil }
    let problem = DefinitionIssue.otherVersion(
      name.meaning, attribute: attribute, fileSays: version)
    return name.place.locate(problem.diagnostic)
  }
}
