import StoreModel

extension RelationshipChange {
  var wording: ChangeWording {
    switch self {
    case .added(let relationship, let resembles):
      ChangeWording(
        "relationship.added",
        "added: \(relationship.summary)\(resembles.renameHint)"
          + relationship.renamingIdentifier.idleIdentifier(unless: resembles))
    case .removed(let relationship):
      ChangeWording("relationship.removed", "removed: \(relationship.summary)")
    case .renamed(let old): ChangeWording("relationship.renamed", "renamed from '\(old)'", old: old)
    case .moved(let old, let new): ChangeWording("relationship.moved", "declared by", old, new)
    case .wasAttribute: ChangeWording("relationship.was-attribute", "was an attribute")
    case .cardinality(let change):
      ChangeWording("relationship.cardinality", from: change.old.words, to: change.new.words)
    case .destination(let change, let kinship):
      ChangeWording(
        "relationship.destination", "destination: \(change.old) → \(change.new), \(kinship.words)",
        old: change.old, new: change.new)
    case .inverse(let change, let isRename):
      ChangeWording(
        "relationship.inverse",
        "inverse: \(change.old ?? "none") → \(change.new ?? "none")"
          + (isRename ? ", the same relationship renamed" : ""),
        old: change.old, new: change.new)
    case .deleteRule(let change):
      ChangeWording(
        "relationship.delete-rule", "delete rule", change.old.rawValue, change.new.rawValue)
    case .counts(let change):
      ChangeWording("relationship.counts", "count", change.old.words, change.new.words)
    case .isOptional(let flag):
      flag
        ? ChangeWording("relationship.optional", from: "required", to: "optional")
        : ChangeWording("relationship.required", from: "optional", to: "required")
    case .isTransient(let flag):
      flag
        ? ChangeWording("relationship.transient", from: "stored", to: "transient")
        : ChangeWording("relationship.stored", from: "transient", to: "stored")
    case .isIndexed(let flag): .onOff("relationship.indexed", "indexed", flag)
    case .hashModifier(let change):
      ChangeWording("relationship.hash-modifier", "version hash modifier", change)
    case .renamingIdentifier(let change):
      ChangeWording("relationship.element-id", "elementID", change)
    case .identifierMismatch(let change):
      .identifierMismatch("relationship", losing: "pairs", change)
    case .userInfo(let keys): .userInfo("relationship", keys)
    }
  }
}

extension RelationshipDescription {
  /// The relationship as text, such as `to-many List, optional`.
  fileprivate var summary: String {
    "\(cardinality.words) \(destination), \(isOptional ? "optional" : "required")"
      + (isTransient ? ", transient" : "")
  }
}

extension RelationshipDescription.Cardinality {
  fileprivate var words: String {
    switch self {
    case .toOne: "to-one"
    case .toMany(ordered: false): "to-many"
    case .toMany(ordered: true): "ordered to-many"
    }
  }
}

extension RelationshipChange.Kinship {
  fileprivate var words: String {
    switch self {
    case .renamed: "the same entity renamed"
    case .ancestor: "a parent entity"
    case .descendant: "a subentity"
    case .unrelated: "an unrelated entity"
    }
  }
}

extension RelationshipChange.CountRange {
  fileprivate var words: String {
    "\(minimum ?? 0) to \(maximum.map(String.init) ?? "default")"
  }
}
