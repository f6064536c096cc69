package import StoreDiagnostics
package import StoreModel

/// A file that says how one version of a model becomes another, not read yet.
package struct DefinitionFile: Hashable, Sendable {
  package enum Form: Hashable, Sendable {
    case definition
    /// Core Data's own format.
    case mappingModel
  }

  package let path: FilePath
  package let form: Form
  /// The versions' names.
  package let from: String
  package let to: String

  var jump: VersionJump { VersionJump(from: from, to: to) }

  /// Parses the file, each time that it is asked.
  ///
  /// - Throws: `ModelBundleError` when the file can't be read, `XMLError` when its XML is broken,
  ///   `DiagnosticError` with all of its mistakes when it is not a valid migration, or with all that
  ///   only the app's code can do when it is a mapping model.
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

  /// The file was copied or renamed, and only one of its names was changed.
  private func mistake(
    in name: Written<String>, _ attribute: String, fileSays version: String
  ) -> Diagnostic? {
    guard !name.meaning.isExactly(version) else { return nil }
    let problem = DefinitionIssue.otherVersion(
      name.meaning, attribute: attribute, fileSays: version)
    return name.place.locate(problem.diagnostic)
  }
}
