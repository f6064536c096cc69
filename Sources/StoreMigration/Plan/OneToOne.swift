import StoreLayout
import StoreModel

/// A one-to-one relationship of the target that the source does not keep as one: what both sides say
/// has to be brought together, since each row has place for one partner.
struct OneToOne: Hashable {
  struct Side: Hashable {
    /// Declares the relationship.
    let owner: EntityLayout
    let relationship: String
    let column: ToOneColumn

    var name: String { "\(owner.name).\(relationship)" }
  }

  /// Two, in the order of their names; the same one twice where a relationship is its own inverse.
  let sides: [Side]
  /// Rows may say that they have the same partner.
  let mayShare: Bool

  var isOwnInverse: Bool { sides[0] == sides[1] }

  /// Those of the target that need it.
  static func unsettled(_ transfers: EntityTransfers, _ source: StoreLayout, _ target: StoreLayout)
    -> [OneToOne]
  {
    target.model.entities.flatMap { entity in
      entity.relationships.compactMap { relationship -> OneToOne? in
        guard !relationship.isToMany,
          let inverse = target.model.sharedInverse(of: relationship, declaredBy: entity),
          let own = Side(relationship, of: entity, in: target),
          let other = Side(inverse.0, of: inverse.declaredBy, in: target), own.name <= other.name
        else { return nil }
        return OneToOne([own, other], transfers, source)
      }
    }
  }

  /// Nil where there are no pairs, or the source keeps them as they have to be.
  private init?(_ sides: [Side], _ transfers: EntityTransfers, _ source: StoreLayout) {
    let told = sides.enumerated().map { index, side in
      transfers.into(side.owner).map { transfer in
        Origin(transfer.mapping.relationships[side.relationship], of: transfer, in: source)
          .map { index == 0 ? $0 : $0.reversed }
      }
    }
    let origins = Set(told.joined().compactMap(\.self))
    guard let only = origins.first else { return nil }
    let isOne =
      origins.count == 1 && only.isOneToOne
      && !sides.contains { transfers.areDoubled(into: $0.owner) }
    if isOne, !told.joined().contains(nil) { return nil }
    self.sides = sides
    mayShare = !isOne
  }

  /// What tells the partners, seen from the first side.
  private struct Origin: Hashable {
    /// Nil for a path or a predicate.
    var name: String?
    var inverse: String?
    var isOneToOne = false

    init?(_ origin: RelationshipOrigin?, of transfer: EntityTransfer, in source: StoreLayout) {
      switch origin {
      case nil, .nothing: return nil
      case .path, .matching: return
      case .relationship(let old):
        let declaring = source.declaring(old, of: transfer.source)
        guard let entity = source.model.entity(named: declaring.name),
          case .relationship(let relationship)? = source.model.property(named: old, of: entity)?.0
        else { return nil }
        name = "\(declaring.name).\(old)"
        let other = source.model.sharedInverse(of: relationship, declaredBy: entity)
        inverse = other.map { "\($0.declaredBy.name).\($0.0.name)" }
        isOneToOne = !relationship.isToMany && other?.0.isToMany == false
      }
    }

    var reversed: Origin {
      var copy = self
      (copy.name, copy.inverse) = (inverse, name)
      return copy
    }
  }
}

extension OneToOne.Side {
  /// Nil for a to-many, and for what a store does not have.
  fileprivate init?(_ relationship: Relationship, of entity: Entity, in layout: StoreLayout) {
    guard let owner = layout.entity(named: entity.name), let column = owner.toOne[relationship.name]
    else { return nil }
    self.init(owner: owner, relationship: relationship.name, column: column)
  }
}

extension EntityTransfers {
  /// Whether rows of the source come twice into an entity and those below it.
  fileprivate func areDoubled(into entity: EntityLayout) -> Bool {
    let sources = into(entity).map(\.source.name)
    return Set(sources).count < sources.count
  }
}

extension KeyMap {
  /// The one-to-one that a relationship of a target entity is a side of, where both sides have to be
  /// brought together.
  func oneToOne(_ relationship: String, of entity: EntityLayout) -> (OneToOne, side: Int)? {
    for pair in oneToOnes {
      let side = pair.sides.firstIndex {
        $0.relationship == relationship && $0.owner.subtree.contains(entity.number)
      }
      if let side { return (pair, side) }
    }
    return nil
  }

  /// The columns of such relationships in the rows of a target entity.
  func oneToOneColumns(of entity: EntityLayout) -> Set<String> {
    let columns = entity.toOne.filter { oneToOne($0.key, of: entity) != nil }.values
    return Set(columns.flatMap { [$0.column] + [$0.entityColumn].compactMap(\.self) })
  }
}
