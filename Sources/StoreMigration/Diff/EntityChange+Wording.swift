import StoreModel

extension EntityChange {
  var wording: ChangeWording {
    switch self {
    case .added(let entity, let resembles):
      ChangeWording(
        "entity.added",
        "added" + (entity.isAbstract ? ", abstract" : "")
          + (entity.parent.map { ", under \($0)" } ?? "") + resembles.renameHint
          + entity.renamingIdentifier.idleIdentifier(unless: resembles))
    case .removed: ChangeWording("entity.removed", "removed, with its rows")
    case .renamed(let old): ChangeWording("entity.renamed", "renamed from '\(old)'", old: old)
    case .parent(let change): ChangeWording("entity.parent", "parent", change)
    case .isAbstract(let flag): .onOff("entity.abstract", "abstract", flag)
    case .hashModifier(let change):
      ChangeWording("entity.hash-modifier", "version hash modifier", change)
    case .renamingIdentifier(let change): ChangeWording("entity.element-id", "elementID", change)
    case .identifierMismatch(let change): .identifierMismatch("entity", losing: "rows", change)
    case .className(let change): ChangeWording("entity.class", "class", change)
    case .codeGeneration(let change):
      ChangeWording("entity.code-generation", "code generation", change)
    case .userInfo(let keys): .userInfo("entity", keys)
    case .indexAdded(let index): ChangeWording("index.added", "index added: \(index.summary)")
    case .indexRemoved(let index):
      ChangeWording("index.removed", "index removed: \(index.summary)")
    case .index(let change):
      ChangeWording("index.changed", "index", change.old.summary, change.new.summary)
    case .constraintAdded(let names):
      ChangeWording("constraint.added", "now unique: \(names.joined(separator: ", "))")
    case .constraintRemoved(let names):
      ChangeWording("constraint.removed", "no longer unique: \(names.joined(separator: ", "))")
    }
  }
}

extension FetchIndex {
  /// The index as text, such as `byDate (date descending, name)`.
  fileprivate var summary: String {
    let elements = elements.map { element in
      let name =
        switch element.target {
        case .property(let name): name
        case .expression(let text, _): text
        }
      return name + (element.kind == .rTree ? " R-tree" : "")
        + (element.isAscending ? "" : " descending")
    }.joined(separator: ", ")
    let condition = partialPredicate.map { " where \($0)" } ?? ""
    return (name.isEmpty ? elements : "\(name) (\(elements))") + condition
  }
}
