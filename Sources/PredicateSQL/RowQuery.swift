package import SQLiteAccess
package import StoreLayout
package import StoreModel
import StorePredicate

/// Compiles expressions for the rows of one entity, as parts of a larger statement, such as a migration's
/// `INSERT … SELECT`.
package struct RowQuery {
  /// The FROM clause `ZITEM t0 LEFT JOIN ZLIST t1 ON …`, with one row for each row of the entity's table.
  package var source: SQL { fetch.compiler.context.mainSource }
  /// The alias of the entity's rows in `source`.
  package let alias: String
  /// Whether the values that have been compiled with `value(_:as:)` depend only on the row's own columns.
  package private(set) var readsRowAlone = true
  private var fetch: FetchCompiler
  private let place: EntityLayout

  /// Creates a query for the rows of an entity, without its subentities.
  package init(_ entity: EntityLayout, in layout: StoreLayout, storeUUID: String?) {
    fetch = FetchCompiler(
      CheckedRequest(entity: entity.name, includesSubentities: false), of: entity, in: layout,
      storeUUID: storeUUID)
    alias = fetch.compiler.root.alias ?? entity.table
    place = entity
  }

  /// Returns the SQL of the value that an attribute of the type would store.
  ///
  /// - Parameter expression: an expression of that type.
  /// - Throws: `CheckErrors` if the expression isn't supported in a store.
  package mutating func value(
    _ expression: TypedExpression, as type: AttributeType
  ) throws(CheckErrors) -> SQL {
    if !expression.readsAttributes(of: place) { readsRowAlone = false }
    let sql = try compile { compiler throws(CheckError) in try compiler.value(expression) }
    return type == .float ? "NUMBER_SINGLE(\(sql))" : "(\(sql))"
  }

  /// Returns the SQL of the key and of the entity number of the row that a key path refers to, and the path's entity in
  /// the model.
  ///
  /// - Throws: `CheckErrors` if the path isn't supported in a store.
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

  /// Returns the condition for rows that match the predicate.
  ///
  /// - Throws: `CheckErrors` if the predicate isn't supported in a store.
  package mutating func condition(_ predicate: TypedPredicate) throws(CheckErrors) -> SQL {
    try compile { compiler throws(CheckError) in try compiler.condition(predicate) }
  }

  /// Returns the SQL of a value of the row as it is stored, without a conversion.
  ///
  /// - Throws: `CheckErrors` if the path isn't supported in a store.
  package mutating func value(_ path: TypedExpression) throws(CheckErrors) -> SQL {
    try compile { compiler throws(CheckError) in try compiler.operand(path).sql }
  }

  /// Returns a SELECT of the keys of the entity's rows that match a predicate.
  ///
  /// - Parameter variables: the values of the predicate's variables, by name, as SQL of the enclosing statement.
  /// - Throws: `CheckErrors` if the predicate isn't supported in a store.
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
      // An empty array of conditions becomes an empty text, so that all rows match.
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
  /// Returns whether the expression depends only on the row's own attribute columns. An UPDATE can use such an
  /// expression directly, because SQLite reads the columns of a row before it writes them.
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
