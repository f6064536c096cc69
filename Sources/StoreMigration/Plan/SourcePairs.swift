import StoreLayout
import SQLiteAccess
import StoreModel

/// The pairs of a relationship in the source: an owner, which has the relationship, and a member, which is a
/// destination. They are stored in a to-one column, a column in the members' rows, or a join table. In SQL, the table's
/// alias is `p`.
struct SourcePairs {
  static let alias = "p"

  enum Storage: Hashable {
    /// In a column of the owner's row.
    case owner(ToOneColumn)
    /// In a column of the member's row.
    case member(ToManyLayout.ForeignKey)
    case join(ToManyLayout.Join)
  }

  let storage: Storage
  let owner: EntityLayout
  /// The destination that the relationship declares.
  let destination: EntityLayout
  /// The column with the owner's position among the owners of a member, in a join table or next to a to-one column.
  let inverseOrderColumn: String?

  /// Returns nil if the relationship isn't stored.
  init?(_ relationship: String, of owner: EntityLayout, in layout: StoreLayout) {
    self.owner = owner
    if let toOne = owner.toOne[relationship] {
      guard let destination = layout.entity(named: toOne.destination) else { return nil }
      (storage, self.destination) = (.owner(toOne), destination)
      inverseOrderColumn = toOne.orderColumn
    } else if let toMany = owner.toMany[relationship] {
      guard let destination = layout.entity(named: toMany.destination) else { return nil }
      switch toMany {
      case .column(let key):
        storage = .member(key)
        inverseOrderColumn = nil
      case .joinTable(let join):
        storage = .join(join)
        let back = destination.toMany.values.compactMap { other -> String? in
          guard case .joinTable(let other) = other, other.table == join.table,
            other.sourceColumn == join.destinationColumn
          else { return nil }
          return other.orderColumn
        }
        inverseOrderColumn = back.first
      }
      self.destination = destination
    } else {
      return nil
    }
  }

  var table: String {
    switch storage {
    case .owner: owner.table
    case .member(let key): key.table
    case .join(let join): join.table
    }
  }

  var ownerKey: SQL {
    switch storage {
    case .owner: column(FixedColumn.primaryKey)
    case .member(let key): column(key.column)
    case .join(let join): column(join.sourceColumn)
    }
  }

  var memberKey: SQL {
    switch storage {
    case .owner(let toOne): column(toOne.column)
    case .member: column(FixedColumn.primaryKey)
    case .join(let join): column(join.destinationColumn)
    }
  }

  /// The owner's entity number; nil if only the owner's own table contains it.
  var ownerNumber: SQL? {
    switch storage {
    case .owner: column(FixedColumn.entity)
    case .member(let key): key.entityColumn.map(column)
    case .join: nil
    }
  }

  var memberNumber: SQL? {
    switch storage {
    case .owner(let toOne): toOne.entityColumn.map(column)
    case .member: column(FixedColumn.entity)
    case .join: nil
    }
  }

  /// The member's position among the owner's members; if the relationship isn't ordered, the member's key.
  var memberPlace: SQL {
    switch storage {
    case .owner: memberKey
    case .member(let key): key.orderColumn.map(column) ?? memberKey
    case .join(let join): join.orderColumn.map(column) ?? memberKey
    }
  }

  var ownerPlace: SQL { inverseOrderColumn.map(column) ?? ownerKey }

  var from: SQL { "\(name: table) AS \(name: Self.alias)" }

  /// Returns a scalar subquery for the value `result` of an owner's first member.
  func ofFirstMember(_ result: SQL, owner: SQL) -> SQL {
    """
    (SELECT \(result) FROM \(from) WHERE \(ownerKey) = \(owner) AND \(memberKey) IS NOT NULL \
    ORDER BY \(memberPlace), \(memberKey) LIMIT 1)
    """
  }

  /// Returns a scalar subquery for the value `result` of a member's owner, or of the owner with the lowest key.
  func ofFirstOwner(_ result: SQL, member: SQL) -> SQL {
    """
    (SELECT \(result) FROM \(from) WHERE \(memberKey) = \(member) AND \(ownerKey) IS NOT NULL \
    ORDER BY \(ownerKey) LIMIT 1)
    """
  }

  private func column(_ name: String) -> SQL { .name(Self.alias, name) }
}
