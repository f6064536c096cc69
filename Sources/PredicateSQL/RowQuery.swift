package import StoreLayout
package import StoreSQL
package import StoreModel
package import StorePredicate

/// Expressions over the rows of one entity as parts of a statement that somebody else writes: a
/// migration's `INSERT … SELECT`.
package struct RowQuery {
  /// `ZITEM t0 LEFT JOIN ZLIST t1 ON …`: one row for each row of the entity.
  package var source: SQL { fetch.compiler.context.mainSource }
  /// The alias of the entity's own rows in `source`.
  package let alias: String
  /// Everything compiled so far needs the row's own columns only.
  package private(set) var readsRowAlone = true
  private var fetch: FetchCompiler
  private let place: EntityLayout
  private let model: Model
  private let entity: String

  /// - Parameter alias: nil takes the compiler's own.
  package init(_ entity: EntityLayout, in layout: StoreLayout, storeUUID: String?) {
    fetch = FetchCompiler(
      CheckedRequest(entity: entity.name, includesSubentities: false), of: entity, in: layout,
      storeUUID: storeUUID)
    alias = fetch.compiler.root.alias ?? entity.table
    place = entity
    model = layout.model
    self.entity = entity.name
  }

  /// The value that an attribute of the type would store.
  ///
  /// - Throws: `CheckFailure`
  package mutating func value(_ expression: Expression, as type: AttributeType) throws -> SQL {
    let checked = try PredicateChecker(model: model, entity: entity)
      .check(expression, as: .attribute(type)).typed
    if !checked.readsAttributes(of: place) { readsRowAlone = false }
    let sql = try compile { compiler throws(CheckError) in try compiler.value(checked) }
    return type == .float ? "NUMBER_SINGLE(\(sql))" : "(\(sql))"
  }

  /// The row that a key path leads to: its key, and the number of its entity; and the entity that the model
  /// says it leads to.
  ///
  /// - Throws: `CheckFailure`
  package mutating func object(
    _ path: Expression
  ) throws -> (key: SQL, number: SQL, entity: EntityLayout) {
    let checked = try PredicateChecker(model: model, entity: entity).check(path).typed
    return try compile { compiler throws(CheckError) in
      let operand = try compiler.operand(checked)
      guard case .object(let name) = checked.type, let row = operand.row,
        let entity = compiler.layout.entity(named: name)
      else {
        throw CheckError(.unsupportedInStore("this value of a relationship"), at: checked.range)
      }
      return (operand.sql, compiler.context.number(of: row), entity)
    }
  }

  /// True for the rows that match.
  ///
  /// - Throws: `CheckFailure`
  package mutating func condition(_ predicate: Predicate) throws -> SQL {
    let checked = try PredicateChecker(model: model, entity: entity).check(predicate).typed
    return try compile { compiler throws(CheckError) in try compiler.condition(checked) }
  }

  /// A value of the row as it is stored, whatever its type.
  ///
  /// - Throws: `CheckFailure`
  package mutating func value(_ path: Expression) throws -> (sql: SQL, type: ValueType) {
    let checked = try PredicateChecker(model: model, entity: entity).check(path)
    let sql = try compile { compiler throws(CheckError) in
      try compiler.operand(checked.typed).sql
    }
    return (sql, checked.type)
  }

  /// The keys of the entity's rows that match a predicate with variables whose values stand
  /// elsewhere in the statement around.
  ///
  /// - Throws: `CheckFailure`
  package static func keys(
    of entity: EntityLayout, in layout: StoreLayout, matching predicate: Predicate,
    _ variables: [String: (sql: SQL, type: ValueType)]
  ) throws -> SQL {
    let checked = try PredicateChecker(
      model: layout.model, entity: entity.name, variables: variables.mapValues(\.type)
    ).check(predicate).typed
    var fetch = FetchCompiler(
      CheckedRequest(entity: entity.name, predicate: checked), of: entity, in: layout,
      storeUUID: nil)
    fetch.compiler.variables = variables.mapValues { Operand(sql: $0.sql, type: $0.type) }
    do throws(CheckError) {
      let conditions = try fetch.conditions().map { condition -> SQL in "(\(condition))" }
      // None for all rows of a table.
      let clause: SQL = conditions.isEmpty ? "" : " WHERE \(conditions.joined(" AND "))"
      return
        "SELECT \(fetch.compiler.root.key) FROM \(fetch.compiler.context.mainSource)\(clause)"
    } catch {
      throw CheckFailure([error])
    }
  }

  private mutating func compile<Result>(
    _ body: (inout PredicateCompiler) throws(CheckError) -> Result
  ) throws(CheckFailure) -> Result {
    do throws(CheckError) {
      return try body(&fetch.compiler)
    } catch {
      throw CheckFailure([error])
    }
  }
}
