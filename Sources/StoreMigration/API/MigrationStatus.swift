public import StoreDiagnostics
import StoreModel

/// The version of a store, and the route of its migration to a target version.
public struct MigrationStatus: Hashable, Sendable {
  /// A part of the route that leads directly from one version to another.
  public struct Leg: Hashable, Sendable {
    /// The name of the version before this leg.
    public internal(set) var from: String
    /// The name of the version after this leg.
    public internal(set) var to: String
    /// Whether the leg uses a definition or a step. Otherwise it is inferred.
    public internal(set) var isDefined: Bool
    /// Other versions whose renaming identifiers connect names of `from` with names of `to`. Usually these versions are
    /// between the two.
    public internal(set) var over: [String]
  }

  /// The name of the version that wrote the store, or a name that begins with `carried` if only the store itself
  /// contains this version's model.
  public internal(set) var version: String
  /// The name of the target version.
  public internal(set) var target: String
  /// The parts of the route. Empty if the store already has the target version.
  public internal(set) var legs: [Leg]
  /// Notes about the versions and definitions.
  public internal(set) var notes: [DiagnosticMessage]

  /// Whether the store must be migrated.
  public var isPending: Bool { !legs.isEmpty }

  init(of request: RequestedMigration) {
    version = request.source.name
    target = request.target
    notes = request.warnings
    legs = request.route.legs.map { leg in
      let isDefined = if case .custom = leg.path { true } else { false }
      return Leg(
        from: leg.path.ends.from, to: leg.path.ends.to, isDefined: isDefined, over: leg.over)
    }
  }
}

extension MigrationStatus: CustomStringConvertible {
  /// The route as text, such as `'Shop' → 'Shop 4' (inferred) → 'Shop 5' (defined)`.
  public var description: String {
    legs.reduce(into: "'\(version)'") { text, leg in
      text += " → '\(leg.to)' (\(leg.isDefined ? "defined" : "inferred"))"
    }
  }
}
