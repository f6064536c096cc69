package import StoreDiagnostics
package import StoreModel

/// What Swift source is made from: a model with the versions that are wanted of it.
package struct SchemaSource: Sendable {
  package struct Version: Sendable {
    package var model: Model
    /// Entity to version hash; nil leaves them out.
    package var hashes: [String: [UInt8]]?

    package init(model: Model, hashes: [String: [UInt8]]?) {
      self.model = model
      self.hashes = hashes
    }
  }

  /// `Todo` for `Todo.xcdatamodeld`.
  package var name: String
  /// The bundle's name with its extension, for the header.
  package var fileName: String
  /// The version whose types stand at the top.
  package var current: Version?
  /// Those that stand in a namespace of their own each, older ones first.
  package var namespaced: [Version]
  /// How versions become others where that can't be inferred.
  package var migrations: [MigrationDefinition]
  package var access: AccessLevel

  package init(
    name: String, fileName: String, current: Version?, namespaced: [Version] = [],
    migrations: [MigrationDefinition] = [], access: AccessLevel = .internal
  ) {
    self.name = name
    self.fileName = fileName
    self.current = current
    self.namespaced = namespaced
    self.migrations = migrations
    self.access = access
  }
}

/// Who sees what is generated.
package enum AccessLevel: String, CaseIterable, Sendable {
  case `internal`, package, `public`

  /// In front of a declaration.
  var prefix: String { self == .internal ? "" : rawValue + " " }
}

/// Swift source, and what could not be said in it.
package struct GeneratedSource: Sendable {
  package var text: String
  /// In the order of the versions.
  package var findings: [VersionFinding]
}

/// Something that a model asks for and its Swift source does not have. Never an error.
package struct VersionFinding: Sendable {
  /// The version's name.
  package var version: String
  package var part: ModelPart
  package var diagnostic: Diagnostic
}
