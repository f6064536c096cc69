import RecordFormats
import SQLiteAccess
import StoreEngine
import StoreLayout
import StoreSQL
import StoreDiagnostics
import StoreModel
import StorePredicate

/// Writes imported objects: each its row at once, the relationships when all rows are in.
struct GraphWriter {
  private let layout: StoreLayout
  private let connection: Connection
  private let store: String
  private let keys: KeyAllocator
  private let changes: ChangeRecorder
  private let dateFormats: DateFormats
  private let policy: ConflictPolicy
  private var writers: [String: EntityWriter] = [:]
  private let links: ImportLinks
  private let requiredToOnes: RequiredToOnes
  private let counts: MemberCountWatch
  /// New rows by entity.
  private(set) var inserted: [String: Int] = [:]
  /// Rows that were there and took values, by entity.
  private(set) var updated: [String: Int] = [:]
  /// Rows that objects turned out to be, and that stayed as they were.
  private(set) var unchanged = 0

  init(
    layout: StoreLayout, store: String, dateFormats: DateFormats, policy: ConflictPolicy,
    on connection: Connection
  ) throws {
    self.layout = layout
    self.store = store
    self.dateFormats = dateFormats
    self.policy = policy
    self.connection = connection
    keys = KeyAllocator(connection)
    changes = try ChangeRecorder(in: layout, on: connection)
    links = try ImportLinks(on: connection)
    requiredToOnes = try RequiredToOnes(on: connection)
    counts = try MemberCountWatch(
      layout.memberCountRules, in: layout, on: connection, checksNewOwners: true)
  }

  /// Decimals that a Double could not keep exactly.
  var roundedDecimals: Int { writers.values.reduce(0) { $0 + $1.roundedDecimals } }

  /// Where a record stands, for messages.
  struct Record {
    var number: Int
    var input: String
    var position: TextPosition

    var place: SourcePlace { place(of: position) }

    /// Where a value of the record stands.
    func place(of position: TextPosition) -> SourcePlace {
      SourcePlace(file: input, line: position.line, column: position.column)
    }
  }

  /// Writes an object and all that is nested in it.
  ///
  /// - Returns: the row's key.
  @discardableResult
  mutating func write(
    _ object: ImportedObject, from record: Record, isNested: Bool = false
  ) throws -> Int64 {
    let writer = try writer(for: object.entity)
    let key = try writer.write(object, from: record, isNested: isNested)
    if let identity = object.identity {
      let number = writer.plan.entityNumber
      guard try links.name(identity, entity: number, key: key) else {
        throw ImportError.repeatedIdentity(identity)
      }
    }
    for property in writer.requiredToOnes
    where !object.links.contains(where: { $0.relationship.name == property }) {
      try requiredToOnes.expect(property, of: object.entity.name, key: key, from: record)
    }
    for link in object.links {
      let kind = ImportLinks.Kind(
        entity: object.entity.name, relationship: link.relationship.name,
        destination: link.relationship.destination)
      for (position, target) in link.targets.enumerated() {
        try links.add(
          kind, owner: key, position: position, to: place(of: target, from: record),
          record: record.number, key: { ReferenceKey(behind: link.relationship, in: layout) })
      }
    }
    return key
  }

  /// Where a link leads; an object that is nested in its owner is written first.
  private mutating func place(
    of target: ImportedTarget, from record: Record
  ) throws -> ImportLinks.Target {
    switch target {
    case .reference(let text): return .reference(text)
    case .object(let nested):
      let key = try write(nested, from: record, isNested: true)
      return .row(entity: try writer(for: nested.entity).plan.entityNumber, key: key)
    }
  }

  private mutating func writer(for entity: Entity) throws -> EntityWriter {
    if let known = writers[entity.name] { return known }
    let plan = try InsertPlan(entity: entity.name, in: layout)
    let made = try EntityWriter(
      plan, dateFormats: dateFormats.formats(of: entity), store: store, on: connection, keys: keys,
      changes: changes, key: ImportKeys(model: layout.model).key(of: entity), policy: policy)
    writers[entity.name] = made
    return made
  }

  /// Writes the relationships and the counters.
  ///
  /// - Parameter input: the input's name, for messages.
  /// - Throws: `ImportError` for a reference that leads nowhere, `RowError` for a required to-one
  ///   that no record gives, else what `RowWriter` throws.
  mutating func finish(input: String) throws {
    let merged = try mergeObjects(input)
    try links.resolve(in: layout, store: store, keys: keys)
    try links.settle(merged, in: layout, on: policy, keys: keys, changes)
    try links.writeToOne(in: layout, on: connection)
    // Members that an array places come first in an ordered relationship, then those that only
    // name their owner.
    try links.writeToMany(in: layout, on: connection, changes)
    let ordered = writers.values.sorted { $0.plan.entityNumber < $1.plan.entityNumber }
    for writer in ordered {
      try writer.finish()
      if writer.insertedCount > 0 { inserted[writer.plan.entity] = writer.insertedCount }
    }
    for writer in ordered { try writer.settleVersions() }
    try requiredToOnes.check(in: layout, input: input)
    try counts.check()
    try keys.record()
    try changes.finish()
  }
}

