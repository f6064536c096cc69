import StoreLayout
import StoreModel

/// A many-to-many relationship of the target, seen from the side that its join table is named after.
struct JoinSide {
  let owner: EntityLayout
  let relationship: String
  let destination: EntityLayout
  /// Nil for a relationship that is its own inverse.
  let inverse: String?
  let join: ToManyLayout.Join
  /// Orders the owners of one member.
  let inverseOrderColumn: String?

  init?(of table: JoinTableLayout, in layout: StoreLayout) {
    for entity in layout.model.entities {
      guard let owner = layout.entity(named: entity.name) else { continue }
      for relationship in entity.relationships {
        guard case .joinTable(let join)? = owner.toMany[relationship.name],
          join.table == table.name, let destination = layout.entity(named: join.destination)
        else { continue }
        let inverse = layout.model.sharedInverse(of: relationship, declaredBy: entity)
        if let inverse, inverse.0.name != relationship.name,
          table.primaryKey.first != join.sourceColumn
        {
          continue
        }
        self.owner = owner
        self.relationship = relationship.name
        self.destination = destination
        self.join = join
        let name = inverse?.0.name
        self.inverse = name == relationship.name ? nil : name
        if case .joinTable(let back)? = self.inverse.flatMap({ destination.toMany[$0] }) {
          inverseOrderColumn = back.orderColumn
        } else {
          inverseOrderColumn = nil
        }
        return
      }
    }
    return nil
  }
}

/// The pairs of a source relationship that become pairs of a join table.
struct PairTransfer {
  let pairs: SourcePairs
  /// The source's owners are the members of the target's side.
  let isReversed: Bool

  /// What becomes of one relationship, by what its transfers say; where they say nothing, its inverse's.
  static func transfers(of side: JoinSide, _ keys: KeyMap) -> [PairTransfer] {
    let own = sources(of: side.relationship, into: side.owner, keys)
    if !own.isEmpty { return own.map { PairTransfer(pairs: $0, isReversed: false) } }
    guard let inverse = side.inverse else { return [] }
    return sources(of: inverse, into: side.destination, keys)
      .map { PairTransfer(pairs: $0, isReversed: true) }
  }

  private static func sources(
    of relationship: String, into entity: EntityLayout, _ keys: KeyMap
  ) -> [SourcePairs] {
    var seen: Set<String> = []
    return keys.transfers.into(entity).compactMap { transfer in
      guard case .relationship(let old)? = transfer.mapping.relationships[relationship] else {
        return nil
      }
      let declaring = keys.source.declaring(old, of: transfer.source)
      guard seen.insert("\(declaring.name).\(old)").inserted else { return nil }
      return SourcePairs(old, of: declaring, in: keys.source)
    }
  }
}
