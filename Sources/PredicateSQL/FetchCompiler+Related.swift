import SQLiteAccess
package import StoreLayout
package import StoreModel
import StorePredicate

/// The destinations of a relationship for many rows at once.
package struct RelatedRows: Hashable, Sendable {
  /// The keys by which the rows are found.
  package enum Keys: Hashable, Sendable {
    /// All keys.
    case all
    /// A range of keys, which can include keys that aren't requested.
    case range(ClosedRange<Int64>)
    case list([Int64])
  }

  /// The meaning of the keys.
  package enum Link: Hashable, Sendable {
    /// The keys are the primary keys of the related rows.
    case destinations
    /// The keys are the primary keys of the owners, whose members in a to-many relationship are the related rows.
    case members(ToManyLayout)
  }

  package var link: Link
  package var keys: Keys

  package init(_ link: Link, keys: Keys) {
    self.link = link
    self.keys = keys
  }
}

/// The SELECT of related rows. For `Link.members`, it also has a column with the key of the owner and, in an ordered
/// relationship, a column with the position.
package struct RelatedQuery: Hashable, Sendable {
  package var query: CompiledQuery
  /// The index of the SELECT's column with the key of the owner.
  package var owner: Int?
  /// The index of the SELECT's column with the position of the member.
  package var place: Int?
}

extension StoreFetchRequest {
  /// Returns the SELECT that finds related rows, without an order.
  ///
  /// - Throws: `CheckErrors` if the request doesn't fit the model.
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
      var alias = table
      if case .joinTable(let pairs) = members {
        alias = compiler.context.nextAlias()
        join = """
           JOIN \(name: pairs.table) \(name: alias) \
          ON \(.name(alias, pairs.destinationColumn)) = \(root.key)
          """
      }
      key = .name(alias, members.ownerColumn)
      owner = list.values.count
      list.addValue(key, as: .integer64, named: "owner")
      if let order = members.orderColumn {
        place = list.values.count
        list.addValue(.name(alias, order), as: .integer64, named: "place")
      }
    }
    var conditions: [SQL] = []
    if let number = root.number, entity.sharesTable || wanted.isEmpty {
      // The unary plus prevents SQLite from using the index on `Z_ENT`, because it finds the rows faster by their keys.
      conditions.append(PredicateCompiler.isOne(of: wanted, "+\(number)"))
    }
    switch rows.keys {
    case .all: break
    case .range(let range):
      conditions.append(
        "\(key) BETWEEN \(.number(range.lowerBound)) AND \(.number(range.upperBound))")
    case .list(let keys): conditions.append("\(key) IN (\(Self.list(keys)))")
    }
    return RelatedQuery(
      query: CompiledQuery(
        sql: """
          SELECT \(list.sql) FROM \(compiler.context.mainSource)\(join)\(conditions.whereClause)
          """,
        columns: list.columns),
      owner: owner, place: place)
  }

  private static func list(_ keys: [Int64]) -> SQL {
    let values = keys.map { SQLiteValue.integer($0) }
    guard values.count > ValueList.inlineLimit else { return values.map(SQL.value).joined(", ") }
    return ValueList(values: values).rows
  }
}

extension FetchCompiler {
  /// The numbers of the requested entities that aren't abstract.
  var wanted: [Int64] {
    let numbers = request.includesSubentities ? entity.subtree : [entity.number]
    return numbers.filter { compiler.layout.entity(numbered: $0)?.isAbstract == false }
  }

  /// The name of the only entity that the requested rows can have, or nil if they can have several.
  package var onlyEntity: String? {
    guard wanted.count == 1 else { return nil }
    return compiler.layout.entity(numbered: wanted[0])?.name
  }

  /// The condition for `Z_ENT`, or nil if the request includes all entities in the table.
  ///
  /// SQLite doesn't know how many rows an entity has. It would search the index on `Z_ENT` rather than a better one,
  /// and then sort the rows by key. A unary plus before the column prevents this in three cases: if several entities
  /// are requested, which usually have most of the table's rows, if the members of a relationship are requested, and if
  /// the predicate can use another index
  /// (https://www.sqlite.org/optoverview.html#disqualifying_where_clause_terms_using_unary_).
  var entityRestriction: SQL? {
    let all = compiler.layout.entities(in: entity.table).filter { !$0.isAbstract }
    guard wanted.count < all.count || wanted.isEmpty else { return nil }
    guard !wanted.isEmpty, let number = compiler.root.number else { return "0" }
    let hasBetter =
      wanted.count > 1 || request.membership != nil
      || request.predicate.map(searchesIndex) == true
    return PredicateCompiler.isOne(of: wanted, hasBetter ? "+\(number)" : number)
  }

  /// Returns whether the predicate probably matches only a few rows, which SQLite can find by their keys or by an index
  /// of the model.
  func findsFewRows(_ predicate: TypedPredicate) -> Bool {
    switch predicate {
    case .and(let members): members.contains(where: findsFewRows)
    case .comparison(let comparison):
      switch comparison.operator {
      case .equal: comparison.left.kind == .selfObject || searchesIndex(comparison)
      case .in: comparison.left.kind == .selfObject
      default: false
      }
    case .constant, .or, .not: false
    }
  }

  /// Returns whether SQLite can find all matching rows by an index of the model.
  private func searchesIndex(_ predicate: TypedPredicate) -> Bool {
    switch predicate {
    case .and(let members): members.contains(where: searchesIndex)
    case .comparison(let comparison): searchesIndex(comparison)
    case .constant, .or, .not: false
    }
  }

  private func searchesIndex(_ comparison: TypedComparison) -> Bool {
    guard comparison.modifier == .direct, comparison.options.folding == nil,
      case .keyPath(let base, let keys, _) = comparison.left.kind, base.kind == .selfObject,
      keys.count == 1, case .key(let key)? = keys.first?.kind,
      let column = entity.attributes[key]?.column ?? entity.toOne[key]?.column,
      // A search for NULL doesn't count: most rows of a shared table have NULL in the column of a subentity.
      comparison.right.constant != .null
    else { return false }
    switch comparison.operator {
    case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .in, .beginsWith: break
    case .notEqual, .contains, .endsWith, .like, .matches: return false
    }
    let indexes = compiler.layout.table(named: entity.table)?.indexes ?? []
    return indexes.contains { $0.columns.first?.name == column && $0.condition == nil }
  }
}
