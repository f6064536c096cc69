import SQLiteAccess
import StoreLayout
import StoreModel
import Synchronization

/// Writes records that may meet rows with the same unique values, by a conflict policy.
///
/// One statement for each set of fields that records give: only these change in a row that is there.
package final class Upsert {
  private let plan: InsertPlan
  private let policy: ConflictPolicy
  private let connection: Connection
  private let changes: ChangeRecorder
  private let given: GivenFieldSets
  /// Finds rows by a key that the caller has chosen; nil where constraints find them.
  private let known: KnownRows?
  private var statements: [UInt32: Prepared] = [:]
  private var insertion: Prepared?
  /// Keeps the keys of changed rows, and what differs, where something has to follow from them.
  private var log: UpsertLog?
  /// The keys of changed rows are wanted afterwards.
  private let keepsKeys: Bool

  /// Inputs show a few sets of keys; one that shows many must not fill the memory.
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

  /// The table whose column `k` names the rows that were changed; nil when nobody wants them.
  var changedRows: SQL? { keepsKeys ? UpsertLog.rows : nil }

  /// - Parameter key: for the row, if it is a new one.
  /// - Throws: `RowError.Kind` of what is wrong with the record; `DatabaseError`.
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

  /// Records without all values of the key, which became new rows.
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
    case KnownRows.Match.none?, nil:
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

  /// A constraint that an entity inherits holds among all entities below its owner; the row that is
  /// there may be one of a sibling, which this record can't change.
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

  /// The other side of a one-to-one, and places, would have to follow.
  private func refuseLinks(among fields: [Int]) throws {
    for field in fields {
      let name = plan.fields[field].name
      guard let step = plan.relationships.first(where: { $0.property == name }),
        step.partner != nil || step.column.orderColumn != nil
      else { continue }
      throw RowError.Kind.linkOfExistingRow(property: name)
    }
  }

  /// Checks the relationships of the changed rows, and records them.
  ///
  /// - Throws: `RowError` for a reference to a row that does not exist; `DatabaseError`.
  func finish() throws {
    guard let log else { return }
    try log.close()
    for step in plan.relationships {
      // A reference that stays may have led nowhere before.
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

/// Which fields a record gives; records of one input mostly give the same.
package struct GivenFields: Hashable, Sendable {
  /// Indexes of the plan's fields, ascending.
  package var fields: [Int]
  /// A required property that it does not give and that has no default: no new row can do without.
  package var missing: String?
}

/// The sets of given fields that an input has shown, numbered. One thread adds, another looks up.
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
