package import StoreLayout
package import SQLiteAccess

/// The members of a to-many relationship, whose rows have the alias `m`.
package struct MemberList {
  private let toMany: ToManyLayout
  private let layout: StoreLayout
  /// The alias of the members' rows.
  package static let alias = "m"

  package init(_ toMany: ToManyLayout, in layout: StoreLayout) {
    self.toMany = toMany
    self.layout = layout
  }

  /// `Z_ENT:Z_PK` of a member.
  package static var objectID: SQL {
    "\(.name(alias, FixedColumn.entity)) || ':' || \(key)"
  }

  private static var key: SQL { .name(alias, FixedColumn.primaryKey) }

  /// Returns the members as one text, such as `4:7,4:9`. Ordered members are in their order, and members at the same
  /// position are ordered by their identity. Unordered members are ordered by key, or unordered if they have another
  /// identity, because their order has no meaning.
  ///
  /// - Parameters:
  ///   - owner: the owner's key.
  ///   - identity: a text that identifies the member, for comparisons without object IDs.
  ///   - condition: the condition for members, or nil for all.
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

  /// The order by position, if there is one, then by key.
  package var order: SQL { "\(place)\(Self.key)" }

  /// The position, with a comma after it.
  private var place: SQL {
    switch toMany {
    case .column(let foreign):
      foreign.orderColumn.map { "\(.name(Self.alias, $0)), " } ?? ""
    case .joinTable(let join): join.orderColumn.map { "\(.name("j", $0)), " } ?? ""
    }
  }
}
