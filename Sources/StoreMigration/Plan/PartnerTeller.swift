import PredicateSQL
import StoreLayout
import SQLiteAccess
import StoreModel

/// A source relationship or a key path of the mapping that determines the partners in a one-to-one relationship.
struct PartnerTeller {
  /// The index of the side of the one-to-one relationship whose rows have this relationship or path.
  let side: Int
  /// The name of the loss if pairs are dropped: the source's relationship, such as `Member.user`; for a key path, the
  /// target's relationship.
  let name: String
  /// A source entity whose table contains the rows.
  let source: String
  /// Queries for pairs. `a` and `b` are the new keys of the rows on side 0 and side 1. `o` is the old key of the row
  /// that has the relationship or path.
  private(set) var told: [SQL]
  /// If the source's relationship is to-many, a query for all its pairs, although only each owner's first member
  /// becomes a partner; otherwise nil.
  private(set) var allPairs: SQL?
  /// The name of the inverse of the source's relationship; nil without an inverse.
  private let inverse: String?

  var isToMany: Bool { allPairs != nil }

  func problem(of pair: OneToOne) -> MappingError {
    let own = pair.sides[side]
    return .sharedDestination(
      entity: own.owner.name, relationship: own.relationship, inverse: pair.sides[1 - side].name,
      sourceEntity: source, loss: name)
  }

  /// Whether the losses of this relationship already include the pairs of `other`, which is its inverse.
  func counts(for other: PartnerTeller) -> Bool {
    name == other.inverse && name != other.name && (!isToMany || name < other.name)
  }

  static func all(
    of pair: OneToOne, _ transfers: [[TransferCompiler]], _ keys: KeyMap
  ) throws -> [PartnerTeller] {
    var tellers: [PartnerTeller] = []
    for (index, side) in pair.sides.enumerated() {
      for transfer in transfers[index] {
        guard let value = transfer.values[side.column.column], value != .null else { continue }
        let found = try PartnerTeller(transfer, value, pair, index, keys)
        if let known = tellers.firstIndex(where: { $0.name == found.name && $0.side == index }) {
          tellers[known].told += found.told
        } else {
          tellers.append(found)
        }
      }
    }
    return tellers
  }

  private init(
    _ transfer: TransferCompiler, _ value: ColumnValue, _ pair: OneToOne, _ index: Int,
    _ keys: KeyMap
  ) throws {
    side = index
    source = transfer.transfer.source.name
    var query = transfer.query
    let (a, b) = index == 0 ? (query.key, value.sql) : (value.sql, query.key)
    told = [
      try query.select([
        "\(.name(query.rows.alias, FixedColumn.primaryKey)) AS o", "\(a) AS a", "\(b) AS b",
        "\(.integer(Int64(index))) AS side",
      ])
    ]
    let origin = transfer.transfer.mapping.relationships[pair.sides[index].relationship]
    guard let old = origin?.relationship else {
      (name, inverse, allPairs) = (pair.sides[index].name, nil, nil)
      return
    }
    let declaring = keys.source.declaring(old, of: transfer.transfer.source)
    name = "\(declaring.name).\(old)"
    inverse = keys.source.inverseName(of: old, declaredBy: declaring)
    allPairs =
      transfer.transfer.source.toOne[old] == nil
      ? try Self.pairs(old, of: declaring, pair, index, keys) : nil
  }

  /// Returns a query for the pairs with their new keys.
  private static func pairs(
    _ relationship: String, of declaring: EntityLayout, _ pair: OneToOne, _ index: Int,
    _ keys: KeyMap
  ) throws -> SQL? {
    guard let pairs = SourcePairs(relationship, of: declaring, in: keys.source) else { return nil }
    let (owner, member) = try keys.keys(
      of: pairs, to: pair.sides[index].owner, pair.sides[1 - index].owner)
    let (a, b) = index == 0 ? (owner, member) : (member, owner)
    return "SELECT \(a) AS a, \(b) AS b FROM \(pairs.from)"
  }
}

extension StoreLayout {
  /// Returns the name of a relationship's inverse, such as `User.memberships` for `Member.user`.
  fileprivate func inverseName(of relationship: String, declaredBy owner: EntityLayout) -> String? {
    guard let entity = model.entity(named: owner.name),
      case .relationship(let own)? = model.property(named: relationship, of: entity)?.0,
      let (inverse, declaring) = model.sharedInverse(of: own, declaredBy: entity)
    else { return nil }
    return "\(declaring.name).\(inverse.name)"
  }
}
