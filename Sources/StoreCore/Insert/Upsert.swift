import SQLiteAccess
import StoreLayout
import StoreModel
import Synchronization

/// Writes records that can be matched with existing rows, according to a conflict policy.
///
/// Each set of fields that occurs in records has its own statement, because a record changes only its own fields in an
/// existing row.
package final class Upsert {
  private let plan: InsertPlan
  private let policy: ConflictPolicy
  private let connection: Connection
  private let changes: ChangeRecorder
  private let given: GivenFieldSets
  /// Finds rows by a key that the caller specifies. Nil if SQLite finds them by uniqueness constraints.
  private let known: KnownRows?
  private var statements: [UInt32: Prepared] = [:]
  private var insertion: Prepared?
  /// Collects the keys and the changed columns of updated rows. Nil if they aren't required.
  private var log: UpsertLog?
  private let keepsKeys: Bool

  /// The maximum number of statements, which limits the memory for inputs with many sets of fields.
  private static let statementLimit = 200

  private final class Prepared {
    let given: GivenFields
    var statement: Statement

    init(_ given: GivenFields, _ statement: consuming Statement) {
      self.given = given
      self.statement = statement
    }
  }

  enum Result {
    case inserted, updated, unchanged
  }

  init(
    _ plan: InsertPlan, _ policy: ConflictPolicy, key: [String] = [], given: GivenFieldSets,
    on connection: Connection, changes: ChangeRecorder, keepsKeys: Bool = false
  ) throws(DatabaseError) {
    known = key.isEmpty ? nil : try KnownRows(key, of: plan, on: connection)
    self.plan = plan
    self.policy = policy
    self.given = given
    self.connection = connection
    self.changes = changes
    self.keepsKeys = keepsKeys && policy == .update
    guard policy == .update, keepsKeys || changes.isOn || !plan.relationships.isEmpty else {
      return
    }
    log = try UpsertLog(of: plan, on: connection)
  }

  /// The table whose column `k` contains the keys of the changed rows, or nil if they aren't required.
  var changedRows: SQL? { keepsKeys ? UpsertLog.rows : nil }

  /// - Parameter key: the key of the row if it is new.
  /// - Throws: `RowError.Kind` for a wrong record; `DatabaseError`.
  func write(row: Int, of rows: PackedRows, key: Int64) throws -> Result {
    let number = rows.givenNumber(ofRow: row)
    if let known { return try write(row: row, of: rows, key: key, given[number], by: known) }
    let prepared = try prepared(number) {
      plan.insertion(on: policy, giving: given[number].fields)
    }
    connection.forgetLastInsertedKey()
    try run(prepared, key, row, of: rows)
    guard connection.changeCount > 0 else {
      try refuseRowOfOtherEntity(row, of: rows)
      return .unchanged
    }
    guard connection.lastInsertedKey != key else {
      if let missing = prepared.given.missing {
        throw RowError.Kind.value(property: missing, shown: "", .missing)
      }
      return .inserted
    }
    try refuseLinks(among: prepared.given.fields)
    return .updated
  }

  /// The number of inserted records in which an attribute of the key is missing or NULL.
  var keylessCount: Int { known?.keylessCount ?? 0 }

  private func write(
    row: Int, of rows: PackedRows, key: Int64, _ fields: GivenFields, by known: KnownRows
  ) throws -> Result {
    let given = Set(fields.fields)
    let result: Result
    switch try known.match(row: row, of: rows, giving: given, in: plan) {
    case .several?: throw RowError.Kind.severalRows(key: known.attributes)
    case .repeated?: throw conflict(row, of: rows, known.attributes)
    case .row(let existing)?:
      switch policy {
      case .fail: throw conflict(row, of: rows, known.attributes)
      case .ignore: result = .unchanged
      case .update: result = try update(existing, row, of: rows, fields)
      }
    case nil:
      if let missing = fields.missing {
        throw RowError.Kind.value(property: missing, shown: "", .missing)
      }
      if insertion == nil { insertion = Prepared(fields, try connection.prepare(plan.insertion)) }
      if let insertion { try run(insertion, key, row, of: rows) }
      result = .inserted
    }
    try known.take(row: row, of: rows, giving: given, in: plan, key: key)
    return result
  }

  private func update(
    _ existing: Int64, _ row: Int, of rows: PackedRows, _ given: GivenFields
  ) throws -> Result {
    guard let statement = plan.update(giving: given.fields, except: known?.attributes ?? []) else {
      return .unchanged
    }
    let prepared = try prepared(rows.givenNumber(ofRow: row)) { statement }
    try run(prepared, existing, row, of: rows)
    guard connection.changeCount > 0 else { return .unchanged }
    try refuseLinks(among: given.fields)
    return .updated
  }

  private func run(
    _ prepared: Prepared, _ key: Int64, _ row: Int, of rows: PackedRows
  ) throws(DatabaseError) {
    try prepared.statement.bind(key: key, at: 1)
    try prepared.statement.bind(row: row, of: rows, from: 2)
    defer { prepared.statement.reset() }
    _ = try prepared.statement.step()
  }

  private func conflict(
    _ row: Int, of rows: PackedRows, _ attributes: [String]
  ) -> RowError.Kind {
    .conflict(plan.values(of: attributes, row: row, of: rows), policy: policy)
  }

  private func prepared(
    _ number: UInt32, _ sql: () -> SQL
  ) throws(DatabaseError) -> Prepared {
    if let known = statements[number] { return known }
    let given = given[number]
    let made = Prepared(given, try connection.prepare(sql()))
    if statements.count == Self.statementLimit { statements.removeAll() }
    statements[number] = made
    return made
  }

  /// Rejects a record whose unique values belong to a row of another entity. An inherited constraint applies to all
  /// subentities of the entity that declares it, but a record can't change a row of another entity.
  private func refuseRowOfOtherEntity(_ row: Int, of rows: PackedRows) throws {
    guard policy == .update, plan.place.sharesTable else { return }
    for constraint in plan.uniqueness {
      let values = plan.values(of: constraint.properties, row: row, of: rows)
      guard
        let owner = try connection.otherOwner(of: values.map(\.value), by: constraint, in: plan)
      else { continue }
      throw RowError.Kind.conflict(values, owner: owner)
    }
  }

  /// Rejects records that set a one-to-one or ordered relationship of an existing row, because other rows would have to
  /// change too.
  private func refuseLinks(among fields: [Int]) throws {
    for field in fields {
      let name = plan.fields[field].name
      guard let step = plan.relationships.first(where: { $0.property == name }),
        step.partner != nil || step.column.orderColumn != nil
      else { continue }
      throw RowError.Kind.linkOfExistingRow(property: name)
    }
  }

  /// Checks the relationships of the changed rows, and records the changes.
  ///
  /// - Throws: `RowError` for a reference to a missing row; `DatabaseError`.
  func finish() throws {
    guard let log else { return }
    try log.close()
    for step in plan.relationships {
      // Unchanged references aren't checked, because they can have been invalid before.
      let keys = log.rows(changing: step)
      guard let row = try connection.rows(step.danglingReference(of: keys)).first,
        case .integer(let target) = row[1]
      else { continue }
      throw RowError(
        .danglingReference(
          property: step.property, destination: step.column.destination, key: target),
        entity: plan.entity, record: nil)
    }
    try log.record(in: changes)
    if !keepsKeys { try log.remove() }
    self.log = nil
  }
}

/// The fields of a record, which usually are the same in all records of an input.
package struct GivenFields: Hashable, Sendable {
  /// The indices of the plan's fields, in ascending order.
  package var fields: [Int]
  /// A required property without a default that the record doesn't contain, so that the record can't become a new row.
  package var missing: String?
}

/// The numbered sets of fields in an input. One thread adds sets, and another one reads them.
package final class GivenFieldSets: Sendable {
  private struct State {
    var all: [GivenFields] = []
    var numbers: [GivenFields: UInt32] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  package var count: UInt32 { state.withLock { UInt32($0.all.count) } }

  func number(of given: GivenFields) -> UInt32 {
    state.withLock { state in
      if let known = state.numbers[given] { return known }
      let number = UInt32(state.all.count)
      state.all.append(given)
      state.numbers[given] = number
      return number
    }
  }

  package subscript(number: UInt32) -> GivenFields { state.withLock { $0.all[Int(number)] } }
}
