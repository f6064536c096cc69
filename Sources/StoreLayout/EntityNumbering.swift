import StoreDiagnostics
package import StoreModel

/// The `Z_ENT` of every entity.
///
/// Core Data counts from 1 in pre-order over the entity forest, siblings by name without regard to
/// case; abstract entities count (docs/formats/store-layout.md, "Entity numbers").
package struct EntityNumbering {
  package let model: Model
  /// Ascending by number.
  package private(set) var numbered: [(entity: Entity, number: Int64)]
  private var numbers: ExactDictionary<Int64>

  /// The numbers that a new store gets.
  package init(_ model: Model) {
    let roots = model.entities.filter { $0.parent.flatMap(model.entity(named:)) == nil }
    let order = Self.inPreOrder(roots, of: model)
    self.init(model, order.enumerated().map { ($1, Int64($0 + 1)) })
  }

  /// The numbers that a store has.
  ///
  /// A number that no entity can have is a damaged one, and counts for nothing.
  /// A migration in place leaves the old name in the row of a renamed entity. An entity without a row of its
  /// name takes the row that its renaming identifier names, even if a new entity has that name by now.
  /// Otherwise it takes the number that a new store would give it. Of two rows with one name, an entity
  /// takes the one with that number.
  package init(_ model: Model, primaryKeys: [PrimaryKeyRow]) {
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

  private init(_ model: Model, _ numbered: [(entity: Entity, number: Int64)]) {
    self.model = model
    self.numbered = numbered.sorted { $0.number < $1.number }
    numbers = ExactDictionary(numbered.map { ($0.entity.name, $0.number) }) { first, _ in first }
  }

  package func number(of entity: Entity) -> Int64 {
    numbers[entity.name] ?? 0
  }

  /// The parent's number; 0 for a root.
  package func parentNumber(of entity: Entity) -> Int64 {
    entity.parent.flatMap(model.entity(named:)).map(number(of:)) ?? 0
  }

  /// The numbers of the entity and of everything below it, ascending.
  package func subtree(of entity: Entity) -> [Int64] {
    model.subtree(of: entity).map(number(of:)).sorted()
  }

  private static func inPreOrder(_ siblings: [Entity], of model: Model) -> [Entity] {
    siblings.sorted { left, right in
      let (a, b) = (left.name.lowercased(), right.name.lowercased())
      return a == b ? left.name.precedes(right.name) : a.precedes(b)
    }.flatMap { [$0] + inPreOrder(model.children(of: $0), of: model) }
  }
}

extension String {
  /// Code point by code point: Core Data's order of names.
  package func precedes(_ other: String) -> Bool {
    unicodeScalars.lexicographicallyPrecedes(other.unicodeScalars)
  }
}
