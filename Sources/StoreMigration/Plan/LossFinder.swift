import SQLiteAccess
import StoreLayout
import StoreModel

/// Finds the data of the source that the target can't represent.
struct LossFinder {
  let mapping: ModelMapping
  let keys: KeyMap
  let oneToOnes: [OneToOnePlan]

  func losses() throws -> [PossibleLoss] {
    let ofPairs = keys.pairLosses + oneToOnes.flatMap(\.losses)
    return try (rowLosses() + attributeLosses + relationshipLosses + ofPairs).filter {
      !mapping.intends($0.name)
    }
  }

  private var transfers: EntityTransfers { keys.transfers }
  private var source: StoreLayout { keys.source }
  private var entities: [EntityLayout] { source.entities.filter { !$0.isAbstract } }

  /// Returns the losses of rows whose entity is dropped, or that no filter selects.
  private func rowLosses() throws -> [PossibleLoss] {
    try entities.compactMap { entity in
      let routes = transfers.from(entity)
      guard routes.allSatisfy({ $0.mapping.filter != nil }) else { return nil }
      let rest = try routes.map { transfer -> SQL in
        "\(name: FixedColumn.primaryKey) NOT IN (\(try TransferQuery.keys(of: transfer, in: source)))"
      }
      let count: SQL = "SELECT count(*) FROM \(name: entity.table)"
      return PossibleLoss(entity.name, count: count + clause([condition([entity])] + rest))
    }
  }

  /// The losses of attributes that no transfer reads. Their names contain the entities that declare the attributes.
  private var attributeLosses: [PossibleLoss] {
    source.model.entities.flatMap { declaring -> [PossibleLoss] in
      source.model.storedAttributes(declaredBy: declaring).compactMap { attribute in
        guard attribute.derivation == nil else { return nil }
        let losing = members(of: declaring).filter { entity in
          !transfers.from(entity).contains { $0.reads(attribute.name) }
        }
        guard let column = losing.first?.attributes[attribute.name]?.column else { return nil }
        return loss("\(declaring.name).\(attribute.name)", of: column, losing)
      }
    }
  }

  /// The losses of relationships that no transfer keeps on either side.
  private var relationshipLosses: [PossibleLoss] {
    source.model.entities.flatMap { declaring -> [PossibleLoss] in
      declaring.relationships.compactMap { relationship in
        let name = "\(declaring.name).\(relationship.name)"
        let losing = members(of: declaring).filter { entity in
          !transfers.from(entity).contains { $0.keeps(relationship.name) }
        }
        guard let place = losing.first, !isKeptByInverse(relationship, of: declaring) else {
          return nil
        }
        if let column = place.toOne[relationship.name] {
          return loss(name, of: column.column, losing)
        }
        return toManyLoss(name, relationship, of: declaring, place)
      }
    }
  }

  /// Returns the loss of a to-many relationship's pairs. Returns nil if they are counted for its inverse.
  private func toManyLoss(
    _ name: String, _ relationship: RelationshipDescription, of declaring: EntityDescription,
    _ place: EntityLayout
  ) -> PossibleLoss? {
    guard let toMany = place.toMany[relationship.name] else { return nil }
    let inverse = source.model.sharedInverse(of: relationship, declaredBy: declaring)
    switch toMany {
    case .column(let key):
      guard inverse == nil else { return nil }
      return PossibleLoss(
        name, count: "SELECT count(\(name: key.column)) FROM \(name: key.table)")
    case .joinTable(let join):
      if let inverse,
        (inverse.0.name, inverse.declaredBy.name) < (relationship.name, declaring.name)
      {
        return nil
      }
      return PossibleLoss(name, count: "SELECT count(*) FROM \(name: join.table)")
    }
  }

  private func isKeptByInverse(
    _ relationship: RelationshipDescription, of entity: EntityDescription
  ) -> Bool {
    guard let (inverse, owner) = source.model.sharedInverse(of: relationship, declaredBy: entity)
    else { return false }
    return members(of: owner).contains { member in
      transfers.from(member).contains { $0.keeps(inverse.name) }
    }
  }

  /// Returns `entity` and its sub-entities, without abstract and dropped entities.
  private func members(of entity: EntityDescription) -> [EntityLayout] {
    guard let place = source.entity(named: entity.name) else { return [] }
    return entities.filter { place.subtree.contains($0.number) && !transfers.from($0).isEmpty }
  }

