import SQLiteAccess
import StoreDiagnostics
import StoreLayout
import StoreModel

/// The plan for one join table of the target: the origin of its pairs, and whether they are copied.
struct JoinTablePlan {
  enum Strategy: Hashable {
    /// No relationship of the source becomes this relationship, so the table is empty.
    case empty
    /// The source's join table with this name is kept. `columns` contains the new names of its columns, by the old
    /// name. `deletions` are statements that delete pairs of dropped rows.
    case keep(String, columns: [String: String], deletions: [SQL])
    /// The pairs are copied to a new table.
    case copy
  }

  let target: JoinTableLayout
  /// The name of the relationship in messages, such as `Person.tags`.
  let name: String
  private(set) var strategy = Strategy.empty
  /// Queries for the pairs of the source with the target's keys. Each query selects the owner, the member, the member's
  /// position among the owner's members, and the owner's position among the member's owners.
  private(set) var pairs: [SQL] = []

  private let side: JoinSide
  private let keys: KeyMap

  init?(
    _ target: JoinTableLayout, _ keys: KeyMap, _ tables: ExactDictionary<DatabaseSchema.Table>
  ) throws {
    guard let side = JoinSide(of: target, in: keys.target) else { return nil }
    self.target = target
    self.keys = keys
    self.side = side
    name = "\(side.owner.name).\(side.relationship)"
    let transfers = PairTransfer.transfers(of: side, keys)
    guard !transfers.isEmpty else { return }
    for transfer in transfers { pairs.append(try select(transfer)) }
    strategy = keeping(transfers, tables) ?? .copy
  }

  private func select(_ transfer: PairTransfer) throws -> SQL {
    let pairs = transfer.pairs
    let (ownerEnd, memberEnd) =
      transfer.isReversed ? (side.destination, side.owner) : (side.owner, side.destination)
    let (owner, member) = try keys.keys(of: pairs, to: ownerEnd, memberEnd)
    let columns: SQL =
      transfer.isReversed
      ? "\(member) AS owner, \(owner) AS member, \(pairs.ownerPlace) AS place, \(pairs.memberPlace) AS back"
      : "\(owner) AS owner, \(member) AS member, \(pairs.memberPlace) AS place, \(pairs.ownerPlace) AS back"
    return "SELECT \(columns) FROM \(pairs.from)"
  }

  /// Returns a strategy that doesn't copy pairs, if possible.
  private func keeping(
    _ transfers: [PairTransfer], _ tables: ExactDictionary<DatabaseSchema.Table>
  ) -> Strategy? {
    guard transfers.count == 1, let transfer = transfers.first,
      case .join(let join) = transfer.pairs.storage,
      let table = tables[join.table]
    else { return nil }
    let (owners, members) =
      transfer.isReversed
      ? (transfer.pairs.destination, transfer.pairs.owner)
      : (transfer.pairs.owner, transfer.pairs.destination)
    let (own, other) =
      transfer.isReversed
      ? (join.destinationColumn, join.sourceColumn) : (join.sourceColumn, join.destinationColumn)
    guard let goneOwners = keys.rowsWithoutPlace(of: owners, in: side.owner),
      let goneMembers = keys.rowsWithoutPlace(of: members, in: side.destination)
    else { return nil }
    var columns = [own: side.join.sourceColumn, other: side.join.destinationColumn]
    guard table.primaryKey.map({ columns[$0] ?? $0 }).isExactly(target.primaryKey) else {
      return nil
    }
    for (old, new) in columns {
      columns[FixedColumn.order(beside: old)] = FixedColumn.order(beside: new)
    }
    let names = Set(target.columns.map(\.name))
    columns = columns.filter { old, _ in table.columns.contains { $0.name == old } }
    guard Set(columns.values) == names, columns.count == table.columns.count else { return nil }
    let deletions = [(own, goneOwners), (other, goneMembers)].flatMap { column, gone in
      gone.map { rows -> SQL in
        "DELETE FROM \(name: join.table) WHERE \(name: column) IN (\(rows))"
      }
    }
    return .keep(join.table, columns: columns, deletions: deletions)
  }

  /// Returns a statement that inserts the pairs with their positions into a table.
  func insertion(into table: String) -> SQL {
    var columns = [side.join.sourceColumn, side.join.destinationColumn]
    var results: [SQL] = ["owner", "member"]
    if let order = side.join.orderColumn {
      columns.append(order)
      results.append(
        OrderPlaces.place(
          at: "(row_number() OVER (PARTITION BY owner ORDER BY place, member) - 1)"))
    }
    if let order = side.inverseOrderColumn {
      columns.append(order)
      results.append(
        OrderPlaces.place(
          at: "(row_number() OVER (PARTITION BY member ORDER BY back, owner) - 1)"))
    }
    return """
      INSERT INTO \(name: table) (\(columns.map(SQL.name).joined(", "))) \
      SELECT \(results.joined(", ")) FROM (\(distinctPairs))
      """
  }

  private var distinctPairs: SQL {
    """
    SELECT owner, member, min(place) AS place, min(back) AS back \
    FROM (\(pairs.joined(" UNION ALL "))) \
    WHERE owner IS NOT NULL AND member IS NOT NULL GROUP BY owner, member
    """
  }

  /// Compares the owner and the member of each pair.
  var proof: ProofScan {
    ProofScan(
      subject: name, table: side.owner.table, columns: [side.relationship],
      before: "SELECT owner, member FROM (\(distinctPairs))",
      after: """
        SELECT \(name: side.join.sourceColumn), \(name: side.join.destinationColumn) \
        FROM \(name: target.name)
        """)
  }
}

extension KeyMap {
  /// Returns queries for the keys of rows of `old` that don't become rows of `new`. Returns nil if rows of an entity
  /// are filtered, are duplicated, or get new keys.
  func rowsWithoutPlace(of old: EntityLayout, in new: EntityLayout) -> [SQL]? {
    var gone: [EntityLayout] = []
    for entity in old.subtree.compactMap(source.entity(numbered:)) where !entity.isAbstract {
      let routes = transfers.from(entity).filter { new.subtree.contains($0.target.number) }
      if routes.isEmpty {
        gone.append(entity)
      } else if routes.count > 1 || routes[0].offset != 0 || routes[0].mapping.filter != nil {
        return nil
      }
    }
    return gone.map(\.keys)
  }
}

/// A many-to-many relationship of the target, as seen from the entity after which its join table is named.
struct JoinSide {
  let owner: EntityLayout
  let relationship: String
  let destination: EntityLayout
  /// The name of the inverse; nil if the relationship is its own inverse.
  let inverse: String?
  let join: ToManyLayout.Join
  /// The column with the position of an owner among the owners of a member; nil if the inverse isn't ordered.
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
  /// Whether the source's owners become members, and its members become owners.
  let isReversed: Bool

  /// Returns the transfers of a relationship, based on its own mappings. If it has none, returns the transfers based on
  /// the mappings of its inverse.
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
      guard let old = transfer.mapping.relationships[relationship]?.relationship else { return nil }
      let declaring = keys.source.declaring(old, of: transfer.source)
      guard seen.insert("\(declaring.name).\(old)").inserted else { return nil }
      return SourcePairs(old, of: declaring, in: keys.source)
    }
  }
}
