import StoreLayout
import StoreModel

/// A one-to-one relationship of the target that isn't simply a copy of a one-to-one relationship of the source. Its two
/// sides may contradict each other and must be reconciled, because each row has at most one partner.
struct OneToOne: Hashable {
  struct Side: Hashable {
    /// The entity that declares the relationship.
    let owner: EntityLayout
    let relationship: String
    let column: ToOneColumn

    var name: String { "\(owner.name).\(relationship)" }
  }

  /// The two sides, in the order of their names. They are equal if the relationship is its own inverse.
  let sides: [Side]
  /// Whether several rows of the source may claim the same partner.
  let mayShare: Bool

  var isOwnInverse: Bool { sides[0] == sides[1] }

  /// Returns the one-to-one relationships of the target that must be reconciled.
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

  /// Returns nil if nothing has to be reconciled: no side has an origin, or both sides are copies of the same
  /// one-to-one relationship and rows aren't duplicated.
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

  /// The origin of the partners in the source, as seen from the first side.
  private struct Origin: Hashable {
    /// The name of the source's relationship; nil for a path or a predicate.
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
          let relationship = source.model.relationship(old, of: declaring.name)
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
  /// Returns nil for a to-many, and for a relationship that isn't stored.
  fileprivate init?(
    _ relationship: RelationshipDescription, of entity: EntityDescription, in layout: StoreLayout
  ) {
    guard let owner = layout.entity(named: entity.name), let column = owner.toOne[relationship.name]
    else { return nil }
    self.init(owner: owner, relationship: relationship.name, column: column)
  }
}

extension EntityTransfers {
  /// Whether a row of the source may become several rows of an entity or its sub-entities.
  fileprivate func areDoubled(into entity: EntityLayout) -> Bool {
    let sources = into(entity).map(\.source.name)
    return Set(sources).count < sources.count
  }
}

extension KeyMap {
  /// Returns the one-to-one relationship that contains a relationship of a target entity, and the index of its side.
  /// Returns nil if the relationship doesn't have to be reconciled.
  func oneToOne(_ relationship: String, of entity: EntityLayout) -> (OneToOne, side: Int)? {
    for pair in oneToOnes {
      let side = pair.sides.firstIndex {
        $0.relationship == relationship && $0.owner.subtree.contains(entity.number)
      }
      if let side { return (pair, side) }
    }
    return nil
  }

  /// Returns the columns of one-to-one relationships that must be reconciled, in the rows of a target entity.
  func oneToOneColumns(of entity: EntityLayout) -> Set<String> {
    let columns = entity.toOne.filter { oneToOne($0.key, of: entity) != nil }.values
    return Set(columns.flatMap { [$0.column] + [$0.entityColumn].compactMap(\.self) })
  }
}