  private func loss(
    _ name: String, of column: String, _ entities: [EntityLayout]
  ) -> PossibleLoss {
    let count: SQL = "SELECT count(\(name: column)) FROM \(name: entities[0].table)"
    return PossibleLoss(name, count: count + clause([condition(entities)]))
  }

  /// Returns the condition for rows of these entities, or nil if the table contains only such rows.
  private func condition(_ entities: [EntityLayout]) -> SQL? {
    let all = self.entities.filter { $0.table == entities[0].table }
    guard entities.count < all.count else { return nil }
    return "\(name: FixedColumn.entity) IN \(.list(entities.map(\.number)))"
  }

  private func clause(_ conditions: [SQL?]) -> SQL {
    let conditions = conditions.compactMap { $0 }
    return conditions.isEmpty ? "" : " WHERE \(conditions.joined(" AND "))"
  }
}

extension EntityTransfer {
  /// Whether the mapping reads the attribute. An attribute that a filter, expression or predicate mentions isn't a
  /// loss, because the author of the definition has considered it.
  fileprivate func reads(_ attribute: String) -> Bool {
    if mapping.filter?.names(attribute) == true { return true }
    let isRead = mapping.attributes.values.contains { origin in
      switch origin.source {
      case .nothing: false
      case .attribute(let name): name == attribute
      case .expression(let expression): expression.names(attribute)
      }
    }
    return isRead
      || mapping.relationships.values.contains { origin in
        switch origin {
        case .nothing, .relationship: false
        case .path(let expression): expression.names(attribute)
        case .matching(let typed): typed.match.written.names(attribute)
        }
      }
  }

  fileprivate func keeps(_ relationship: String) -> Bool {
    mapping.relationships.values.contains { origin in
      switch origin {
      case .nothing, .matching: false
      case .relationship(let name): name == relationship
      case .path(let expression): expression.names(relationship)
      }
    }
  }
}

extension KeyMap {
  /// The pairs that are lost although their relationship is kept: the member's new entity isn't a destination of the
  /// relationship, or the relationship becomes to-one and keeps only one member.
  fileprivate var pairLosses: [PossibleLoss] {
    var losses: [PossibleLoss] = []
    var seen: Set<String> = []
    for transfer in transfers.all {
      for (name, origin) in transfer.mapping.relationships.sorted(by: { $0.key < $1.key }) {
        guard case .relationship(let old) = origin,
          let pairs = SourcePairs(old, of: transfer.source, in: source),
          let destination = transfer.target.destination(of: name).flatMap(
            target.entity(named:))
        else { continue }
        let declared = "\(source.declaring(old, of: transfer.source).name).\(old)"
        guard seen.insert("\(declared) \(transfer.source.name)").inserted else { continue }
        for entity in pairs.destination.subtree.compactMap(source.entity(numbered:)) {
          let routes = transfers.from(entity)
          // Pairs of dropped rows aren't counted separately.
          guard !routes.isEmpty,
            !routes.contains(where: { destination.subtree.contains($0.target.number) })
          else { continue }
          losses.append(
            PossibleLoss(declared, count: pairs.count(from: transfer.source, to: entity)))
        }
        if transfer.target.toOne[name] != nil, transfer.source.toOne[old] == nil,
          oneToOne(name, of: transfer.target) == nil
        {
          losses.append(PossibleLoss(declared, count: pairs.surplus))
        }
      }
    }
    return losses
  }
}

extension SourcePairs {
  /// Returns a query for the number of pairs between the rows of two entities.
  fileprivate func count(from owner: EntityLayout, to member: EntityLayout) -> SQL {
    """
    SELECT count(*) FROM \(from) WHERE \(ownerKey) IN (\(owner.keys)) \
    AND \(memberKey) IN (\(member.keys))
    """
  }

  /// Returns a query for the number of members after the first one of each owner.
  fileprivate var surplus: SQL {
    """
    SELECT count(*) - count(DISTINCT \(ownerKey)) FROM \(from) \
    WHERE \(ownerKey) IS NOT NULL AND \(memberKey) IS NOT NULL
    """
  }
}

extension EntityLayout {
  /// A query for the keys of the entity's own rows.
  var keys: SQL {
    let keys: SQL = "SELECT \(name: FixedColumn.primaryKey) FROM \(name: table)"
    return sharesTable ? "\(keys) WHERE \(name: FixedColumn.entity) = \(.integer(number))" : keys
  }

  fileprivate func destination(of relationship: String) -> String? {
    toOne[relationship]?.destination ?? toMany[relationship]?.destination
  }
}
