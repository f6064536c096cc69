/// A request as those know it who watch a store: what is done with which entity, and nothing of its values.
public struct StoreRequest: Hashable, Sendable {
  /// The function that was called.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case fetch, stream, read, liveResults
    case transaction, create, createOrUpdate, update, remove
    case batchInsert, batchUpdate, batchDelete, batchLink, dryRun
    /// The next object IDs of those that a batch request has returned.
    case objectIDs
    case close
  }

  public let kind: Kind
  /// Nil for one that may concern several.
  public let entity: String?

  init(_ kind: Kind, of entity: String? = nil) {
    self.kind = kind
    self.entity = entity
  }
}

extension StoreRequest: CustomStringConvertible {
  /// `batchUpdate of 'Item'`
  public var description: String {
    entity.map { "\(kind.rawValue) of '\($0)'" } ?? kind.rawValue
  }
}
