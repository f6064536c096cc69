package import StoreLayout
package import SQLiteAccess

/// SQL for the members of a to-many relationship. The alias of their rows is `m`.
package struct MemberList {
  private let toMany: ToManyLayout
  private let layout: StoreLayout
  package static let alias = "m"

  package init(_ toMany: ToManyLayout, in layout: StoreLayout) {
    self.toMany = toMany
    self.layout = layout
  }

  /// The expression for a member's object ID in the form `Z_ENT:Z_PK`.
  package static var objectID: SQL {
    "\(.name(alias, FixedColumn.entity)) || ':' || \(key)"
  }

  private static var key: SQL { .name(alias, FixedColumn.primaryKey) }

  /// Returns an expression for the members as one text, such as `4:7,4:9`. Members of an ordered relationship are in
  /// its order. Other members, and members with equal positions, are sorted by key. With an `identity`, members with
  /// equal positions are sorted by it, and members of unordered relationships aren't sorted, because their order
  /// doesn't matter.
  ///
  /// - Parameters:
  ///   - owner: the owner's key.
  ///   - identity: a text that identifies the member, for comparisons without object IDs.
  ///   - condition: a condition for the members; nil for all members.
  package func sql(of owner: SQL, identity: SQL? = nil, where condition: SQL? = nil) -> SQL {
    let chosen: SQL = condition.map { " AND \($0)" } ?? ""
    if let identity, !toMany.isOrdered {
      return "(SELECT group_concat(\(identity)) \(rows(of: owner))\(chosen))"
    }
    let order = identity == nil ? order : "\(place)id"
    let members: SQL = """
      SELECT \(identity ?? Self.objectID) AS id \(rows(of: owner))\(chosen) ORDER BY \(order)
      """
    // SQLite passes the rows to group_concat in the order of the inner SELECT.
    return "(SELECT group_concat(id) FROM (\(members)))"
  }

  /// Returns `FROM … WHERE …` for the members of one owner.
  package func rows(of owner: SQL) -> SQL { rows { "\($0) = \(owner)" } }

  /// Returns `FROM … WHERE …` for the members of all owners whose keys a SELECT returns.
  package func rows(ofOwners owners: SQL) -> SQL { rows { "\($0) IN (\(owners))" } }

  private func rows(where isOwner: (SQL) -> SQL) -> SQL {
    switch toMany {
    case .column(let foreign):
      return """
        FROM \(name: foreign.table) AS m WHERE \(isOwner(.name(Self.alias, foreign.column)))
        """
    case .joinTable(let join):
      let table = layout.entity(named: join.destination)?.table ?? ""
      return """
        FROM \(name: join.table) AS j JOIN \(name: table) AS m \
        ON \(Self.key) = \(.name("j", join.destinationColumn)) \
        WHERE \(isOwner(.name("j", join.sourceColumn)))
        """
    }
  }

  /// The terms of ORDER BY: the position in an ordered relationship, then the key.
  package var order: SQL { "\(place)\(Self.key)" }

  /// The position in an ordered relationship and a comma, or nothing.
  private var place: SQL {
    switch toMany {
    case .column(let foreign):
      foreign.orderColumn.map { "\(.name(Self.alias, $0)), " } ?? ""
    case .joinTable(let join): join.orderColumn.map { "\(.name("j", $0)), " } ?? ""
    }
  }
}
