public import StoreDiagnostics
import StoreModel

/// Which version a store is of, and how it gets to another.
public struct MigrationStatus: Hashable, Sendable {
  /// One piece of the way: rows are visited once.
  public struct Leg: Hashable, Sendable {
    public internal(set) var from: String
    public internal(set) var to: String
    /// Whether a definition or a step of the program's says what becomes of rows; all else is inferred.
    public internal(set) var isDefined: Bool
    /// The versions between whose renames are followed.
    public internal(set) var over: [String]
  }

  /// The version that wrote the store; `carried` where that is a model that only the store has.
  public internal(set) var version: String
  public internal(set) var target: String
  /// Empty where the store is of the target version.
  public internal(set) var legs: [Leg]
  /// What one should know of the versions and definitions.
  public internal(set) var notes: [Diagnostic]

  /// Whether there is something to migrate.
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
  /// `'Shop' → 'Shop 4' (inferred) → 'Shop 5' (defined)`
  public var description: String {
    legs.reduce(into: "'\(version)'") { text, leg in
      text += " → '\(leg.to)' (\(leg.isDefined ? "defined" : "inferred"))"
    }
  }
}
