package import RecordFormats
import StoreLayout
package import SQLiteAccess
package import StoreModel
import StorePredicate

/// Turns the values of flat records into packed rows, by a plan: types, defaults, validation.
///
/// Runs on the thread that parses; no Swift value is made for a value that is right.
package struct RowEncoder {
  package let plan: InsertPlan
  /// Upper-case UUID that object IDs must name, where they name a store.
  private let store: String?
  private let names: [[UInt8]]
  private let rules: [ValueRules?]
  private let validates: Bool
  /// Set when records may change rows that exist: then it counts which fields they give.
  private let given: GivenFieldSets?
  private var lastGiven = GivenFields(fields: [])
  private var lastGivenNumber: UInt32?
  /// The last record that set each field, to find a field set twice.
  private var lastRecord: [Int]
  private var record = 0
  /// The field that came after the last one in the record before: records mostly look alike.
  private var expected = 0
  private var entityOfPrefix: (prefix: [UInt8], field: Int, number: Int64)?
  /// Decimals with more digits than a Double keeps.
  package private(set) var roundedDecimals = 0

  /// - Parameter validates: false leaves out what the model asks beyond the type.
  package init(
    _ plan: InsertPlan, store: String?, validates: Bool = true, given: GivenFieldSets? = nil
  ) {
    self.plan = plan
    self.store = store
    self.validates = validates
    self.given = given
    names = plan.fields.map { Array($0.name.utf8) }
    rules = plan.fields.map { validates ? ValueRules($0) : nil }
    lastRecord = Array(repeating: 0, count: plan.fields.count)
  }

  /// Begins a record as the next row of `rows`.
  package mutating func beginRecord(in rows: PackedRows) {
    record += 1
    expected = 0
    let cells = rows.nextCells
    for index in 0..<plan.width { cells[index] = .null }
  }

  /// The index of the field with that name; nil when the plan has none.
  @inline(__always)
  package mutating func field(named name: UnsafeBufferPointer<UInt8>) -> Int? {
    if expected < names.count, Self.equal(names[expected], name) {
      expected += 1
      return expected - 1
    }
    guard let found = names.firstIndex(where: { Self.equal($0, name) }) else { return nil }
    expected = found + 1
    return found
  }

  @inline(__always)
  private static func equal(_ name: [UInt8], _ other: UnsafeBufferPointer<UInt8>) -> Bool {
    name.count == other.count && name.withUnsafeBufferPointer { $0.elementsEqual(other) }
  }

  /// Whether the record has set the field already.
  package func isSet(_ field: Int) -> Bool { lastRecord[field] == record }

  /// Counts a field as set: its value comes when all rows are in.
  package mutating func postpone(_ field: Int) { lastRecord[field] = record }

  /// Puts a value into the row.
  package mutating func set(
    _ field: Int, to value: FieldValue, in rows: PackedRows
  ) throws(ValueError) {
    lastRecord[field] = record
    let cells = rows.nextCells
    let target = plan.fields[field]
    switch target.content {
    case .attribute(let type, let isExternal):
      let cell = try type.cell(
        for: value, isExternal: isExternal, in: rows, rounding: &roundedDecimals)
      try put(cell, into: target, rules[field], of: rows)
    case .toOne(let toOne):
      if let text = Self.description(of: value, for: toOne) {
        cells[target.cell] = rows.cell(.text, text.baseAddress, count: text.count)
        return
      }
      guard let (key, entity) = try destination(value, of: field, toOne) else {
        if target.isRequired, validates { throw .missing }
        return
      }
      cells[target.cell] = .integer(key)
      if let entityCell = toOne.entityCell { cells[entityCell] = .integer(entity) }
    }
  }

  /// Puts a stored value into its place when the model allows it there.
  @inline(__always)
  private func put(
    _ cell: PackedRows.Cell, into target: InsertPlan.Field, _ rules: ValueRules?,
    of rows: PackedRows
  ) throws(ValueError) {
    if cell.kind == .null, target.isRequired, validates { throw .missing }
    if let rules { try rules.check(cell, in: rows) }
    rows.nextCells[target.cell] = cell
  }

  /// Puts what SQLite has computed for an expression into the row of an attribute.
  package mutating func set(
    _ field: Int, toComputed value: SQLiteValue, in rows: PackedRows
  ) throws(ValueError) {
    guard case .attribute(let type, let isExternal) = plan.fields[field].content else {
      throw .noObjectID(describedBy: nil)
    }
    var stored = try type.stored(computed: value)
    if case .blob(let bytes) = stored, isExternal {
      stored = .blob([ExternalValue.inlineMark] + bytes)
    }
    try set(field, toStored: stored, in: rows)
  }

  /// Puts what the column is to hold into the row of an attribute.
  mutating func set(
    _ field: Int, toStored value: SQLiteValue, in rows: PackedRows
  ) throws(ValueError) {
    lastRecord[field] = record
    try put(rows.cell(of: value), into: plan.fields[field], rules[field], of: rows)
  }

  /// Fills in the defaults and makes the row count.
  ///
  /// - Throws: that the first field is missing that the record needed to set.
  package mutating func endRecord(
    in rows: PackedRows, at place: TextPosition
  ) throws(RowError.Kind) {
    let cells = rows.nextCells
    var missing: String?
    for index in plan.fields.indices where lastRecord[index] != record {
      let field = plan.fields[index]
      if field.defaultValue == .null {
        if field.isRequired, validates { missing = missing ?? field.name }
      } else {
        cells[field.cell] = rows.cell(of: field.defaultValue)
      }
    }
    guard let given else {
      if let missing { throw .value(property: missing, shown: "", .missing) }
      return rows.commitRow(at: place)
    }
    rows.commitRow(at: place, given: givenNumber(in: given, missing: missing))
  }

  /// The number of the set of fields that the record gives, which is mostly that of the one before.
  private mutating func givenNumber(in sets: GivenFieldSets, missing: String?) -> UInt32 {
    let fields = plan.fields.indices.filter { lastRecord[$0] == record }
    let now = GivenFields(fields: fields, missing: missing)
    if let lastGivenNumber, now == lastGiven { return lastGivenNumber }
    let number = sets.number(of: now)
    (lastGiven, lastGivenNumber) = (now, number)
    return number
  }
}

