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
  /// The indexes in `plan.fields`, by the property's name.
  private let fieldIndexes: [String: Int]
  /// The names of the entities that declare the relationships, by the relationship's name.
  private let owners: [String: String]
  /// The indexes of the to-one relationships in `plan.fields`. Their values are written after all rows.
  private let toOneFields: [Int]
  /// The formats of the date attributes that don't use ISO 8601, by the index of the field.
  private let dateFormats: [Int: DateForm]
  /// The counts of an attribute's dates, by the index of the field.
  private var dateCounts: [Int: DateCounts] = [:]
  private var encoder: RowEncoder
  private let row: PackedRows
  private let keys: KeyAllocator
  private let changes: ChangeRecorder
  private var writer: RowWriter
  /// The objects that are identified by the import key. They are written after all input is read. Nil if the entity
  /// doesn't have an import key.
  let staged: StagedObjects?
  /// The objects whose `$id` is the ID of an existing row.
  private var identified: StagedObjects?
  /// The number of objects whose `$id` is an object ID of this store but doesn't identify a row.
  var goneCount = 0
  /// The number of new rows that weren't compared with other rows by the import key. They lack at least one
  /// value of the key, or they have a `$id` and the key is neither a uniqueness constraint nor specified by the caller.
  private(set) var keylessCount = 0
  /// Whether the store contained rows of the entity before the import.
  let hadRows: Bool
  /// The sets of fields that objects contain. Encoded rows refer to a set by its number.
  private let fieldSets = GivenFieldSets()
  private let connection: Connection
  private let policy: ConflictPolicy

  /// - Parameter hierarchy: the entity and its ancestors.
  init(
    _ plan: InsertPlan, of hierarchy: [EntityDescription], dateFormats: [String: DateForm],
    store: String,
    on connection: Connection, keys: KeyAllocator, changes: ChangeRecorder, key: ImportKey?,
    policy: ConflictPolicy
  ) throws(DatabaseError) {
    self.plan = plan
    fieldIndexes = Dictionary(
      plan.fields.enumerated().map { ($0.element.name, $0.offset) }
    ) { first, _ in first }
    owners = Dictionary(
      hierarchy.flatMap { entity in entity.relationships.map { ($0.name, entity.name) } }
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
    encoder = RowEncoder(plan, store: store, validates: true, given: fieldSets)
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
    staged = try StagedObjects(plan, key: key, policy: policy, given: fieldSets, on: connection)
  }

  var insertedCount: Int { writer.insertedCount }

  /// Writes the staged objects.
  ///
  /// - Returns: whether there were staged objects.
  func writeStaged(_ inputs: ImportInputs) throws -> Bool {
    guard let staged, !staged.isEmpty else { return false }
    writer.note(written: try staged.write(changes, inputs))
    return true
  }

  /// Updates the rows that objects identify by their `$id`, unless the policy is `.ignore`.
  func writeKnown(_ inputs: ImportInputs) throws {
    guard let identified else { return }
    _ = try identified.write(changes, inputs)
    try identified.close()
  }

  var roundedDecimals: Int { encoder.roundedDecimals }

  func finish() throws { try writer.finish(linksAreSettled: true) }

  func owner(of relationship: String) -> String { owners[relationship] ?? plan.entity }

  /// The counts of dates that may have been misread, by `Entity.attribute`.
  var remarkableDates: [String: DateCounts] {
    let named = dateCounts.filter(\.value.isRemarkable).sorted { $0.key < $1.key }
      .map { ("\(plan.entity).\(plan.fields[$0.key].name)", $0.value) }
    return Dictionary(named) { first, _ in first }
  }

  func settleVersions() throws { try writer.settleVersions() }

  /// Writes a new row, or stages the object if it is identified by its `$id` or by the import key.
  ///
  /// - Parameter existing: the primary key of the row that the object's `$id` identifies, or nil.
  /// - Returns: the primary key of the row. For an object with an import key, it is provisional: if another row has the
  ///   same import key, `ImportLinks.replace` replaces it by the key of that row.
  func write(
    _ object: ImportedObject, from record: GraphWriter.Record, isNested: Bool, as existing: Int64?
  ) throws -> Int64 {
    row.removeAll()
    encoder.beginRecord(in: row)
    for (name, value) in object.attributes { try set(name, to: value, of: record) }
    for field in toOneFields { encoder.postpone(field) }
    do {
      try encoder.endRecord(in: row, at: record.position)
    } catch let kind {
      throw error(kind, record)
    }
    if let existing {
      try stage(existing, from: record, isNested: isNested)
      return existing
    }
    if let staged {
      // An object with a `$id` isn't also matched by the import key, unless the key is a uniqueness constraint or the
      // caller specified it.
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
    if let missing = fieldSets[row.givenNumber(ofRow: 0)].missing {
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
    _ existing: Int64, from record: GraphWriter.Record, isNested: Bool
  ) throws(DatabaseError) {
    if identified == nil {
      identified = try StagedObjects(
        plan, key: .row, policy: policy == .ignore ? .ignore : .update, given: fieldSets,
        on: connection)
    }
    try identified?.add(row: 0, of: row, key: existing, from: record, isNested: isNested)
  }

  private func set(
    _ name: String, to value: JSONValue, of record: GraphWriter.Record
  ) throws {
    // The value of a derived attribute is ignored, because it is computed from other values.
    guard let field = fieldIndexes[name] else { return }
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
      // A string attribute also accepts a number, because identifiers are numbers in some sources and strings in
      // others.
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
  /// Calls `body` with the value as a field, or with nil if it is an object or an array.
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
