import StoreDiagnostics
public import StoreEngine
public import StoreModel
import StorePredicate

/// What a program itself does between two versions of a model, with the store at hand as both versions have it.
///
///     CustomStep(from: ShopV4.self, to: ShopV5.self) { step in
///       for item in try step.old.fetch(ShopV4.Item.all) {
///         guard let id = try step.successor(of: item.id, as: ShopV5.Item.self) else { continue }
///         try step.new.update(id) { $0.slug = slug(of: item.name) }
///       }
///     }
///
/// All that can be inferred between both versions is done before, so that the step has only to do the rest. It runs in
/// the transaction of the migration: when it throws, the store is as it was. A migration passes both versions, whatever
/// version it begins or ends with. Attributes and to-one relationships that the new version requires and nothing gives
/// a value are checked behind it.
///
/// For the step all rows of the old version are copied into temporary tables, once each time that it runs.
public struct CustomStep: Sendable {
  let jump: VersionJump
  /// What the step itself takes over, and what may then go.
  let allowedLosses: AllowedLosses
  let body: @Sendable (StepContext) throws -> Void

  /// - Parameters:
  ///   - old: the version that the step migrates from.
  ///   - new: the version that the step migrates to.
  ///   - losses: what of the old version may go, because the step takes it over.
  ///   - body: runs on a thread of the migration's, with the store locked. What it throws, the migration throws.
  public init(
    from old: any SchemaModel.Type, to new: any SchemaModel.Type,
    allowing losses: AllowedLosses = .none, _ body: @escaping @Sendable (StepContext) throws -> Void
  ) {
    self.init(from: old.model.name, to: new.model.name, allowing: losses, body)
  }

  /// - Parameters:
  ///   - old: the name of the version that the step migrates from.
  ///   - new: the name of the version that the step migrates to.
  ///   - losses: what of the old version may go, because the step replaces it.
  ///   - body: what the step does, on a thread of the migration.
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
  /// Between which versions there is one, and what it takes over.
  ///
  /// - Throws: for a step of a version that is not there, and for a second one between the same versions.
  func jumps(among versions: any VersionSource) throws -> [VersionJump: AllowedLosses] {
    var jumps: [VersionJump: AllowedLosses] = [:]
    for step in self {
      let jump = step.jump
      for name in [jump.from, jump.to] { _ = try versions.requireName(name) }
      guard jumps.updateValue(step.allowedLosses, forKey: jump) == nil else {
        throw DiagnosticError([
          Diagnostic(
            .error, "migrate.twice", "there are two steps \(jump.text)", cause: .usage,
            help: ["make one of them"])
        ])
      }
    }
    return jumps
  }

  func step(of jump: VersionJump?) -> CustomStep? {
    jump.flatMap { jump in first { $0.jump == jump } }
  }
}

/// What a `CustomStep` works with: the store as the old version has it, and as the new one has it.
///
/// Both end with the step.
public struct StepContext {
  /// The rows as they were, to be read with the types of the old version. Where the step is between others, also what
  /// comes from versions before and is kept for versions behind.
  public let old: StoreSnapshot
  /// The rows as they have become, with the types of the new version.
  public let new: StoreTransaction
  let moves: [RowMove]

  /// What has become of an object of the old version; nil where it has gone, or become one of another entity.
  ///
  /// - Throws: `StoreError`
  public func successor<Old: StoredObject, New: StoredObject>(
    of id: TypedObjectID<Old>, as _: New.Type
  ) throws -> TypedObjectID<New>? {
    let old = id.objectID
    for move in moves where move.source == old.entity {
      let (key, overflows) = old.primaryKey.addingReportingOverflow(move.offset)
      let moved = ObjectID(store: old.store, entity: move.target, primaryKey: key)
      guard !overflows, let found = TypedObjectID<New>(moved) else { continue }
      // A filter may have left it behind.
      if try new.fetch(New.all.where(found.predicate).count) > 0 { return found }
    }
    return nil
  }
}
