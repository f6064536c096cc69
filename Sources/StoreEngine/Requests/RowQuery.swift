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
      FetchRequest(entity: entity.name, includesSubentities: false), of: entity, in: layout,
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
      .check(expression, as: .attribute(type)).expression
    if !checked.readsAttributes(of: place) { readsRowAlone = false }
    let sql = try compile { compiler throws(CheckError) in try compiler.value(checked) }
    return type == .float ? "NUMBER_SINGLE(\(sql))" : "(\(sql))"
  }

  /// The row that a key path leads to: its key, and the number of its entity.
  ///
  /// - Throws: `CheckFailure`
  package mutating func object(_ expression: Expression) throws -> (key: SQL, number: SQL) {
    let checked = try PredicateChecker(model: model, entity: entity).check(expression).expression
    return try compile { compiler throws(CheckError) in
      let operand = try compiler.operand(checked)
      guard let row = operand.row else {
        throw CheckError(.unsupportedInStore("this value of a relationship"), at: checked.range)
      }
      return (operand.sql, compiler.context.number(of: row))
    }
  }

  /// The entity that a key path leads to.
  ///
  /// - Throws: `CheckFailure`
  package func entity(of path: Expression, in layout: StoreLayout) throws -> EntityLayout {
    let typed = try PredicateChecker(model: model, entity: entity).check(path)
    guard case .object(let name) = typed.type, let found = layout.entity(named: name) else {
      throw CheckFailure([
        CheckError(.unsupportedInStore("this value of a relationship"), at: path.range)
      ])
    }
    return found
  }

  /// True for the rows that match.
  ///
  /// - Throws: `CheckFailure`
  package mutating func condition(_ predicate: Predicate) throws -> SQL {
    let checked = try PredicateChecker(model: model, entity: entity).check(predicate).predicate
    return try compile { compiler throws(CheckError) in try compiler.condition(checked) }
  }

  /// The keys of the rows of another entity that match a predicate in which `$source` is this row.
  ///
  /// - Throws: `CheckFailure`
  package func matches(_ predicate: Predicate, of other: EntityLayout) throws -> SQL {
    let row = fetch.compiler.root
    let type = ValueType.object(entity)
    let checked = try PredicateChecker(
      model: model, entity: other.name, variables: [Self.sourceVariable: type]
    ).check(predicate).predicate
    var inner = PredicateCompiler(
      layout: fetch.compiler.layout, entity: other, storeUUID: fetch.compiler.storeUUID,
      firstAlias: Self.firstInnerAlias)
    inner.variables[Self.sourceVariable] = Operand(sql: row.key, type: type, row: row)
    do throws(CheckError) {
      var conditions = [try inner.condition(checked)]
      if other.sharesTable, let number = inner.root.number {
        conditions.append("\(number) = \(.number(other.number))")
      }
      let clause = conditions.map { condition -> SQL in "(\(condition))" }.joined(" AND ")
      return "SELECT \(inner.root.key) FROM \(inner.context.mainSource) WHERE \(clause)"
    } catch {
      throw CheckFailure([error])
    }
  }

  /// The variable that names the row whose relationship is looked for.
  package static let sourceVariable = "source"
  /// Beyond every alias of the statement around.
  private static let firstInnerAlias = 1000

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
