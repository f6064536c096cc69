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
  let table: String
  let ownerKey: SQL
  let memberKey: SQL
  /// The owner's entity number; nil if only the owner's own table contains it.
  let ownerNumber: SQL?
  let memberNumber: SQL?
  /// The member's position among the owner's members; if the relationship isn't ordered, the member's key.
  let memberPlace: SQL

  /// Returns nil if the relationship isn't stored.
  init?(_ relationship: String, of owner: EntityLayout, in layout: StoreLayout) {
    self.owner = owner
    func column(_ name: String) -> SQL { .name(Self.alias, name) }
    if let toOne = owner.toOne[relationship] {
      guard let destination = layout.entity(named: toOne.destination) else { return nil }
      (storage, self.destination, table) = (.owner(toOne), destination, owner.table)
      (ownerKey, memberKey) = (column(FixedColumn.primaryKey), column(toOne.column))
      (ownerNumber, memberNumber) = (column(FixedColumn.entity), toOne.entityColumn.map(column))
      memberPlace = memberKey
      inverseOrderColumn = toOne.orderColumn
    } else if let toMany = owner.toMany[relationship] {
      guard let destination = layout.entity(named: toMany.destination) else { return nil }
      switch toMany {
      case .column(let key):
        (storage, table) = (.member(key), key.table)
        (ownerKey, memberKey) = (column(key.column), column(FixedColumn.primaryKey))
        (ownerNumber, memberNumber) = (key.entityColumn.map(column), column(FixedColumn.entity))
        memberPlace = key.orderColumn.map(column) ?? memberKey
        inverseOrderColumn = nil
      case .joinTable(let join):
        (storage, table) = (.join(join), join.table)
        (ownerKey, memberKey) = (column(join.sourceColumn), column(join.destinationColumn))
        (ownerNumber, memberNumber) = (nil, nil)
        memberPlace = join.orderColumn.map(column) ?? memberKey
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

  var ownerPlace: SQL { inverseOrderColumn.map { .name(Self.alias, $0) } ?? ownerKey }

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
}
