import SQLiteAccess
import StoreLayout
import StoreModel

// Sub-selects over rows that aren't a table: lists, or the results of set operators such as UNION.

extension SQLContext {
  /// Opens a sub-select over the rows of another SELECT: `FROM (SELECT … AS value …) t1`.
  ///
  /// - Parameters:
  ///   - rows: a SELECT whose only column is named `value`.
  ///   - isSorted: whether the members have an order, which is ascending by value.
  /// - Returns: the SQL of the value in a row.
  mutating func open(rows: SQL, isSorted: Bool = false) -> SQL {
    let alias = nextAlias()
    let value = SQL.name(alias, Self.valueColumn)
    scopes.append(
      Scope(from: "(\(rows)) \(name: alias)", aliases: [alias], order: isSorted ? [value] : []))
    return value
  }

  static let valueColumn = "value"

  /// The `order` of the open sub-select.
  var order: [SQL] { scopes[scopes.count - 1].order }

  /// Returns the row as a row of a subentity, which is in the same table but has more properties.
  func narrow(
    _ row: RowReference, to entity: String?
  ) throws(CheckError) -> RowReference {
    guard let entity, entity != row.entity.name else { return row }
    var narrowed = row
    narrowed.entity = try self.entity(named: entity)
    return narrowed
  }

  /// Returns a reference to the row of `entity` whose primary key is `key`.
  func row(of entity: EntityLayout, key: SQL) -> RowReference {
    RowReference(
      entity: entity, key: key, number: entity.subtree.count == 1 ? .number(entity.number) : nil,
      alias: nil, scope: scopes.count - 1)
  }
}

extension SQLContext {
  /// Closes the innermost sub-select and returns the condition that it finds a row for the outer row, in one of two
  /// forms:
  ///
  ///     EXISTS (SELECT 1 FROM ZITEM t1 WHERE t1.ZLIST = t0.Z_PK AND t1.ZPRICE < 5)
  ///     t0.Z_PK IN (SELECT t1.ZLIST FROM ZITEM t1 WHERE t1.ZPRICE < 5)
  ///
  /// The sub-select of the first form is computed for each outer row. Without statistics, SQLite may use an index on
  /// `ZPRICE` instead of the index on the link (`t1.ZLIST = t0.Z_PK`), and visits the same rows again for each outer
  /// row. The first form is better if there are few outer rows, or if the link is the only condition, so that one
  /// search in its index is sufficient.
  ///
  /// The sub-select of the second form is computed once as a set, by an index on the condition or by a scan. SQLite
  /// then iterates over the set or searches it.
  ///
  /// - Parameters:
  ///   - negated: whether the test is that the sub-select doesn't find a row.
  ///   - asSet: whether the second form is preferred, because there are many outer rows.
  ///   - nullIsFalse: whether NULL is equivalent to false at this position, because it isn't inside of NOT.
  ///   - isDriving: whether SQLite may find the outer rows by iterating over the set. This is treated as false if the
  ///     outer rows belong to a sub-select, because the index on that sub-select's link finds them better.
  mutating func closeTest(
    negated: Bool, asSet: Bool, nullIsFalse: Bool, isDriving: Bool
  ) -> SQL {
    guard asSet, let scope = scopes.last, let link = scope.link, !scope.conditions.isEmpty,
      !dependsOnOuterRows(scope), nullIsFalse && !negated || link.isOfKey
    else {
      return "\(negated ? "NOT " : "")EXISTS (\(close(selecting: "1")))"
    }
    scopes.removeLast()
    var conditions = scope.conditions
    // NULL is removed from the set, because IN is never false if the set contains NULL.
    if negated || !nullIsFalse { conditions.append("\(link.inner) IS NOT NULL") }
    let outer: SQL = isDriving && scopes.count == 1 ? link.outer : "+\(link.outer)"
    return """
      \(outer) \(negated ? "NOT " : "")IN \
      (SELECT \(link.inner) FROM \(scope.from) WHERE \(conditions.joined(" AND ")))
      """
  }

  /// Returns whether the sub-select uses a table of an enclosing statement, apart from its link.
  private func dependsOnOuterRows(_ scope: Scope) -> Bool {
    let outer = scopes.dropLast().reduce(into: Set()) { $0.formUnion($1.aliases) }
    return ([scope.from] + scope.conditions).contains { sql in
      sql.segments.contains { segment in
        if case .name(let name) = segment { outer.contains(name) } else { false }
      }
    }
  }
}
