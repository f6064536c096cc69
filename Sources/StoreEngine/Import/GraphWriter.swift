import StoreDiagnostics
import StoreModel

/// Writes imported objects: each its row at once, the relationships when all rows are in.
struct GraphWriter {
  private let layout: StoreLayout
  private let connection: Connection
  private let store: String
  private let keys: KeyAllocator
  private var writers: [String: EntityWriter] = [:]
  private var links: ImportLinks
  /// New rows by entity.
  private(set) var inserted: [String: Int] = [:]

  init(layout: StoreLayout, store: String, on connection: Connection) throws(StoreError) {
    self.layout = layout
    self.store = store
    self.connection = connection
    keys = KeyAllocator(connection)
    links = try ImportLinks(on: connection)
  }

  /// Decimals that a Double could not keep exactly.
  var roundedDecimals: Int { writers.values.reduce(0) { $0 + $1.roundedDecimals } }

  /// Where a record stands, for messages.
  struct Record {
    var number: Int
    var input: String
    var position: TextPosition

    var place: SourcePlace {
      SourcePlace(file: input, line: position.line, column: position.column)
    }
  }

  /// Writes an object and all that is nested in it.
  ///
  /// - Parameter postponed: a relationship that an outer object will set.
  /// - Returns: the row's key.
  @discardableResult
  mutating func write(
    _ object: ImportedObject, from record: Record, postponed: String? = nil
  ) throws -> Int64 {
    let writer = try writer(for: object.entity)
    let key = try writer.write(object, from: record, postponed: postponed)
    inserted[object.entity.name, default: 0] += 1
    if let identity = object.identity {
      let number = writer.plan.entityNumber
      guard try links.name(identity, entity: number, key: key) else {
        throw ImportError.repeatedIdentity(identity)
      }
    }
    for link in object.links {
      for (position, target) in link.targets.enumerated() {
        try follow(link.relationship, of: object, key, to: target, at: position, from: record)
      }
    }
    return key
  }

  private mutating func follow(
    _ relationship: Relationship, of owner: ImportedObject, _ key: Int64,
    to target: ImportedTarget, at position: Int, from record: Record
  ) throws {
    let kind = ImportLinks.Kind(
      entity: owner.entity.name, relationship: relationship.name,
      destination: relationship.destination)
    switch target {
    case .reference(let text):
      try links.add(kind, owner: key, position: position, to: .reference(text))
    case .object(let nested):
      let nestedKey = try write(nested, from: record, postponed: relationship.inverse)
      let number = try writer(for: nested.entity).plan.entityNumber
      try links.add(
        kind, owner: key, position: position, to: .row(entity: number, key: nestedKey))
    }
  }

  private mutating func writer(for entity: Entity) throws -> EntityWriter {
    if let known = writers[entity.name] { return known }
    let plan = try InsertPlan(entity: entity.name, in: layout)
    let made = try EntityWriter(plan, store: store, on: connection, keys: keys)
    writers[entity.name] = made
    return made
  }

  /// Writes the relationships and the counters.
  ///
  /// - Throws: `ImportError` for a reference that leads nowhere, else what `RowWriter` throws.
  mutating func finish() throws {
    try links.resolve(in: layout, store: store)
    try links.writeToOne(in: layout, on: connection)
    // The rows' own order comes before the one that a to-many's array gives them.
    for writer in writers.values.sorted(by: { $0.plan.entityNumber < $1.plan.entityNumber }) {
      try writer.finish()
    }
    try links.writeToMany(in: layout, on: connection)
    try keys.record()
  }
}

/// Writes the rows of one entity.
private final class EntityWriter {
  let plan: InsertPlan
  private var encoder: RowEncoder
  private let row: PackedRows
  private var writer: RowWriter

  init(
    _ plan: InsertPlan, store: String, on connection: Connection, keys: KeyAllocator
  ) throws(StoreError) {
    self.plan = plan
    encoder = RowEncoder(plan, store: store)
    row = PackedRows(width: plan.width)
    writer = try RowWriter(plan, on: connection, keys: keys)
  }

  var roundedDecimals: Int { encoder.roundedDecimals }

  func finish() throws { try writer.finish() }

  func write(
    _ object: ImportedObject, from record: GraphWriter.Record, postponed: String?
  ) throws -> Int64 {
    row.removeAll()
    encoder.beginRecord(in: row)
    for value in object.attributes {
      try set(value.attribute, to: value.value, of: record)
    }
    for name in object.links.map(\.relationship.name) + [postponed].compactMap({ $0 }) {
      if let field = plan.fields.firstIndex(where: { $0.name == name }) {
        encoder.postpone(field)
      }
    }
    do {
      try encoder.endRecord(in: row, at: record.position)
    } catch let missing {
      throw error(.value(property: missing.property, shown: "", .missing), record)
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
    guard let field = plan.fields.firstIndex(where: { $0.name == name }) else { return }
    try value.withField { content in
      guard let content else {
        throw error(.value(property: name, shown: value.kindName, .nested), record)
      }
      do throws(ValueProblem) {
        try encoder.set(field, to: content, in: row)
      } catch let problem {
        throw error(.value(property: name, shown: content.shown, problem), record)
      }
    }
  }

  private func error(_ kind: RowError.Kind, _ record: GraphWriter.Record) -> RowError {
    RowError(kind, entity: plan.entity, record: record.number, place: record.place)
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
