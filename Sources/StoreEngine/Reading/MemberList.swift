package import StoreLayout
package import SQLiteAccess

/// The members of a to-many relationship, their rows as `m`.
package struct MemberList {
  private let toMany: ToManyLayout
  private let layout: StoreLayout
  /// Of the members' rows.
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

  /// The members as one text, `4:7,4:9`: ordered ones in their order, those in one place by what stands for them;
  /// others by key, or as they come where an identity stands for them, since a list without an order says nothing by it.
  ///
  /// - Parameters:
  ///   - owner: the owner's key.
  ///   - identity: a text that stands for the member, for another comparison than by object ID.
  ///   - condition: which members; nil for all.
  package func sql(of owner: SQL, identity: SQL? = nil, where condition: SQL? = nil) -> SQL {
    let chosen: SQL = condition.map { " AND \($0)" } ?? ""
    if let identity, !toMany.isOrdered {
      return "(SELECT group_concat(\(identity)) \(rows(of: owner))\(chosen))"
    }
    let order = identity == nil ? order : "\(place)id"
    let members: SQL = """
      SELECT \(identity ?? Self.objectID) AS id \(rows(of: owner))\(chosen) ORDER BY \(order)
      """
    // SQLite feeds the rows to group_concat in the order of the inner SELECT.
    return "(SELECT group_concat(id) FROM (\(members)))"
  }

  /// `FROM … WHERE …` of the members of one owner.
  package func rows(of owner: SQL) -> SQL { rows { "\($0) = \(owner)" } }

  /// The same of all owners whose keys a SELECT gives.
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

  /// By place where they have one, then by key.
  package var order: SQL { "\(place)\(Self.key)" }

  /// With a comma behind it.
  private var place: SQL {
    switch toMany {
    case .column(let foreign):
      foreign.orderColumn.map { "\(.name(Self.alias, $0)), " } ?? ""
    case .joinTable(let join): join.orderColumn.map { "\(.name("j", $0)), " } ?? ""
    }
  }
}
