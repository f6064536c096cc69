package import StoreLayout
import SQLiteAccess
package import StoreModel

/// The rows at the other end of a relationship of many rows.
package struct RelatedRows: Hashable, Sendable {
  /// The keys that lead to them.
  package enum Keys: Hashable, Sendable {
    /// Those of all rows.
    case all
    /// Some others among them.
    case range(ClosedRange<Int64>)
    case list([Int64])
  }

  /// How the rows are found.
  package enum Link: Hashable, Sendable {
    /// The keys are their own.
    case destinations
    /// The keys are those of their owners.
    case members(ToManyLayout)
  }

  package var link: Link
  package var keys: Keys

  package init(_ link: Link, keys: Keys) {
    self.link = link
    self.keys = keys
  }
}

/// The SELECT of related rows. Of members it has two values more: the owner's key and, where they are ordered, the place.
package struct RelatedQuery: Hashable, Sendable {
  package var query: CompiledQuery
  /// The SELECT's column that holds the owner's key.
  package var owner: Int?
  package var place: Int?
}

extension StoreFetchRequest {
  /// The SELECT that finds related rows, in no order.
  ///
  /// - Throws: `CheckErrors`
  package func related(
    _ rows: RelatedRows, in layout: StoreLayout, storeUUID: String?
  ) throws(CheckErrors) -> RelatedQuery {
    try compiled(in: layout, storeUUID, RequestTexts()) { compiler throws(CheckError) in
      try compiler.related(rows)
    }
  }
}

extension FetchCompiler {
  fileprivate mutating func related(_ rows: RelatedRows) throws(CheckError) -> RelatedQuery {
    if case .values(let values) = request.result { try select(values) }
    let root = compiler.root
    let table = root.alias ?? entity.table
    var key = root.key
    var join: SQL = ""
    var (owner, place): (Int?, Int?)
    if case .members(let members) = rows.link {
      let (alias, column): (String, String)
      switch members {
      case .column(let foreign): (alias, column) = (table, foreign.column)
      case .joinTable(let pairs):
        (alias, column) = (compiler.context.nextAlias(), pairs.sourceColumn)
        join = """
           JOIN \(name: pairs.table) \(name: alias) \
          ON \(.name(alias, pairs.destinationColumn)) = \(root.key)
          """
      }
      key = .name(alias, column)
      owner = list.values.count
      list.addValue(key, as: .integer64, named: "owner")
      if let order = members.orderColumn {
        place = list.values.count
        list.addValue(.name(alias, order), as: .integer64, named: "place")
      }
    }
    var conditions: [SQL] = []
    if let number = root.number, entity.sharesTable || wanted.isEmpty {
      // The keys find the rows faster than their entity does.
      conditions.append(PredicateCompiler.isOne(of: wanted, "+\(number)"))
    }
    switch rows.keys {
    case .all: break
    case .range(let range):
      conditions.append(
        "\(key) BETWEEN \(.number(range.lowerBound)) AND \(.number(range.upperBound))")
    case .list(let keys): conditions.append("\(key) IN (\(Self.list(keys)))")
    }
    let clause: SQL = conditions.isEmpty ? "" : " WHERE \(conditions.joined(" AND "))"
    return RelatedQuery(
      query: CompiledQuery(
        sql: "SELECT \(list.sql) FROM \(compiler.context.mainSource)\(join)\(clause)",
        columns: list.columns),
      owner: owner, place: place)
  }

  private static func list(_ keys: [Int64]) -> SQL {
    let values = keys.map { SQLiteValue.integer($0) }
    guard values.count > ValueList.inlineLimit else { return values.map(SQL.value).joined(", ") }
    return ValueList(values).rows
  }
}
