import PredicateSQL
import RecordFormats
package import SQLiteAccess
package import StoreLayout
import StoreDiagnostics
import StoreModel
package import StorePredicate

/// A new row from assignments such as `name=Ray`, `age:=40 + 2` and `list:=(title == "Home")`.
package struct RowInsertion {
  private let plan: InsertPlan
  private let layout: StoreLayout
  private let store: String
  private let connection: Connection

  /// - Parameter store: the UUID of the store.
  /// - Throws: `InsertPlanError`
  package init(
    into entity: String, in layout: StoreLayout, store: String, on connection: Connection
  ) throws(InsertPlanError) {
    plan = try InsertPlan(entity: entity, in: layout)
    self.layout = layout
    self.store = store
    self.connection = connection
  }

  /// Writes the row in a write transaction.
  ///
  /// - Throws: `RowError` for an invalid value; `CheckErrors`, `DiagnosticError`, `RowLookupError`,
  ///   `MemberCountError`, `DatabaseError`.
  package func run(_ assignments: [Assignment]) throws -> ObjectID {
    try asOnlyRecord { try insert(try encoded(assignments)) }
  }

  /// Checks the row in a read transaction, without writing it. It doesn't check whether other rows would have too many
  /// members.
  ///
  /// - Throws: `RowError`, `CheckErrors`, `DiagnosticError`, `RowLookupError`, `DatabaseError`.
  package func check(_ assignments: [Assignment]) throws {
    try asOnlyRecord {
      let rows = try encoded(assignments)
      var writer = try writer(
        KeyAllocator(connection), try ChangeRecorder(in: layout, on: connection))
      try writer.check(row: 0, of: rows)
    }
  }

  private func asOnlyRecord<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch var error as RowError {
      // The writer counts records, but there is only one row.
      error.record = nil
      throw error
    }
  }

  private func writer(
    _ keys: KeyAllocator, _ changes: ChangeRecorder
  ) throws(DatabaseError) -> RowWriter {
    try RowWriter(
      plan, on: connection, keys: keys, changes: changes,
      lookup: DestinationLookup(in: layout, store: store, on: connection))
  }

  /// Returns the values in their stored form, as one packed row.
  private func encoded(_ assignments: [Assignment]) throws -> PackedRows {
    let rows = PackedRows(width: plan.width)
    var encoder = RowEncoder(plan, store: store)
    encoder.beginRecord(in: rows)
    for assignment in assignments {
      guard let field = plan.fields.firstIndex(where: { $0.name == assignment.name }) else {
        throw error(plan.unknown(assignment.name))
      }
      try set(field, to: assignment, in: rows, by: &encoder)
    }
    do throws(RowError.Kind) {
      try encoder.endRecord(in: rows, at: .start)
    } catch let kind {
      throw error(kind)
    }
    return rows
  }

  private func insert(_ rows: PackedRows) throws -> ObjectID {
    let keys = KeyAllocator(connection)
    let changes = try ChangeRecorder(in: layout, on: connection)
    let counts = try MemberCountWatch(
      plan.memberCountRules(in: layout), in: layout, on: connection)
    var writer = try writer(keys, changes)
    do {
      let key = try writer.write(row: 0, of: rows)
      try writer.finish()
      try counts.check()
      try keys.record()
      try changes.finish()
      return ObjectID(store: store, entity: plan.entity, primaryKey: key)
    } catch let failure as RowError {
      throw error(failure.kind)
    }
  }

  private func set(
    _ field: Int, to assignment: Assignment, in rows: PackedRows, by encoder: inout RowEncoder
  ) throws {
    switch assignment.value {
    case .literal(var text):
      try text.withUTF8 { bytes in
        try put(.literal(bytes), into: field, in: rows, by: &encoder)
      }
    case .expression(let source):
      switch plan.fields[field].content {
      case .toOne(let toOne):
        try point(field, at: source, of: toOne.destination, in: rows, by: &encoder)
      case .attribute(let type, _):
        do {
          let checked = try checked(source, of: plan.fields[field].name, as: type)
          if case .constant(let value) = checked.typed.kind {
            try encoder.set(field, toTyped: value, in: rows)
          } else {
            try encoder.set(field, toComputed: computed(checked, source), in: rows)
          }
        } catch let problem as ValueError {
          throw error(.value(property: assignment.name, shown: source.text, problem))
        }
      }
    }
  }

  private func put(
    _ value: FieldValue, into field: Int, in rows: PackedRows, by encoder: inout RowEncoder
  ) throws(RowError) {
    do throws(ValueError) {
      try encoder.set(field, to: value, in: rows)
    } catch let problem {
      let name = plan.fields[field].name
      throw error(.value(property: name, shown: value.shown, problem))
    }
  }

  /// Sets a relationship to the row that a predicate or an object ID describes, or to nil.
  private func point(
    _ field: Int, at source: PredicateText, of destination: String, in rows: PackedRows,
    by encoder: inout RowEncoder
  ) throws {
    if let described = RowDescription(source) {
      let predicate = try described.predicate(of: destination, in: layout.model)
      let lookup = RowLookup(in: layout, store: store, on: connection)
      var id = try lookup.onlyRow(of: destination, where: predicate).uri
      try id.withUTF8 { try put(.text($0), into: field, in: rows, by: &encoder) }
      return
    }
    switch try source.expression().kind {
    case .constant(.null): try put(.null, into: field, in: rows, by: &encoder)
    case .constant(.string(var id)):
      try id.withUTF8 { try put(.text($0), into: field, in: rows, by: &encoder) }
    default:
      throw error(
        .value(
          property: plan.fields[field].name, shown: source.text,
          .noObjectID(
            describedBy: layout.model.namingAttribute(of: destination), entity: destination)))
    }
  }

  private func checked(
    _ source: PredicateText, of property: String, as type: AttributeType
  ) throws -> CheckedExpression {
    let checker = PredicateChecker(model: layout.model, entity: plan.entity)
    let expression = try source.expression()
    do throws(CheckErrors) {
      return try checker.check(expression, as: .attribute(type), in: source)
    } catch let failure {
      // The message of the checker would mention a comparison, which the assignment doesn't contain.
      if case .mismatch? = failure.errors.first?.kind { throw ValueError.wrongType(type) }
      throw failure.ofAssignment(to: property, as: type, expression)
    }
  }

  private func computed(
    _ checked: CheckedExpression, _ source: PredicateText
  ) throws -> SQLiteValue {
    let sql = try checked.valueSQL(forNew: plan.entity, in: layout, text: source)
    return try connection.rows("SELECT \(sql)").first?.first ?? .null
  }

  private func error(_ kind: RowError.Kind) -> RowError {
    RowError(kind, entity: plan.entity, record: nil)
  }
}
