package import StoreDiagnostics
package import StoreModel

/// What Swift source is made from: a model with the versions that are wanted of it.
package struct SchemaSource: Sendable {
  package struct Version: Sendable {
    package var model: Model
    /// Entity to version hash; nil leaves them out.
    package var hashes: [String: [UInt8]]?
    /// Counted from 1, older versions first.
    package var number: Int

    package init(model: Model, hashes: [String: [UInt8]]?, number: Int = 1) {
      self.model = model
      self.hashes = hashes
      self.number = number
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
  package var style: SourceStyle

  package init(
    name: String, fileName: String, current: Version?, namespaced: [Version] = [],
    migrations: [MigrationDefinition] = [], access: AccessLevel = .internal,
    style: SourceStyle = .types
  ) {
    self.name = name
    self.fileName = fileName
    self.current = current
    self.namespaced = namespaced
    self.migrations = migrations
    self.access = access
    self.style = style
  }
}

/// Whom the source is written for.
package enum SourceStyle: String, CaseIterable, Sendable {
  /// Structures for our own libraries.
  case types
  /// Classes for Core Data.
  case managedObjects = "managed-objects"
  /// Classes for SwiftData.
  case swiftData = "swift-data"
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
  /// Nil for the version as a whole.
  package var part: ModelPart?
  package var diagnostic: Diagnostic
}
