import StoreLayout
import SQLiteAccess
import StoreModel

/// Pairs of relationships that are kept as such, but not all of them: a member has moved to where
/// the relationship does not lead, or a to-one has place for one member only.
struct PairLosses {
  let losses: [PossibleLoss]

  init(_ keys: KeyMap) {
    var losses: [PossibleLoss] = []
    var seen: Set<String> = []
    for transfer in keys.transfers.all {
      for (name, origin) in transfer.mapping.relationships.sorted(by: { $0.key < $1.key }) {
        guard case .relationship(let old) = origin,
          let pairs = SourcePairs(old, of: transfer.source, in: keys.source),
          let destination = transfer.target.destination(of: name).flatMap(
            keys.target.entity(named:))
        else { continue }
        let declared = "\(keys.source.declaring(old, of: transfer.source).name).\(old)"
        guard seen.insert("\(declared) \(transfer.source.name)").inserted else { continue }
        for entity in pairs.destination.subtree.compactMap(keys.source.entity(numbered:)) {
          let routes = keys.transfers.from(entity)
          // Rows that are gone are counted as such.
          guard !routes.isEmpty,
            !routes.contains(where: { destination.subtree.contains($0.target.number) })
          else { continue }
          losses.append(
            PossibleLoss(declared, count: pairs.count(from: transfer.source, to: entity)))
        }
        if transfer.target.toOne[name] != nil, transfer.source.toOne[old] == nil,
          keys.oneToOne(name, of: transfer.target) == nil
        {
          losses.append(PossibleLoss(declared, count: pairs.surplus))
        }
      }
    }
    self.losses = losses
  }
}

extension SourcePairs {
  /// How many pairs lead from rows of one entity to rows of another.
  fileprivate func count(from owner: EntityLayout, to member: EntityLayout) -> SQL {
    """
    SELECT count(*) FROM \(from) WHERE \(ownerKey) IN (\(owner.keys)) \
    AND \(memberKey) IN (\(member.keys))
    """
  }

  /// How many members there are beyond the first of each owner.
  fileprivate var surplus: SQL {
    """
    SELECT count(*) - count(DISTINCT \(ownerKey)) FROM \(from) \
    WHERE \(ownerKey) IS NOT NULL AND \(memberKey) IS NOT NULL
    """
  }
}

extension EntityLayout {
  /// The keys of the entity's own rows.
  var keys: SQL {
    let keys: SQL = "SELECT \(name: FixedColumn.primaryKey) FROM \(name: table)"
    return sharesTable ? "\(keys) WHERE \(name: FixedColumn.entity) = \(.integer(number))" : keys
  }

  fileprivate func destination(of relationship: String) -> String? {
    toOne[relationship]?.destination ?? toMany[relationship]?.destination
  }
}