extension GraphWriter {
  /// Writes the objects that are known by a key, sub-entities first: an object of an entity may be a
  /// row of one below it.
  ///
  /// - Returns: the entities of such objects.
  private mutating func mergeObjects(_ input: String) throws -> Set<String> {
    let staging = writers.values.filter { $0.staged != nil }
      .sorted { depth(of: $0.plan) > depth(of: $1.plan) }
    for writer in staging {
      guard let objects = writer.staged else { continue }
      let outcome = try writer.writeStaged(input: input)
      if outcome.updated > 0 { updated[writer.plan.entity] = outcome.updated }
      unchanged += outcome.unchanged
      guard outcome != StagedObjects.Outcome() else { continue }
      try links.replace(objects.same, of: writer.plan.place)
      try objects.close()
    }
    for writer in staging { try keys.release(for: writer.plan) }
    return Set(staging.map(\.plan.entity))
  }

  private func depth(of plan: InsertPlan) -> Int {
    layout.model.entity(named: plan.entity).map { layout.model.ancestors(of: $0).count } ?? 0
  }
}

/// Writes the rows of one entity.
private final class EntityWriter {
  let plan: InsertPlan
  let requiredToOnes: [String]
  private let fields: [String: Int]
  /// The values of to-one relationships come when all rows are in.
  private let toOneFields: [Int]
  /// Of dates that are not ISO 8601.
  private let dateFormats: [Int: DatePattern]
  private var encoder: RowEncoder
  private let row: PackedRows
  private let keys: KeyAllocator
  private let changes: ChangeRecorder
  private var writer: RowWriter
  /// Objects that are known by a key wait until all are read.
  let staged: StagedObjects?

  init(
    _ plan: InsertPlan, dateFormats: [String: DatePattern], store: String,
    on connection: Connection, keys: KeyAllocator, changes: ChangeRecorder, key: ImportKey?,
    policy: ConflictPolicy
  ) throws(DatabaseError) {
    self.plan = plan
    fields = Dictionary(
      plan.fields.enumerated().map { ($0.element.name, $0.offset) }
    ) { first, _ in first }
    self.dateFormats = Dictionary(
      uniqueKeysWithValues: dateFormats.compactMap { [fields] name, format in
        fields[name].map { ($0, format) }
      })
    toOneFields = plan.fields.indices.filter { plan.fields[$0].isToOne }
    requiredToOnes = toOneFields.map { plan.fields[$0] }.filter(\.isRequired).map(\.name)
    let given = key.map { _ in GivenFieldSets() }
    encoder = RowEncoder(plan, store: store, validates: true, given: given)
    self.keys = keys
    self.changes = changes
    row = PackedRows(width: plan.width)
    writer = try RowWriter(plan, on: connection, keys: keys, changes: changes)
    guard let key, let given else {
      staged = nil
      return
    }
    staged = try StagedObjects(plan, key: key, policy: policy, given: given, on: connection)
  }

  var insertedCount: Int { writer.insertedCount }

  func writeStaged(input: String) throws -> StagedObjects.Outcome {
    guard let staged else { return StagedObjects.Outcome() }
    let outcome = try staged.write(changes, input: input)
    writer.note(written: outcome.inserted)
    return outcome
  }

  var roundedDecimals: Int { encoder.roundedDecimals }

  func finish() throws { try writer.finish() }

  func settleVersions() throws { try writer.settleVersions() }

  func write(
    _ object: ImportedObject, from record: GraphWriter.Record, isNested: Bool
  ) throws -> Int64 {
    row.removeAll()
    encoder.beginRecord(in: row)
    for value in object.attributes {
      try set(value.attribute, to: value.value, of: record)
    }
    for field in toOneFields { encoder.postpone(field) }
    do {
      try encoder.endRecord(in: row, at: record.position)
    } catch let missing {
      throw error(.value(property: missing.property, shown: "", .missing), record)
    }
    if let staged {
      // A `$id` makes an object itself, whatever a mere attribute says.
      if staged.isKnown(row: 0, of: row), staged.key.isConstraint || object.identity == nil {
        let key = try keys.lastKey(for: plan) + 1
        keys.take(upTo: key, for: plan)
        try staged.add(row: 0, of: row, key: key, from: record, isNested: isNested)
        return key
      }
      if let missing = staged.given[row.givenNumber(ofRow: 0)].missing {
        throw error(.value(property: missing, shown: "", .missing), record)
      }
    }
    do {
      return try writer.write(row: 0, of: row)
    } catch var conflict as RowError {
      conflict.record = record.number
      conflict.place = record.place
      throw conflict
    }
  }

  private func set(
    _ name: String, to value: JSONValue, of record: GraphWriter.Record
  ) throws {
    // A derived attribute's value comes from what it is derived from.
    guard let field = fields[name] else { return }
    try value.withField { content in
      guard let content else {
        throw ImportError.notAValue(value.kindName, attribute: name)
      }
      do throws(ValueProblem) {
        try put(content, into: field)
      } catch let problem {
        var error = error(.value(property: name, shown: content.shown, problem), record)
        error.place = record.place(of: value.position)
        throw error
      }
    }
  }

  private func put(_ content: FieldValue, into field: Int) throws(ValueProblem) {
    guard let format = dateFormats[field] else {
      return try encoder.set(field, to: content, in: row)
    }
    switch content {
    case .null: try encoder.set(field, to: .null, in: row)
    case .boolean: throw .wrongDate(format: format.text)
    case .number(let bytes), .text(let bytes), .literal(let bytes):
      guard let seconds = format.importedSeconds(bytes) else {
        throw .wrongDate(format: format.text)
      }
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
  /// The value of an attribute; nil for an object or an array.
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
