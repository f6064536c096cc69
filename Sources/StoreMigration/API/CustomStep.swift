import StoreDiagnostics
public import StoreEngine
public import StoreModel
import StorePredicate

/// A step: Swift code that migrates data between two versions of a model, with access to the store in both versions.
///
///     CustomStep(from: ShopV4.self, to: ShopV5.self) { step in
///       for item in try step.old.fetch(ShopV4.Item.all) {
///         guard let id = try step.successor(of: item.id, as: ShopV5.Item.self) else { continue }
///         try step.new.update(id) { $0.slug = slug(of: item.name) }
///       }
///     }
///
/// The step runs after the inferred migration between the two versions and their definition, if it exists. It runs in
/// the transaction of the migration, which is rolled back if the step throws. Every migration whose route goes directly
/// from `old` to `new` runs the step, even if the route begins or ends with other versions. After the step, the
/// migration checks that required attributes and to-one relationships have values.
///
/// Each run of the step copies all rows of the old version into temporary tables.
public struct CustomStep: Sendable {
  let jump: VersionJump
  /// The losses that this step allows, because it migrates these values itself.
  let allowedLosses: AllowedLosses
  let body: @Sendable (StepContext) throws -> Void

  /// Creates a step between two versions with generated types.
  ///
  /// - Parameters:
  ///   - old: the version that the step migrates from.
  ///   - new: the version that the step migrates to.
  ///   - losses: rows and values of the old version that may be dropped, because the step migrates them.
  ///   - body: the code of the step. It runs on a thread of the migration, while the store is locked. The migration
  ///     rethrows its errors.
  public init(
    from old: any SchemaModel.Type, to new: any SchemaModel.Type,
    allowing losses: AllowedLosses = .none, _ body: @escaping @Sendable (StepContext) throws -> Void
  ) {
    self.init(from: old.model.name, to: new.model.name, allowing: losses, body)
  }

  /// Creates a step between two versions that are specified by name.
  ///
  /// - Parameters:
  ///   - old: the name of the version that the step migrates from.
  ///   - new: the name of the version that the step migrates to.
  ///   - losses: rows and values of the old version that may be dropped, because the step migrates them.
  ///   - body: the code of the step. It runs on a thread of the migration, while the store is locked. The migration
  ///     rethrows its errors.
  public init(
    from old: String, to new: String, allowing losses: AllowedLosses = .none,
    _ body: @escaping @Sendable (StepContext) throws -> Void
  ) {
    jump = VersionJump(from: old, to: new)
    allowedLosses = losses
    self.body = body
  }
}

extension [CustomStep] {
  /// Returns the losses that each step allows, by the two versions of the step.
  ///
  /// - Throws: `DiagnosticError` if two steps have the same versions, and a lookup error if a version doesn't exist.
  func jumps(among versions: any VersionSource) throws -> [VersionJump: AllowedLosses] {
    var jumps: [VersionJump: AllowedLosses] = [:]
    for step in self {
      for name in [step.jump.from, step.jump.to] { _ = try versions.requireName(name) }
      guard jumps.updateValue(step.allowedLosses, forKey: step.jump) == nil else {
        throw DiagnosticError([
          .error(
            "migrate.twice", "duplicate step \(step.jump.text)", cause: .usage,
            help: ["merge them into one step"])
        ])
      }
    }
    return jumps
  }

  func step(of jump: VersionJump?) -> CustomStep? {
    jump.flatMap { jump in first { $0.jump == jump } }
  }
}

/// The store in both versions, as a `CustomStep` sees it. A context is valid until its step ends.
public struct StepContext {
  /// The rows in the old version, for the types of that version. If other parts of the route precede this step, the
  /// rows also have the properties that the old version lacks but both ends of the route have.
  public let old: StoreSnapshot
  /// The rows after the inferred migration, for the types of the new version.
  public let new: StoreTransaction
  let moves: [RowMove]

  /// Returns the ID of the object that an object of the old version has become.
  ///
  /// - Parameters:
  ///   - id: the ID of an object of the old version.
  ///   - type: the type of the object in the new version.
  /// - Returns: the new ID, or nil if the object was dropped or became an object of another entity.
  /// - Throws: `StoreError` if the store can't be read.
  public func successor<Old: StoredObject, New: StoredObject>(
    of id: TypedObjectID<Old>, as type: New.Type
  ) throws -> TypedObjectID<New>? {
    let old = id.objectID
    for move in moves where move.source == old.entity {
      let (key, overflows) = old.primaryKey.addingReportingOverflow(move.offset)
      let moved = ObjectID(store: old.store, entity: move.target, primaryKey: key)
      guard !overflows, let found = TypedObjectID<New>(moved) else { continue }
      // A filter may have dropped the row.
      if try new.fetch(New.all.where(.id(is: found)).count) > 0 { return found }
    }
    return nil
  }
}
