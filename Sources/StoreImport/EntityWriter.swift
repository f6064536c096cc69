import RecordFormats
import SQLiteAccess
import StoreCore
import StoreLayout
import StoreDiagnostics
import StoreModel
import StorePredicate

/// Writes the rows of one entity.
final class EntityWriter {
  let plan: InsertPlan
  let requiredToOnes: [String]
  private let fields: [String: Int]
  /// The entities that declare the relationships.
  private let owners: [String: String]
  /// The fields of to-one relationships, whose values follow after all rows.
  private let toOneFields: [Int]
  /// The formats of dates other than ISO 8601.
  private let dateFormats: [Int: DateForm]
  /// The counts by field.
  private var dateCounts: [Int: DateCounts] = [:]
  private var encoder: RowEncoder
  private let row: PackedRows
  private let keys: KeyAllocator
  private let changes: ChangeRecorder
  private var writer: RowWriter
  /// Objects with a key, which wait until all are read.
  let staged: StagedObjects?
  /// Objects whose `$id` is the ID of a row in the store.
  private var known: StagedObjects?
  /// The number of objects whose `$id` is the ID of a deleted row.
  var goneCount = 0
  /// The number of new rows without all values of their key.
  private(set) var keylessCount = 0
  /// Whether the store had rows of the entity.
  let hadRows: Bool
  private let given = GivenFieldSets()
  private let connection: Connection
  private let policy: ConflictPolicy

  /// - Parameter kinds: the entity and its ancestors.
  init(
    _ plan: InsertPlan, of kinds: [Entity], dateFormats: [String: DateForm], store: String,
    on connection: Connection, keys: KeyAllocator, changes: ChangeRecorder, key: ImportKey?,
    policy: ConflictPolicy
  ) throws(DatabaseError) {
    self.plan = plan
    fields = Dictionary(
      plan.fields.enumerated().map { ($0.element.name, $0.offset) }
    ) { first, _ in first }
    owners = Dictionary(
      kinds.flatMap { kind in kind.relationships.map { ($0.name, kind.name) } }
    ) { first, _ in first }
    self.dateFormats = Dictionary(
      plan.fields.enumerated().compactMap { index, field in
        dateFormats[field.name].map { (index, $0) }
      }
    ) { first, _ in first }
    toOneFields = plan.fields.indices.filter { plan.fields[$0].isToOne }
    requiredToOnes = toOneFields.map { plan.fields[$0] }.filter(\.isRequired).map(\.name)
    self.connection = connection
    self.policy = policy
    encoder = RowEncoder(plan, store: store, validates: true, given: given)
    self.keys = keys
    self.changes = changes
    row = PackedRows(width: plan.width)
    writer = try RowWriter(plan, on: connection, keys: keys, changes: changes)
    hadRows =
      try connection.integer(
        """
        SELECT EXISTS (SELECT 1 FROM \(name: plan.table) \
        WHERE \(name: FixedColumn.entity) = \(value: .integer(plan.entityNumber)))
        """) > 0
    guard let key else {
      staged = nil
      return
    }
    staged = try StagedObjects(plan, key: key, policy: policy, given: given, on: connection)
  }

  var insertedCount: Int { writer.insertedCount }

  /// - Returns: whether there were any.
  func writeStaged(_ inputs: ImportInputs) throws -> Bool {
    guard let staged, !staged.isEmpty else { return false }
    writer.note(written: try staged.write(changes, inputs))
    return true
  }

  /// Updates the rows that objects identify by their `$id`.
  func writeKnown(_ inputs: ImportInputs) throws {
    guard let known else { return }
    _ = try known.write(changes, inputs)
    try known.close()
  }

  var roundedDecimals: Int { encoder.roundedDecimals }

  func finish() throws { try writer.finish(linksAreSettled: true) }

  /// Returns the entity that declares a relationship.
  func owner(of relationship: String) -> String { owners[relationship] ?? plan.entity }

  /// The remarkable facts about dates by attribute.
  var remarkableDates: [String: DateCounts] {
    let named = dateCounts.filter(\.value.isRemarkable).sorted { $0.key < $1.key }
      .map { ("\(plan.entity).\(plan.fields[$0.key].name)", $0.value) }
    return Dictionary(named) { first, _ in first }
  }

