import SQLiteAccess
import StoreLayout
import StoreModel

// Sub-selects over what is not a table: lists, the results of UNION and its like.

extension SQLContext {
  /// Opens a sub-select over the rows of another: `FROM (SELECT … AS value …) t1`.
  ///
  /// - Parameters:
  ///   - rows: a SELECT whose only column is called `value`.
  ///   - isSorted: the values are in ascending order.
  /// - Returns: the value of a row.
  mutating func open(rows: SQL, isSorted: Bool = false) -> SQL {
    let alias = nextAlias()
    let value = SQL.name(alias, Self.valueColumn)
    scopes.append(
      Scope(from: "(\(rows)) \(name: alias)", aliases: [alias], order: isSorted ? [value] : []))
    return value
  }

  static let valueColumn = "value"

  /// What orders the members of the sub-select that is open: empty when they have no order.
  var order: [SQL] { scopes[scopes.count - 1].order }

  /// The row as one of an entity below its own: in the same table, with more columns.
  func narrow(
    _ row: RowReference, to entity: String?
  ) throws(CheckError) -> RowReference {
    guard let entity, entity != row.entity.name else { return row }
    var narrowed = row
    narrowed.entity = try self.entity(named: entity)
    return narrowed
  }

  /// A row that a value is the key of.
  func row(of entity: EntityLayout, key: SQL) -> RowReference {
    RowReference(
      entity: entity, key: key, number: entity.subtree.count == 1 ? .number(entity.number) : nil,
      alias: nil, scope: scopes.count - 1)
  }
}

extension SQLContext {
  /// Ends the sub-select that was opened last as the test that it finds a row for the one outside.
  ///
  ///     EXISTS (SELECT 1 FROM ZITEM t1 WHERE t1.ZLIST = t0.Z_PK AND t1.ZPRICE < 5)
  ///     t0.Z_PK IN (SELECT t1.ZLIST FROM ZITEM t1 WHERE t1.ZPRICE < 5)
  ///
  /// The second, as a set, is computed once, by an index on the condition or by one scan; SQLite then walks the set or
  /// looks into it. The first is computed for each row outside, and without statistics SQLite may
  /// choose the index on the condition for it and visit what that finds again and again. It is right where few rows
  /// outside are asked, and where the link is the whole condition, so that one look into its index will do.
  ///
  /// - Parameters:
  ///   - negated: it finds none.
  ///   - asSet: many rows outside are asked.
  ///   - nullIsFalse: the result stands where NULL is as good as false, so under no NOT.
  ///   - isDriving: going from the set to the rows outside is worth while. It never is from within another
  ///     sub-select, which has an index on its own link.
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
    // With one NULL in the set, IN is never false.
    if negated || !nullIsFalse { conditions.append("\(link.inner) IS NOT NULL") }
    let outer: SQL = isDriving && scopes.count == 1 ? link.outer : "+\(link.outer)"
    return """
      \(outer) \(negated ? "NOT " : "")IN \
      (SELECT \(link.inner) FROM \(scope.from) WHERE \(conditions.joined(" AND ")))
      """
  }

  /// The sub-select mentions a table of a statement around it, other than in its link.
  private func dependsOnOuterRows(_ scope: Scope) -> Bool {
    let outer = scopes.dropLast().reduce(into: Set()) { $0.formUnion($1.aliases) }
    return ([scope.from] + scope.conditions).contains { sql in
      sql.segments.contains { segment in
        if case .name(let name) = segment { outer.contains(name) } else { false }
      }
    }
  }
}
