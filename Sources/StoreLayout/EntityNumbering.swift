import StoreDiagnostics
package import StoreModel

/// The `Z_ENT` of all entities.
///
/// Core Data counts from 1 in pre-order over the entity hierarchy, siblings by name without regard to case. Abstract
/// entities are counted (docs/formats/store-layout.md, "Entity numbers").
package struct EntityNumbering {
  package let model: DataModel
  /// The entities in ascending order of their numbers.
  package private(set) var numbered: [(entity: EntityDescription, number: Int64)]
  private var numbers: ExactDictionary<Int64>

  /// Creates the numbers of a new store.
  package init(_ model: DataModel) {
    let roots = model.entities.filter { $0.parent.flatMap(model.entity(named:)) == nil }
    let order = Self.inPreOrder(roots, of: model)
    self.init(model, order.enumerated().map { ($1, Int64($0 + 1)) })
  }

  /// Creates the numbers of an existing store.
  ///
  /// The number of an entity is the first that exists of these:
  ///
  /// - The number of the row with the entity's name. If `A` was renamed to `B`, and `B` to `C`, a single row `B`
  ///   belongs to `C`. If several rows have the name, the entity's number in a new store is preferred.
  /// - The number of the row with the entity's renaming identifier. A migration can leave the row of a renamed entity
  ///   unchanged, so that it still contains the old name.
  /// - The number that the entity would have in a new store.
  ///
  /// Rows with a number that no entity can have are ignored as damaged.
  package init(_ model: DataModel, primaryKeys: [PrimaryKeyRow]) {
    let usual = EntityNumbering(model)
    let sound = primaryKeys.filter { (1..<HistoryEntity.first).contains($0.number) }
    let rows = ExactDictionary(
      sound.map { ($0.name, [$0.number]) }, uniquingKeysWith: +)
    let renamed = model.entities.filter { rows[$0.name] == nil }
      .compactMap(\.renamingIdentifier).exact
    var taken: Set<Int64> = []
    func row(_ name: String, _ usual: Int64) -> Int64? {
      let free = rows[name, default: []].filter { !taken.contains($0) }
      return free.first { $0 == usual } ?? free.first
    }
    var own: ExactDictionary<Int64> = [:]
    for (entity, number) in usual.numbered {
      let isNew = entity.renamingIdentifier.map { !$0.isExactly(entity.name) } ?? false
      let isOfRenamed =
        isNew && renamed.contains(ExactText(entity.name))
        && rows[entity.name, default: []].count == 1
      guard !isOfRenamed, let found = row(entity.name, number) else { continue }
      own[entity.name] = found
      taken.insert(found)
    }
    let numbered = usual.numbered.map { entity, number in
      if let found = own[entity.name] { return (entity, found) }
      let renamed = entity.renamingIdentifier.flatMap { row($0, number) }
      let found = [renamed, number].compactMap { $0 }.first { !taken.contains($0) } ?? number
      taken.insert(found)
      return (entity, found)
    }
    self.init(model, numbered)
  }

  private init(_ model: DataModel, _ numbered: [(entity: EntityDescription, number: Int64)]) {
    self.model = model
    self.numbered = numbered.sorted { $0.number < $1.number }
    numbers = ExactDictionary(numbered.map { ($0.entity.name, $0.number) }) { first, _ in first }
  }

  package func number(of entity: EntityDescription) -> Int64 {
    numbers[entity.name] ?? 0
  }

  /// Returns the number of the entity's parent, or 0 for a root.
  package func parentNumber(of entity: EntityDescription) -> Int64 {
    entity.parent.flatMap(model.entity(named:)).map(number(of:)) ?? 0
  }

  /// Returns the numbers of the entity and its subentities in ascending order.
  package func subtree(of entity: EntityDescription) -> [Int64] {
    model.subtree(of: entity).map(number(of:)).sorted()
  }

  private static func inPreOrder(_ siblings: [EntityDescription], of model: DataModel)
    -> [EntityDescription]
  {
    siblings.sorted { left, right in
      let (a, b) = (left.name.lowercased(), right.name.lowercased())
      return a == b ? left.name.precedes(right.name) : a.precedes(b)
    }.flatMap { [$0] + inPreOrder(model.children(of: $0), of: model) }
  }
}

extension String {
  /// Returns whether the name precedes another one in Core Data's order, by code points.
  package func precedes(_ other: String) -> Bool {
    unicodeScalars.lexicographicallyPrecedes(other.unicodeScalars)
  }
}
