import RecordFormats
import SQLiteAccess
import StoreCore
import StoreLayout
import StoreDiagnostics
import StoreModel
import StorePredicate

/// Writes imported objects. Objects that are identified by an import key or by the `$id` of an existing row are written
/// after all input is read. Other objects are written immediately as new rows. The relationships are written last.
struct GraphWriter {
  private let layout: StoreLayout
  private let connection: Connection
  private let store: String
  private let keys: KeyAllocator
  private let changes: ChangeRecorder
  private let dateFormats: DateFormats
  private let importKeys: ImportKeys
  private let comparison: ImportLinks.Comparison
  private let missingLinks: MissingLinkPolicy
  private let inputs: ImportInputs
  private var policy: ConflictPolicy { comparison.policy }
  private var writers: [String: EntityWriter] = [:]
  private let links: ImportLinks
  private let requiredToOnes: RequiredToOnes
  private let memberCounts: MemberCountWatch
  /// The numbers of new rows by entity.
  private(set) var inserted: [String: Int] = [:]
  /// The numbers of existing rows that were updated, relinked or left unchanged.
  private(set) var counts = ImportLinks.Counts()
  /// The numbers of rows that several objects link to although only one object can link to each of them, by the
  /// destination entity of the relationship.
  private(set) var contested: [String: Int] = [:]
  /// The numbers of omitted references to missing rows, by `Entity.relationship`.
  private(set) var skippedLinks: [String: Int] = [:]
  /// The numbers of lists, by `Entity.relationship`, that weren't fully applied to an existing row. Their new members
  /// were added, but existing members that the lists omit or reorder stayed as they were.
  private(set) var unapplied: [String: Int] = [:]

  init(
    layout: StoreLayout, store: String, dateFormats: DateFormats, keys importKeys: ImportKeys,
    comparison: ImportLinks.Comparison, missingLinks: MissingLinkPolicy, inputs: ImportInputs,
    on connection: Connection, session: HistorySession
  ) throws {
    self.layout = layout
    self.store = store
    self.dateFormats = dateFormats
    self.importKeys = importKeys
    self.comparison = comparison
    self.missingLinks = missingLinks
    self.inputs = inputs
    self.connection = connection
    keys = KeyAllocator(connection)
    changes = try ChangeRecorder(in: layout, on: connection, session: session)
    links = try ImportLinks(inputs, on: connection)
    requiredToOnes = try RequiredToOnes(on: connection)
    memberCounts = try MemberCountWatch(
      layout.memberCountRules, in: layout, on: connection, checksNewOwners: true)
  }

  /// The numbers of new rows of entities that had rows before the import but don't have an import key, by entity.
  var withoutKey: [String: Int] {
    writers.filter { $0.value.staged == nil && $0.value.hadRows && $0.value.insertedCount > 0 }
      .mapValues(\.insertedCount)
  }

  /// The numbers of objects whose `$id` is an object ID of this store but doesn't identify a row, by entity.
  var renamed: [String: Int] { writers.mapValues(\.goneCount).filter { $0.value > 0 } }

  /// By entity, the numbers of new rows that weren't compared with existing rows although the entity has an import key
  /// (`EntityWriter.keylessCount`). Entities that didn't have rows before the import are omitted.
  var withoutKeyValue: [String: Int] {
    writers.filter { $0.value.hadRows }.mapValues(\.keylessCount).filter { $0.value > 0 }
  }

  /// The counts of dates that may have been misread, by `Entity.attribute`.
  var remarkableDates: [String: DateCounts] {
    writers.values.reduce(into: [:]) { all, writer in
      all.merge(writer.remarkableDates) { first, _ in first }
    }
  }

  /// The number of decimals that a Double can't represent exactly.
  var roundedDecimals: Int { writers.values.reduce(0) { $0 + $1.roundedDecimals } }

  /// The location of a record for messages.
  struct Record {
    /// The number among the records of all inputs, from 1.
    var index: Int
    var inputs: ImportInputs
    var position: TextPosition

    /// The number in the record's own input, from 1.
    var number: Int { inputs.locate(index).number }

    var place: SourcePlace { place(of: position) }

    /// Returns the location of a value in the record.
    func place(of position: TextPosition) -> SourcePlace {
      SourcePlace(file: inputs.locate(index).file, line: position.line, column: position.column)
    }
  }

  /// Writes an object and its nested objects.
  ///
  /// - Returns: the primary key of the row, which is provisional for an object with an import key.
  @discardableResult
  mutating func write(
    _ object: ImportedObject, from record: Record, isNested: Bool = false
  ) throws -> Int64 {
    let writer = try writer(for: object.entity)
    let known = try row(named: object.identity, of: writer)
    if let known { try name(known, of: writer, object.identity) }
    let key = try writer.write(object, from: record, isNested: isNested, as: known)
    if known == nil, let identity = object.identity {
      try name(key, of: writer, as: identity)
    }
    for property in writer.requiredToOnes
    where known == nil && (missingLinks == .skip || !object.gives(property)) {
      try requiredToOnes.expect(property, of: object.entity.name, key: key, from: record)
    }
    for link in object.links {
      let kind = ImportLinks.Kind(
        entity: writer.owner(of: link.relationship.name), relationship: link.relationship.name,
        destination: link.relationship.destination)
      let reference = { ReferenceKey(behind: link.relationship, by: importKeys, in: layout) }
      if link.targets.isEmpty, known != nil || writer.staged != nil {
        try links.add(
          kind, owner: key, position: 0, to: .nowhere, record: record.index, key: reference)
      }
      for (position, target) in link.targets.enumerated() {
        try links.add(
          kind, owner: key, position: position, to: place(of: target, from: record),
          record: record.index, key: reference)
      }
    }
    return key
  }