// MARK: To-one relationships

extension RowEncoder {
  /// Text that describes the destination by something else than its ID: a predicate, or a value of
  /// its unique attribute. The writer looks for the row.
  private static func description(
    of value: FieldValue, for toOne: InsertPlan.ToOne
  ) -> UnsafeBufferPointer<UInt8>? {
    switch value {
    case .null, .boolean: return nil
    case .number(let digits): return toOne.uniqueKey == nil ? nil : digits
    case .literal(let bytes) where AttributeType.isNull(bytes): return nil
    case .text(let bytes), .literal(let bytes):
      if RowDescription.begins(bytes) { return bytes }
      return toOne.uniqueKey == nil || bytes.starts(with: Self.idScheme) ? nil : bytes
    }
  }

  private static let idScheme = Array("x-coredata:".utf8)

  /// The row that an object ID names, and its entity's number; nil for NULL.
  private mutating func destination(
    _ value: FieldValue, of field: Int, _ toOne: InsertPlan.ToOne
  ) throws(ValueError) -> (Int64, Int64)? {
    let text: UnsafeBufferPointer<UInt8>
    switch value {
    case .null: return nil
    case .literal(let bytes) where AttributeType.isNull(bytes): return nil
    case .text(let bytes), .literal(let bytes): text = bytes
    case .boolean, .number: throw .noObjectID(describedBy: toOne.namingAttribute)
    }
    if let known = entityOfPrefix, known.field == field, text.starts(with: known.prefix),
      let key = NumberText.integer(
        UnsafeBufferPointer(rebasing: text[known.prefix.count...])), key > 0
    {
      return (key, known.number)
    }
    guard let id = ObjectID(text: String(decoding: text, as: UTF8.self)) else {
      throw .noObjectID(describedBy: toOne.namingAttribute)
    }
    if let store, let other = id.store, other != store { throw .foreignStore(other) }
    guard let number = toOne.entityNumbers[id.entity] else {
      throw .wrongDestination(id.entity, expected: toOne.entityNumbers.keys.sorted())
    }
    if let slash = text.lastIndex(of: UInt8(ascii: "/")) {
      entityOfPrefix = (Array(text[...(slash + 1)]), field, number)
    }
    return (id.primaryKey, number)
  }
}
