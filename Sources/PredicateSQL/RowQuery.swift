package import SQLiteAccess
package import StoreLayout
package import StoreModel
import StorePredicate

/// Expressions over the rows of an entity, as parts of another statement such as the `INSERT … SELECT` of a migration.
package struct RowQuery {
  /// The FROM clause, such as `ZITEM t0 LEFT JOIN ZLIST t1 ON …`, with one row for each row of the entity.
  package var source: SQL { fetch.compiler.context.mainSource }
  /// The alias of the entity's rows in `source`.
  package let alias: String
  /// Whether all compiled parts only use columns of the row itself.
  package private(set) var readsRowAlone = true
  private var fetch: FetchCompiler
  private let place: EntityLayout

  /// - Parameter alias: nil for the alias of the compiler.
  package init(_ entity: EntityLayout, in layout: StoreLayout, storeUUID: String?) {
    fetch = FetchCompiler(
      CheckedRequest(entity: entity.name, includesSubentities: false), of: entity, in: layout,
      storeUUID: storeUUID)
    alias = fetch.compiler.root.alias ?? entity.table
    place = entity
  }

  /// Returns the stored value of an attribute of the type.
  ///
  /// - Parameter expression: an expression of that type.
  /// - Throws: `CheckErrors`
  package mutating func value(
    _ expression: TypedExpression, as type: AttributeType
  ) throws(CheckErrors) -> SQL {
    if !expression.readsAttributes(of: place) { readsRowAlone = false }
    let sql = try compile { compiler throws(CheckError) in try compiler.value(expression) }
    return type == .float ? "NUMBER_SINGLE(\(sql))" : "(\(sql))"
  }

  /// Returns the row at the end of a key path: its key, the number of its entity, and the entity in the model.
  ///
  /// - Throws: `CheckErrors`
  package mutating func object(
    _ path: TypedExpression
  ) throws(CheckErrors) -> (key: SQL, number: SQL, entity: EntityLayout) {
    try compile { compiler throws(CheckError) in
      let operand = try compiler.operand(path)
      guard case .object = path.type, let row = operand.row else {
        throw CheckError(.unsupportedInStore("this value of a relationship"), at: path.range)
      }
      return (operand.sql, compiler.context.number(of: row), row.entity)
    }
  }

  /// Returns a condition that is true for the rows that match.
  ///
  /// - Throws: `CheckErrors`
  package mutating func condition(_ predicate: TypedPredicate) throws(CheckErrors) -> SQL {
    try compile { compiler throws(CheckError) in try compiler.condition(predicate) }
  }

  /// Returns a stored value of the row, of any type.
  ///
  /// - Throws: `CheckErrors`
  package mutating func value(_ path: TypedExpression) throws(CheckErrors) -> SQL {
    try compile { compiler throws(CheckError) in try compiler.operand(path).sql }
  }

  /// Returns the keys of the rows that match a predicate, in which the enclosing statement provides the values of the
  /// variables.
  ///
  /// - Throws: `CheckErrors`
  package static func keys(
    of entity: EntityLayout, in layout: StoreLayout, matching predicate: TypedPredicate,
    _ variables: [String: (sql: SQL, type: ValueType)]
  ) throws(CheckErrors) -> SQL {
    var fetch = FetchCompiler(
      CheckedRequest(entity: entity.name, predicate: predicate), of: entity, in: layout,
      storeUUID: nil)
    fetch.compiler.variables = variables.mapValues { Operand(sql: $0.sql, type: $0.type) }
    do throws(CheckError) {
      let conditions = try fetch.conditions().map { condition -> SQL in "(\(condition))" }
      // None for all rows of a table.
      let (key, source) = (fetch.compiler.root.key, fetch.compiler.context.mainSource)
      return "SELECT \(key) FROM \(source)\(conditions.whereClause)"
    } catch {
      throw CheckErrors([error])
    }
  }

  private mutating func compile<Result>(
    _ body: (inout PredicateCompiler) throws(CheckError) -> Result
  ) throws(CheckErrors) -> Result {
    do throws(CheckError) {
      return try body(&fetch.compiler)
    } catch {
      throw CheckErrors([error])
    }
  }
}

extension TypedExpression {
  /// Whether the statement only uses columns of the row itself, which SQLite reads before it writes them.
  package func readsAttributes(of place: EntityLayout) -> Bool {
    switch kind {
    case .keyPath(let base, let keys, _):
      guard base.kind == .selfObject, keys.count == 1, case .key(let name)? = keys.first?.kind
      else { return false }
      return place.attributes[name] != nil
    case .untypedKeyPath, .subquery: return false
    default: return parts.allSatisfy { $0.readsAttributes(of: place) }
    }
  }
}