  func settleVersions() throws { try writer.settleVersions() }

  func write(
    _ object: ImportedObject, from record: GraphWriter.Record, isNested: Bool, as old: Int64?
  ) throws -> Int64 {
    row.removeAll()
    encoder.beginRecord(in: row)
    for value in object.attributes {
      try set(value.attribute, to: value.value, of: record)
    }
    for field in toOneFields { encoder.postpone(field) }
    do {
      try encoder.endRecord(in: row, at: record.position)
    } catch let kind {
      throw error(kind, record)
    }
    if let old {
      try stage(old, from: record, isNested: isNested)
      return old
    }
    if let staged {
      // A `$id` identifies an object regardless of an attribute's value.
      if staged.isKnown(row: 0, of: row),
        staged.key.isConstraint || staged.key.isChosen || object.identity == nil
      {
        let key = try keys.lastKey(for: plan) + 1
        keys.take(upTo: key, for: plan)
        try staged.add(row: 0, of: row, key: key, from: record, isNested: isNested)
        return key
      }
      keylessCount += 1
    }
    if let missing = given[row.givenNumber(ofRow: 0)].missing {
      throw error(.value(property: missing, shown: "", .missing), record)
    }
    do {
      return try writer.write(row: 0, of: row)
    } catch var conflict as RowError {
      conflict.record = record.number
      conflict.place = record.place
      throw conflict
    }
  }

  private func stage(
    _ old: Int64, from record: GraphWriter.Record, isNested: Bool
  ) throws(DatabaseError) {
    if known == nil {
      known = try StagedObjects(
        plan, key: .row, policy: policy == .ignore ? .ignore : .update, given: given,
        on: connection)
    }
    try known?.add(row: 0, of: row, key: old, from: record, isNested: isNested)
  }

  private func set(
    _ name: String, to value: JSONValue, of record: GraphWriter.Record
  ) throws {
    // The value of a derived attribute is computed.
    guard let field = fields[name] else { return }
    try value.withField { content in
      guard let content else {
        throw ImportError.notAValue(value.kindName, attribute: name)
      }
      do throws(ValueError) {
        try put(content, into: field)
      } catch let problem {
        var error = error(.value(property: name, shown: content.shown, problem), record)
        error.place = record.place(of: value.position)
        throw error
      }
    }
  }

  private func put(_ content: FieldValue, into field: Int) throws(ValueError) {
    guard let format = dateFormats[field] else {
      // Keys can be numbers in one source and texts in another.
      if case .number(let digits) = content,
        case .attribute(.string, _) = plan.fields[field].content
      {
        return try encoder.set(field, to: .text(digits), in: row)
      }
      return try encoder.set(field, to: content, in: row)
    }
    switch content {
    case .null: try encoder.set(field, to: .null, in: row)
    case .boolean: throw .wrongDate(format: format.pattern.text)
    case .number(let bytes), .text(let bytes), .literal(let bytes):
      var counts = dateCounts[field] ?? DateCounts()
      guard let seconds = format.importedSeconds(bytes, counts: &counts) else {
        throw .wrongDate(format: format.pattern.text)
      }
      counts.note(seconds)
      dateCounts[field] = counts
      try encoder.set(field, toComputed: .real(seconds), in: row)
    }
  }

  private func error(_ kind: RowError.Kind, _ record: GraphWriter.Record) -> RowError {
    RowError(kind, entity: plan.entity, record: record.number, place: record.place)
  }
}

extension InsertPlan.Field {
  fileprivate var isToOne: Bool {
    switch content {
    case .attribute: false
    case .toOne: true
    }
  }
}

extension JSONValue {
  /// Calls `body` with the value of an attribute, or nil for an object or an array.
  fileprivate func withField<Result>(_ body: (FieldValue?) throws -> Result) throws -> Result {
    switch content {
    case .null: return try body(.null)
    case .boolean(let flag): return try body(.boolean(flag))
    case .number(var text): return try text.withUTF8 { try body(.number($0)) }
    case .string(var text): return try text.withUTF8 { try body(.text($0)) }
    case .array, .object: return try body(nil)
    }
  }
}
