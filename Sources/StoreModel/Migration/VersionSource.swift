package import StoreDiagnostics

/// A source of the versions of a model: files, or values in a program.
package protocol VersionSource: Sendable {
  /// The name of the model, such as `Todo`, or of the current version if the models are values in a program.
  var name: String { get }
  /// The name of the model in messages: the path of its bundle, or its name.
  var place: String { get }
  /// The names of all versions. The names of files are in natural order, and the names of values are in the order in
  /// which the program lists them.
  var names: [String] { get }
  /// The name of the current version, if it is known.
  var currentName: String? { get }

  /// Returns the versions from old to new.
  ///
  /// - Parameter migrations: The pairs of versions with a definition.
  func order(by migrations: [VersionJump]) -> VersionOrder

  /// Returns whether the model of a version can be read.
  func isReadable(_ name: String) -> Bool

  /// Returns the name of the current version.
  ///
  /// - Throws: An error with the available versions if the current version isn't known.
  func requireCurrentName() throws -> String

  /// Returns the version with a name that the user typed, such as `Todo 2`.
  ///
  /// - Throws: An error with the nearest name if the version doesn't exist.
  func requireName(_ text: String) throws -> String

  /// Returns the model of a version. Each model is read only once.
  ///
  /// - Parameter name: One of `names`.
  func model(of name: String) throws -> DataModel
}

extension VersionSource {
  /// The names of all versions in the order in which they are compared with a store: the current version, then the
  /// others in the reverse order of `names`. If several versions have equal hashes, the first of them is the store's
  /// version.
  package var namesLikelyFirst: [String] {
    [currentName].compactMap(\.self) + names.reversed().filter { !$0.isExactly(currentName) }
  }
}

/// A source of the migrations between versions.
package protocol DefinitionSource: Sendable {
  /// The pairs of versions with a definition.
  var jumps: [VersionJump] { get }
  /// Warnings about definitions that can't be used.
  var warnings: [DiagnosticMessage] { get }

  /// Returns the definition between two versions, or nil if it doesn't exist.
  ///
  /// - Throws: The errors of the definition.
  func definition(of jump: VersionJump) throws -> MigrationDefinition?

  /// Returns the file of a definition, or nil if it isn't in a file.
  func path(of jump: VersionJump) -> LocalPath?

  /// Checks the definitions of a migration path.
  ///
  /// - Parameters:
  ///   - versions: The versions of the path, including both ends.
  ///   - jumps: The steps of the path that use a definition.
  /// - Throws: The errors of the definitions that concern the path.
  func requireSound(_ versions: [String], _ jumps: [VersionJump]) throws(DiagnosticError)
}
