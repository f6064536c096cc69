package import StoreDiagnostics

/// Where the versions of a model come from: files, or values of the program.
package protocol VersionSource: Sendable {
  /// The model's name: `Todo`.
  var name: String { get }
  /// What the model is called in messages: the path of its bundle, or its name.
  var place: String { get }
  /// Of all versions, in natural order or in that of the program.
  var names: [String] { get }
  /// The version in use, where that is known.
  var currentName: String? { get }

  /// - Parameter migrations: between which versions there is a definition.
  func order(by migrations: [VersionJump]) -> VersionOrder

  /// Whether there is a model to read.
  func isReadable(_ name: String) -> Bool

  /// The version in use.
  ///
  /// - Throws: where that is not known, with the versions to choose from.
  func requireCurrentName() throws -> String

  /// The version that a person means: `Todo 2`.
  ///
  /// - Throws: where there is none, with the nearest name.
  func requireName(_ text: String) throws -> String

  /// The model of a version. It is read once, however often it is asked for.
  ///
  /// - Parameter name: one of `names`.
  func model(of name: String) throws -> Model
}

extension VersionSource {
  /// The current version first, then the later ones before the earlier: of versions with equal hashes
  /// the first is the one that a store is taken to be of.
  package var namesLikelyFirst: [String] {
    [currentName].compactMap(\.self) + names.reversed().filter { !$0.isExactly(currentName) }
  }
}

/// Where the migrations between versions come from.
package protocol DefinitionSource: Sendable {
  /// Between which versions there is one.
  var jumps: [VersionJump] { get }
  /// About what is there and can't be used.
  var warnings: [Diagnostic] { get }

  /// Nil where there is none.
  ///
  /// - Throws: what is wrong with it.
  func definition(of jump: VersionJump) throws -> MigrationDefinition?

  /// Its file; nil where it is in none.
  func path(of jump: VersionJump) -> FilePath?

  /// Refuses a way that a definition which can't be used is for.
  ///
  /// - Parameters:
  ///   - versions: that the way passes, its ends among them.
  ///   - jumps: from one of them to another by a migration.
  func requireSound(_ versions: [String], _ jumps: [VersionJump]) throws(DiagnosticError)
}
