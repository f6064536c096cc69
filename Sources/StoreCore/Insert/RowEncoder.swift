package import RecordFormats
import StoreLayout
package import SQLiteAccess
package import StoreModel
import StorePredicate

/// Converts the values of flat records to packed rows according to a plan: types, defaults, validation.
///
/// It runs on the parsing thread, and rarely allocates memory for valid input.
package struct RowEncoder: Sendable {
  package let plan: InsertPlan
  /// The UUID in upper case that object IDs must contain if they contain a store.
  private let store: String?
  private let names: [[UInt8]]
  private let rules: [ValueRules?]
  private let validates: Bool
  /// Collects the sets of fields that the records contain. Nil if the statements don't depend on these sets.
  private let given: GivenFieldSets?
  private var lastGiven = GivenFields(fields: [])
  private var lastGivenNumber: UInt32?
  /// The number of the last record that set each field, to detect duplicate fields.
  private var lastRecord: [Int]
  private var record = 0
  /// The index of the field after the last one that was found, because records usually have the order of the plan.
  private var expected = 0
  private var entityOfPrefix: (prefix: [UInt8], field: Int, number: Int64)?
  /// The number of decimals with more digits than a Double.
  package private(set) var roundedDecimals = 0

  /// - Parameter validates: false skips the model's validation rules.
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

  /// Begins a record in the next row of `rows`.
  package mutating func beginRecord(in rows: PackedRows) {
    record += 1
    expected = 0
    let cells = rows.nextCells
    for index in 0..<plan.width { cells[index] = .null }
  }

  /// Returns the index of the field with a name, or nil if the plan doesn't contain it.
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

  /// Returns whether the record has set the field.
  package func isSet(_ field: Int) -> Bool { lastRecord[field] == record }

  /// Marks a field as set whose value the caller writes after all rows.
  package mutating func postpone(_ field: Int) { lastRecord[field] = record }

  /// Sets a value in the row.
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

  /// Sets a stored value if the model allows it.
  @inline(__always)
  private func put(
    _ cell: PackedRows.Cell, into target: InsertPlan.Field, _ rules: ValueRules?,
    of rows: PackedRows
  ) throws(ValueError) {
    if cell.kind == .null, target.isRequired, validates { throw .missing }
    if let rules { try rules.check(cell, in: rows) }
    rows.nextCells[target.cell] = cell
  }

  /// Sets the result of an SQL expression in the field of an attribute.
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

  /// Sets the stored value in the field of an attribute.
  mutating func set(
    _ field: Int, toStored value: SQLiteValue, in rows: PackedRows
  ) throws(ValueError) {
    lastRecord[field] = record
    try put(rows.cell(of: value), into: plan.fields[field], rules[field], of: rows)
  }

  /// Sets the defaults and completes the row.
  ///
  /// - Throws: an error if a required field isn't set. If sets of fields are collected, the set contains the name of
  ///   the missing field instead, because an existing row can have a value.
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

  /// Returns the number of the record's set of fields, which usually is the number of the previous record's set.
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
  /// Returns text that describes the destination without its ID: a predicate, or a value of its unique attribute.
  /// Returns nil for other values. The writer finds the row that the text describes.
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

  /// Returns the key and the entity number of an object ID, or nil for NULL.
  private mutating func destination(
    _ value: FieldValue, of field: Int, _ toOne: InsertPlan.ToOne
  ) throws(ValueError) -> (Int64, Int64)? {
    let text: UnsafeBufferPointer<UInt8>
    switch value {
    case .null: return nil
    case .literal(let bytes) where AttributeType.isNull(bytes): return nil
    case .text(let bytes), .literal(let bytes): text = bytes
    case .boolean, .number: throw toOne.noObjectID
    }
    if let known = entityOfPrefix, known.field == field, text.starts(with: known.prefix),
      let key = NumberText.integer(
        UnsafeBufferPointer(rebasing: text[known.prefix.count...])), key > 0
    {
      return (key, known.number)
    }
    let id = ObjectID(text: String(decoding: text, as: UTF8.self))
    guard let id else { throw toOne.noObjectID }
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
