import PredicateSQL
package import StoreLayout
package import StoreModel
package import SQLiteAccess

/// A derived attribute of the store, with the SQL that computes its value.
package struct DerivedColumn {
  /// The entity that declares the attribute.
  package let entity: String
  package let attribute: AttributeDescription
  package let table: String
  package let column: String
  /// The `Z_ENT` of rows with the attribute.
  package let numbers: [Int64]
  let derivation: Derivation
  let value: SQL
  let source: SQL
  let alias: String
  /// The key paths in the derivation.
  let paths: [ResolvedKeyPath]

  /// Nil unless the attribute is stored and its derivation has a form that Apple documents.
  ///
  /// - Throws: `CheckErrors` for a derivation that doesn't fit the model.
  package init?(
    _ attribute: AttributeDescription, of entity: String, in layout: StoreLayout, storeUUID: String?
  ) throws(CheckErrors) {
    guard let expression = attribute.derivation, let derivation = Derivation(expression),
      let place = layout.entity(named: entity),
      let column = place.attributes[attribute.name]?.column
    else { return nil }
    let typed = try PredicateChecker(model: layout.model, entity: entity)
      .check(derivation: expression, as: attribute.type)
    var query = RowQuery(place, in: layout, storeUUID: storeUUID)
    value = try query.value(typed, as: attribute.type)
    (source, alias) = (query.source, query.alias)
    paths = typed.keyPathNodes.compactMap(\.path)
    self.entity = entity
    self.attribute = attribute
    self.derivation = derivation
    table = place.table
    self.column = column
    numbers = place.subtree
  }

  /// Returns the derived attributes of all entities, whether or not the store has triggers for them. An attribute that
  /// is derived from another derived attribute is after it, except in a cycle. An attribute is omitted if its
  /// derivation doesn't have a form that Apple documents, or doesn't fit the model, which `model check` reports.
  package static func all(in layout: StoreLayout, storeUUID: String?) -> [DerivedColumn] {
    let all = layout.model.entities.flatMap { entity in
      entity.attributes.filter { !$0.isTransient }.compactMap { attribute -> DerivedColumn? in
        do throws(CheckErrors) {
          return try DerivedColumn(attribute, of: entity.name, in: layout, storeUUID: storeUUID)
        } catch {
          return nil
        }
      }
    }
    let sources = all.map { $0.sources(in: layout) }
    var rest = Array(all.indices)
    var sorted: [DerivedColumn] = []
    while !rest.isEmpty {
      let waiting = Dictionary(grouping: rest) { all[$0].table }
        .mapValues { Set($0.map { all[$0].column }) }
      let ready = Set(
        rest.filter { index in
          !sources[index].contains { waiting[$0.table]?.contains($0.column) == true }
        })
      // The remaining attributes are derived from each other in a cycle.
      guard !ready.isEmpty else { return sorted + rest.map { all[$0] } }
      sorted += rest.filter(ready.contains).map { all[$0] }
      rest.removeAll(where: ready.contains)
    }
    return sorted
  }

  /// Returns a subquery that computes the value.
  ///
  /// - Parameter key: the key of the row.
  package func value(ofRow key: SQL) -> SQL {
    "(SELECT \(value) FROM \(source) WHERE \(.name(alias, FixedColumn.primaryKey)) = \(key))"
  }

  /// Returns a condition for rows whose stored value isn't correct. Differences of sums that rounding causes are
  /// ignored.
  ///
  /// - Parameter row: the alias of the row's table.
  package func isWrong(in row: String) -> SQL {
    let stored = SQL.name(row, column)
    let right = value(ofRow: .name(row, FixedColumn.primaryKey))
    guard case .sum = derivation, [.float, .double, .decimal].contains(attribute.type) else {
      return "\(stored) IS NOT \(right)"
    }
    return """
      \(stored) IS NOT \(right) AND \
      NOT ifnull(abs(\(stored) - \(right)) <= 1e-9 * max(1.0, abs(\(stored))), FALSE)
      """
  }

  /// Whether the value is the time of the last save, which can't be computed again.
  package var isTime: Bool { derivation == .now }

  /// Returns the statement that sets the value.
  ///
  /// - Parameter keys: a SELECT of keys, or nil for all rows.
  package func update(rows keys: SQL?) -> SQL {
    let ofRows: SQL = keys.map { "\(.name(alias, FixedColumn.primaryKey)) IN (\($0)) AND " } ?? ""
    let own = SQL.name(alias, FixedColumn.entity)
    return """
      UPDATE \(name: table) SET \(name: column) = derived.v FROM \
      (SELECT \(.name(alias, FixedColumn.primaryKey)) AS k, \(value) AS v FROM \(source) \
      WHERE \(ofRows)\(own) IN \(.list(numbers))) AS derived \
      WHERE \(.name(table, FixedColumn.primaryKey)) = derived.k \
      AND \(.name(table, column)) IS NOT derived.v
      """
  }
}
