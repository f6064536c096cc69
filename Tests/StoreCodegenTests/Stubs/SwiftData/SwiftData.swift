// The declarations of SwiftData that generated code uses, written by us for tests on systems without
// Apple's SDK. `StubMacros` expands `@Model` to a conformance, and removes all other macros. The arguments of all
// macros are checked.

import Foundation
@_exported import Observation

public protocol PersistentModel: AnyObject, Hashable, Identifiable, Observable {}

public struct PersistentIdentifier: Hashable, Codable, Sendable {}

extension PersistentModel {
  public var persistentModelID: PersistentIdentifier { PersistentIdentifier() }
  public var id: PersistentIdentifier { persistentModelID }
  public static func == (one: Self, other: Self) -> Bool { one === other }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// MARK: Schemas and migrations

public final class Schema {
  public struct Version: Sendable {
    public init(_ major: Int, _ minor: Int, _ patch: Int) {}
  }

  public enum Attribute {
    public struct Option: Sendable {
      public static var unique: Option { Option() }
      public static var externalStorage: Option { Option() }
      public static var allowsCloudEncryption: Option { Option() }
      public static var preserveValueOnDeletion: Option { Option() }
      public static var spotlight: Option { Option() }
      public static func transformable(by name: String) -> Option { Option() }
    }
  }

  public enum Relationship {
    public struct Option: Sendable {}

    public enum DeleteRule: Sendable {
      case noAction, nullify, cascade, deny
    }
  }
}

public protocol VersionedSchema {
  static var versionIdentifier: Schema.Version { get }
  static var models: [any PersistentModel.Type] { get }
}

public protocol SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { get }
  static var stages: [MigrationStage] { get }
}

public enum MigrationStage {
  case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
}

// MARK: Macros

@attached(extension, conformances: PersistentModel)
public macro Model() = #externalMacro(module: "StubMacros", type: "Model")

@attached(peer)
public macro Attribute(
  _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "StubMacros", type: "Nothing")

@attached(peer)
public macro Relationship(
  _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
  minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil,
  inverse: AnyKeyPath? = nil, hashModifier: String? = nil
) = #externalMacro(module: "StubMacros", type: "Nothing")

@attached(peer)
public macro Transient() = #externalMacro(module: "StubMacros", type: "Nothing")

@freestanding(declaration)
public macro Unique<T: PersistentModel>(_ constraints: [PartialKeyPath<T>]...) =
  #externalMacro(module: "StubMacros", type: "Nothing")

@freestanding(declaration)
public macro Index<T: PersistentModel>(_ indexes: [PartialKeyPath<T>]...) =
  #externalMacro(module: "StubMacros", type: "Nothing")
