import StoreDiagnostics
import StoreModel

extension ModelComparison {
  /// Of the entity itself, its indexes and constraints.
  func entityChanges(from old: Entity, to new: Entity) -> [ModelChange] {
    var changes: [(EntityChange, ModelChange.Effect)] = []
    if !old.name.isExactly(new.name) {
      changes.append((.renamed(from: old.name), .hash))
    } else if let change = Replacement(old.renamingIdentifier, new.renamingIdentifier) {
      changes.append((.renamingIdentifier(change), .none))
    }
    if let change = Replacement(old.renamable.canonical, new.renamable.canonical) {
      changes.append((.identifierMismatch(change), .none))
    }
    let parent = old.parent.map { pairing.pair(fromSource: $0)?.target ?? $0 }
    if !parent.isExactly(new.parent), let change = Replacement(old.parent, new.parent) {
      changes.append((.parent(change), .hash))
    }
    if old.isAbstract != new.isAbstract { changes.append((.isAbstract(new.isAbstract), .hash)) }
    if let change = Replacement(old.versionHashModifier, new.versionHashModifier) {
      changes.append((.hashModifier(change), .hash))
    }
    changes += indexChanges(from: old, to: new).map { ($0, .schema) }
    changes += constraintChanges(from: old, to: new).map { ($0, .hash) }
    if let change = Replacement(old.className, new.className) {
      changes.append((.className(change), .none))
    }
    if let change = Replacement(old.codeGeneration, new.codeGeneration) {
      changes.append((.codeGeneration(change), .none))
    }
    let keys = old.userInfo.keys(changedTo: new.userInfo)
    if !keys.isEmpty { changes.append((.userInfo(keys: keys), .none)) }
    return changes.map { .init(.entity(new.name, $0), $1) }
  }

  /// A fetch index is the same where its name is, a compound index where its properties are.
  private func indexChanges(from old: Entity, to new: Entity) -> [EntityChange] {
    func contains(_ indexes: [FetchIndex], _ index: FetchIndex) -> Bool {
      indexes.contains { $0.isExactly(index) }
    }
    var removed = old.indexes.filter { !contains(new.indexes, $0) }
    var changes: [EntityChange] = []
    for index in new.indexes where !contains(old.indexes, index) {
      let position = removed.firstIndex {
        !$0.name.isEmpty && $0.name.isExactly(index.name) && $0.origin == index.origin
      }
      if let position, let change = Replacement(removed.remove(at: position), index) {
        changes.append(.index(change))
      } else {
        changes.append(.indexAdded(index))
      }
    }
    return removed.map(EntityChange.indexRemoved) + changes
  }

  private func constraintChanges(from old: Entity, to new: Entity) -> [EntityChange] {
    func contains(_ constraints: [[String]], _ constraint: [String]) -> Bool {
      constraints.contains { $0.isExactly(constraint) }
    }
    let (before, after) = (old.uniquenessConstraints, new.uniquenessConstraints)
    return before.filter { !contains(after, $0) }.map(EntityChange.constraintRemoved)
      + after.filter { !contains(before, $0) }.map(EntityChange.constraintAdded)
  }
}

extension [String: String] {
  /// Keys that were added, removed, or have another value.
  func keys(changedTo new: Self) -> [String] {
    let (old, new) = (ExactDictionary(self), ExactDictionary(new))
    return (old.keys + new.keys).exact.map(\.text).filter { !old[$0].isExactly(new[$0]) }.sorted()
  }
}
