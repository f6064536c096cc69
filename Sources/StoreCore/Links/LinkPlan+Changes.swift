import StoreLayout
import StoreModel
package import SQLiteAccess

extension LinkPlan {
  /// The statements that change the store. They run after all changes are found and checked.
  package var changes: [SQL] { linkChanges + versions }

  /// The statements of `changes` except statements that increment the versions of the rows.
  var linkChanges: [SQL] {
    let places = relationship.orders.map { LinkPlaces(order: $0, plan: self) }
    let room = kind == .link ? places.flatMap(\.makingRoom) : []
    let links = kind == .link ? linking : parting
    let order = kind == .link ? places.flatMap(\.placing) : []
    return room + links + order
  }

  private var linking: [SQL] {
    switch relationship.storage {
    case .columns(let columns):
      return (relationship.isOneToOne ? columns.map(releasing) : []) + columns.map(naming)
    case .joinTable(let join, _):
      return [
        """
        INSERT OR IGNORE INTO \(name: join.table) \
        (\(name: join.sourceColumn), \(name: join.destinationColumn)) SELECT s, d FROM \(pairs)
        """
      ]
    }
  }

  private var parting: [SQL] {
    switch relationship.storage {
    case .columns(let columns):
      return columns.map { column in
        """
        UPDATE \(name: column.table) SET \(Self.clearing(column)) FROM \(pairs) AS p \
        WHERE \(.name(column.table, FixedColumn.primaryKey)) = p.\(column.side.key) \
        AND \(.name(column.table, column.column)) = p.\(column.side.opposite.key)
        """
      }
    case .joinTable(let join, _):
      return [
        """
        DELETE FROM \(name: join.table) WHERE \
        (\(name: join.sourceColumn), \(name: join.destinationColumn)) IN (SELECT s, d FROM \(pairs))
        """
      ]
    }
  }

  /// Returns the UPDATE that writes the keys of the new partners to the column.
  private func naming(_ column: LinkedRelationship.Column) -> SQL {
    let other = column.side.opposite
    var values: [SQL] = ["\(name: column.column) = p.\(other.key)"]
    if let entityColumn = column.entityColumn {
      values.append("\(name: entityColumn) = p.\(other == .source ? "se" : "de")")
    }
    if let order = column.orderColumn { values.append("\(name: order) = NULL") }
    return """
      UPDATE \(name: column.table) SET \(values.joined(", ")) FROM \(pairs) AS p \
      WHERE \(.name(column.table, FixedColumn.primaryKey)) = p.\(column.side.key)
      """
  }

  /// Returns the UPDATE, for a one-to-one relationship, that clears the column in rows whose former partner is linked
  /// to another row and that don't receive a new partner.
  private func releasing(_ column: LinkedRelationship.Column) -> SQL {
    """
    UPDATE \(name: column.table) SET \(Self.clearing(column)) \
    WHERE \(Self.isReleased(column, "\(name: FixedColumn.primaryKey)"))
    """
  }

  private static func clearing(_ column: LinkedRelationship.Column) -> SQL {
    .clearing([column.column, column.entityColumn, column.orderColumn])
  }

  private static func isReleased(_ column: LinkedRelationship.Column, _ key: SQL) -> SQL {
    let own = column.side.key
    return """
      \(key) IN (SELECT \(own) FROM \(temporary(ended))) \
      AND \(key) NOT IN (SELECT \(own) FROM \(temporary(pairs)))
      """
  }

  /// For each required property whose value the request can remove, a SELECT of the number of rows that would lose
  /// their partner.
  var losses: [(property: String, count: SQL)] {
    relationship.columns.compactMap { column in
      guard column.isRequired, let property = column.property else { return nil }
      let own = column.side.key
      guard kind == .link else {
        return (property, "SELECT count(DISTINCT \(own)) FROM \(pairs)")
      }
      guard relationship.isOneToOne else { return nil }
      return (
        property,
        "SELECT count(DISTINCT \(own)) FROM \(ended) WHERE \(Self.isReleased(column, own))"
      )
    }
  }

  /// The statements that increment the version of each changed row once.
  private var versions: [SQL] {
    let sides: [LinkSide] = [.source, .destination]
    let changed = sides.filter(relationship.isChanged)
    let tables = Set(changed.map { relationship.place(of: $0).table })
    return tables.sorted().map { table in
      let numbers = changed.filter { relationship.place(of: $0).table == table }.map(\.number)
      return """
        UPDATE \(name: table) SET \(RowVersions.raising) WHERE \(name: FixedColumn.primaryKey) IN \
        (SELECT k FROM \(touched) WHERE side IN (\(numbers.joined(", "))))
        """
    }
  }

  /// The updates for the history: each changed property, with a SELECT of `Z_ENT` and `Z_PK` of the changed rows.
  var recorded: [(rows: SQL, property: String)] {
    [LinkSide.source, .destination].compactMap { side in
      relationship.property(of: side).map {
        ("SELECT e, k FROM \(touched) WHERE side = \(side.number)", $0)
      }
    }
  }

  /// A SELECT of one row with the counts of `LinkResult`, except for the numbers of matching rows.
  var census: SQL {
    // If the relationship is its own inverse, the table contains a link both as (s, d) and as (d, s).
    let counted: SQL = relationship.isOwnInverse ? "s <= d" : "TRUE"
    let loops: SQL = relationship.source.table == relationship.destination.table ? "s = d" : "FALSE"
    return """
      SELECT count(*) FILTER (WHERE \(counted)), count(DISTINCT s) FILTER (WHERE n NOT NULL), \
      count(DISTINCT d) FILTER (WHERE n NOT NULL), (SELECT count(*) FROM \(ended)), \
      count(*) FILTER (WHERE \(loops)), count(n) FROM \(pairs)
      """
  }
}