  /// - Throws: `ImportError.repeatedIdentity` if another object has the `$id`, `DatabaseError`.
  private func name(_ key: Int64, of writer: EntityWriter, as identity: String) throws {
    guard try links.name(identity, entity: writer.plan.entityNumber, key: key) else {
      throw ImportError.repeatedIdentity(identity)
    }
  }

  /// Registers the `$id` of an existing row: its canonical object ID and, if it differs, the form in the record.
  private func name(_ row: Int64, of writer: EntityWriter, _ identity: String?) throws {
    let own = ObjectID(store: store, entity: writer.plan.entity, primaryKey: row).uri
    try name(row, of: writer, as: own)
    if let identity, identity != own { try name(row, of: writer, as: identity) }
  }

  /// Returns the target of a link. A nested object is written first.
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

  private mutating func writer(for entity: EntityDescription) throws -> EntityWriter {
    if let known = writers[entity.name] { return known }
    let plan = try InsertPlan(entity: entity.name, in: layout)
    let made = try EntityWriter(
      plan, of: [entity] + layout.model.ancestors(of: entity),
      dateFormats: dateFormats.formats(of: entity), store: store, on: connection, keys: keys,
      changes: changes, key: importKeys.key(of: entity), policy: policy)
    writers[entity.name] = made
    return made
  }

  /// Writes the remaining rows, the relationships, the counters of primary keys and the history.
  ///
  /// - Throws: `ImportError` for invalid or contradictory references, `RowError` for invalid rows, otherwise an error
  ///   of `RowWriter` or `MemberCountWatch`.
  mutating func finish() throws {
    let merged = try mergeObjects()
    skippedLinks = try links.resolve(
      in: layout, store: store, keys: keys, skipsMissing: missingLinks == .skip)
    try links.agree(merged, in: layout, on: policy)
    try links.findGiven(in: layout, keys: keys)
    contested = try links.settleClaims(merged, in: layout, on: policy, keys: keys)
    unapplied = try links.settleGiven(in: layout, by: comparison, changes)
    try links.writeToOne(in: layout, on: connection)
    // In an ordered relationship, the members that the owner's record lists come first, then those whose own record
    // refers to the owner.
    try links.writeToMany(in: layout, on: connection)
    let ordered = writers.values.sorted { $0.plan.entityNumber < $1.plan.entityNumber }
    for writer in ordered {
      try writer.finish()
      if writer.insertedCount > 0 { inserted[writer.plan.entity] = writer.insertedCount }
    }
    for writer in ordered { try writer.settleVersions() }
    try requiredToOnes.check(in: layout, inputs)
    try links.checkGiven(in: layout)
    counts = try links.settleChanged(in: layout, keys: keys)
    try memberCounts.check()
    try keys.record()
    try changes.finish()
  }
}

extension GraphWriter {
  /// Writes the objects with the `$id` of a row, then the objects with an import key. Of the latter, objects of
  /// subentities are written first, because an object of an entity can match a row that the import
  /// writes for a subentity.
  ///
  /// - Returns: the names of the root entities of all imported entities with an import key.
  private mutating func mergeObjects() throws -> Set<String> {
    for writer in writers.values.sorted(by: { $0.plan.entityNumber < $1.plan.entityNumber }) {
      try writer.writeKnown(inputs)
    }
    let staging = writers.values.filter { $0.staged != nil }
      .sorted {
        (depth(of: $1.plan), $0.plan.entityNumber) < (depth(of: $0.plan), $1.plan.entityNumber)
      }
    for writer in staging {
      guard let objects = writer.staged, try writer.writeStaged(inputs) else { continue }
      try links.replace(objects.same, of: writer.plan.place, in: layout)
      try objects.close()
    }
    for writer in staging { try keys.release(for: writer.plan) }
    return Set(staging.map(\.plan.root))
  }

  /// Returns the primary key of the existing row that an object's `$id` identifies, or nil if there is none.
  ///
  /// - Throws: `ImportError.otherRow` if the row has another entity, `DatabaseError`.
  private mutating func row(
    named identity: String?, of writer: EntityWriter
  ) throws -> Int64? {
    guard let identity, let id = ObjectID(uri: identity), id.store ?? store == store,
      let place = layout.entity(named: id.entity), let root = layout.entity(named: place.root),
      // An object ID in the input can't refer to a row that this import inserts.
      !keys.isNew(id.primaryKey, root: root.number)
    else { return nil }
    let found = try connection.rows(
      """
      SELECT \(name: FixedColumn.entity) FROM \(name: place.table) \
      WHERE \(name: FixedColumn.primaryKey) = \(value: .integer(id.primaryKey))
      """)
    let number = found.first?[0].integer
    guard number == place.number, number == writer.plan.entityNumber else {
      guard let number, let actual = layout.entity(numbered: number)?.name else {
        if place.name == writer.plan.entity, id.store != nil { writer.goneCount += 1 }
        return nil
      }
      throw ImportError.otherRow(identity, entity: writer.plan.entity, actual: actual)
    }
    return id.primaryKey
  }

  private func depth(of plan: InsertPlan) -> Int {
    layout.model.entity(named: plan.entity).map { layout.model.ancestors(of: $0).count } ?? 0
  }
}
