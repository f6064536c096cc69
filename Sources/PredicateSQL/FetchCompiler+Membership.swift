import StoreLayout
package import SQLiteAccess
import StoreModel
import StorePredicate

extension FetchCompiler {
  /// True for the members that are meant.
  func isMember(by membership: Membership) throws(CheckError) -> SQL {
    let (members, owner) = try members(membership)
    switch members {
    case .column(let foreign):
      return "\(.name(rootAlias, foreign.column)) = \(owner)"
    case .joinTable(let pairs):
      return """
        \(compiler.root.key) IN (SELECT \(name: pairs.destinationColumn) \
        FROM \(name: pairs.table) WHERE \(name: pairs.sourceColumn) = \(owner))
        """
    }
  }

  /// The row's place among the members that are meant; nil where they have none.
  package var memberPlace: SQL? {
    get throws(CheckError) {
      guard let membership = request.membership else { return nil }
      let (members, owner) = try members(membership)
      guard let place = members.orderColumn else { return nil }
      switch members {
      case .column: return .name(rootAlias, place)
      case .joinTable(let pairs):
        return """
          (SELECT \(name: place) FROM \(name: pairs.table) \
          WHERE \(name: pairs.sourceColumn) = \(owner) \
          AND \(name: pairs.destinationColumn) = \(compiler.root.key))
          """
      }
    }
  }

  private var rootAlias: String { compiler.root.alias ?? entity.table }

  /// Where the members are, and the key of the row that has them.
  private func members(
    _ membership: Membership
  ) throws(CheckError) -> (ToManyLayout, owner: SQL) {
    let owner = membership.owner
    var key = SQL.number(compiler.key(of: owner))
    var place = try compiler.context.entity(named: owner.entity)
    for name in membership.path.dropLast() {
      guard let column = place.toOne[name] else { throw Self.unknown(name, place) }
      key = """
        (SELECT \(name: column.column) FROM \(name: place.table) \
        WHERE \(name: FixedColumn.primaryKey) = \(key))
        """
      place = try compiler.context.entity(named: column.destination)
    }
    let last = membership.path.last ?? ""
    guard let members = place.toMany[last] else { throw Self.unknown(last, place) }
    return (members, key)
  }

  private static func unknown(_ name: String, _ place: EntityLayout) -> CheckError {
    CheckError(
      .unknownProperty(
        name, entity: place.name,
        known: (Array(place.toOne.keys) + place.toMany.keys).sorted()))
  }
}
