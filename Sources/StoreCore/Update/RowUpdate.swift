import SQLiteAccess
package import StoreLayout
package import StoreModel
import StorePredicate

/// The statement that sets attributes of one row to constants. It can be used again for other rows and other values of
/// the same attributes.
///
/// It has the same effect as the `UpdatePlan` of the request. If a request requires more than this statement, such as
/// an error or an entry in the history, `run` doesn't change anything, and the caller uses the plan instead.
package struct RowUpdate: Sendable {
  private struct Target: Sendable {
    var field: InsertPlan.Field
    var type: AttributeType
    var isExternal: Bool
    var rules: ValueRules?
  }

  private let entity: String
  private let table: String
  private let targets: [Target]
  private let uniqueness: [InsertPlan.UniquenessConstraint]
  private let update: RowStatement
  private let match: RowStatement
  private let checker: PredicateChecker

  /// Nil if other rows or values could require other statements.
  ///
  /// - Parameter assignments: attributes and their values, which serve as examples.
  /// - Throws: the errors of `BatchUpdate.plan`
  package init?(
    of entity: String, _ assignments: [BatchUpdate.Assignment], in layout: StoreLayout,
    storeUUID: String
  ) throws {
    let request = BatchUpdate(
      entity: entity, values: assignments, predicate: RowStatement.predicate(for: entity))
    let plan = try request.plan(in: layout, storeUUID: storeUUID)
    guard let place = layout.entity(named: entity),
      let described = layout.model.entity(named: entity)
    else { return nil }
    var properties = InsertPlanBuilder(entity: described, place: place, layout: layout)
    properties.addAttributes()
    targets = assignments.compactMap { assignment in
      guard let field = properties.fields.first(where: { $0.name == assignment.property }),
        case .constant = assignment.value.kind,
        case .attribute(let type, let isExternal) = field.content
      else { return nil }
      return Target(field: field, type: type, isExternal: isExternal, rules: ValueRules(field))
    }
    guard plan.isDirect, targets.count == assignments.count, plan.columns.count == targets.count,
      plan.rules.isEmpty, plan.nullables.isEmpty, plan.references.isEmpty
    else { return nil }
    self.entity = entity
    table = plan.table
    uniqueness = plan.uniqueness
    update = RowStatement(plan.directUpdate)
    match = RowStatement(plan.matchCount)
    checker = PredicateChecker(model: layout.model, entity: entity)
  }

  /// Updates a row.
  ///
  /// - Parameter assignments: new values of the same attributes, in the same order.
  /// - Returns: nil if the request must be run as a batch update.
  /// - Throws: `UpdateError` for a violated uniqueness constraint; `DatabaseError`.
  package func run(
    _ assignments: [BatchUpdate.Assignment], key: Int64, in transaction: OpenTransaction,
    _ layout: StoreLayout
  ) throws -> UpdateResult? {
    let connection = transaction.connection
    guard StatementRecorder.current == nil, let values = stored(assignments),
      try !ChangeRecorder(in: layout, on: connection, session: transaction.session).isOn
    else { return nil }
    do throws(DatabaseError) {
      // The values occur as new values, and in the condition that they differ from the old ones.
      let changed = try connection.runKept(update.bound(to: key, first: values, last: values))
      guard changed == 0 else { return UpdateResult(matched: changed, changed: changed) }
      let matched = try connection.keptRow(match.bound(to: key))?.first?.integer ?? 0
      return UpdateResult(matched: Int(matched), changed: 0)
    } catch {
      guard let constraint = error.violated(among: uniqueness, of: table) else { throw error }
      throw UpdateError.notUnique(entity: entity, properties: constraint.properties)
    }
  }

  /// Returns the values as they are stored, or nil if one of them isn't a valid constant.
  private func stored(_ assignments: [BatchUpdate.Assignment]) -> [SQLiteValue]? {
    var values: [SQLiteValue] = []
    for (target, assignment) in zip(targets, assignments) {
      do {
        let checked = try checker.check(assignment.value, as: .attribute(target.type))
        guard case .constant(let value) = checked.typed.kind else { return nil }
        let stored = try target.type.stored(value, isExternal: target.isExternal)
        if stored == .null, target.field.isRequired { return nil }
        if let rules = target.rules {
          let rows = PackedRows(width: 1)
          try rules.check(rows.cell(of: stored), in: rows)
        }
        values.append(stored)
      } catch {
        // The batch update throws the error with more details.
        return nil
      }
    }
    return values
  }
}
