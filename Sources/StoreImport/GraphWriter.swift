import RecordFormats
import SQLiteAccess
import StoreCore
import StoreLayout
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
  private let importKeys: ImportKeys
  private let comparison: ImportLinks.Comparison
  private let missingLinks: MissingLinkPolicy
  private let inputs: ImportInputs
  private var policy: ConflictPolicy { comparison.policy }
  private var writers: [String: EntityWriter] = [:]
  private let links: ImportLinks
  private let requiredToOnes: RequiredToOnes
  private let memberCounts: MemberCountWatch
  /// New rows by entity.
  private(set) var inserted: [String: Int] = [:]
  /// Rows of the store by what happened to them.
  private(set) var counts = ImportLinks.Counts()
  /// Rows that several objects claim and only one can have, by entity.
  private(set) var contested: [String: Int] = [:]
  /// References to rows that don't exist and that were left out, by relationship.
  private(set) var skippedLinks: [String: Int] = [:]
  /// Lists that leave out members of their row, or order them otherwise, and were not applied, by relationship.
  private(set) var unapplied: [String: Int] = [:]

  init(
    layout: StoreLayout, store: String, dateFormats: DateFormats, keys importKeys: ImportKeys,
    comparison: ImportLinks.Comparison, missingLinks: MissingLinkPolicy, inputs: ImportInputs,
    on connection: Connection
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
    changes = try ChangeRecorder(in: layout, on: connection)
    links = try ImportLinks(inputs, on: connection)
    requiredToOnes = try RequiredToOnes(on: connection)
    memberCounts = try MemberCountWatch(
      layout.memberCountRules, in: layout, on: connection, checksNewOwners: true)
  }

  /// New rows of entities that had rows and no key.
  var withoutKey: [String: Int] {
    writers.filter { $0.value.staged == nil && $0.value.hadRows && $0.value.insertedCount > 0 }
      .mapValues(\.insertedCount)
  }

  /// New rows whose `$id` is that of a row which is gone.
  var renamed: [String: Int] { writers.mapValues(\.goneCount).filter { $0.value > 0 } }

  /// New rows of entities that had rows and have a key, without a value of it.
  var withoutKeyValue: [String: Int] {
    writers.filter { $0.value.hadRows }.mapValues(\.keylessCount).filter { $0.value > 0 }
  }

  /// What is remarkable about dates, by attribute.
  var remarkableDates: [String: DateCounts] {
    writers.values.reduce(into: [:]) { all, writer in
      all.merge(writer.remarkableDates) { first, _ in first }
    }
  }

  /// Decimals that a Double could not keep exactly.
  var roundedDecimals: Int { writers.values.reduce(0) { $0 + $1.roundedDecimals } }

  /// Where a record stands, for messages.
  struct Record {
    /// Among the records of all inputs.
    var index: Int
    var inputs: ImportInputs
    var position: TextPosition

    /// In its own input.
    var number: Int { inputs.locate(index).number }

    var place: SourcePlace { place(of: position) }

    /// Where a value of the record stands.
    func place(of position: TextPosition) -> SourcePlace {
      SourcePlace(file: inputs.locate(index).file, line: position.line, column: position.column)
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

  /// - Throws: `ImportError.repeatedIdentity` where another record has the `$id`.
  private func name(_ key: Int64, of writer: EntityWriter, as identity: String) throws {
    guard try links.name(identity, entity: writer.plan.entityNumber, key: key) else {
      throw ImportError.repeatedIdentity(identity)
    }
  }

  /// A row of the store has one object ID, which records may write in several ways.
  private func name(_ row: Int64, of writer: EntityWriter, _ identity: String?) throws {
    let own = ObjectID(store: store, entity: writer.plan.entity, primaryKey: row).uri
    try name(row, of: writer, as: own)
    if let identity, identity != own { try name(row, of: writer, as: identity) }
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
      plan, of: [entity] + layout.model.ancestors(of: entity),
      dateFormats: dateFormats.formats(of: entity), store: store, on: connection, keys: keys,
      changes: changes, key: importKeys.key(of: entity), policy: policy)
    writers[entity.name] = made
    return made
  }

  /// Writes the relationships and the counters.
  ///
  /// - Throws: `ImportError` for a reference that leads nowhere, `RowError` for a required to-one
  ///   that no record gives, else what `RowWriter` throws.
  mutating func finish() throws {
    let merged = try mergeObjects()
    skippedLinks = try links.resolve(
      in: layout, store: store, keys: keys, skipsMissing: missingLinks == .skip)
    try links.agree(merged, in: layout, on: policy)
    try links.findGiven(in: layout, keys: keys)
    contested = try links.settleClaims(merged, in: layout, on: policy, keys: keys)
    unapplied = try links.settleGiven(in: layout, by: comparison, changes)
    try links.writeToOne(in: layout, on: connection)
    // Members that an array places come first in an ordered relationship, then those that only
    // name their owner.
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
  /// Writes the objects that are known by a key, sub-entities first: an object of an entity may be a
  /// row of one below it.
  ///
  /// - Returns: the root entities of such objects.
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

  /// The row of the store that an object's `$id` names; nil for an object that is to become a new one.
  ///
  /// - Throws: `ImportError.otherRow` for a row that the object is not.
  private mutating func row(
    named identity: String?, of writer: EntityWriter
  ) throws -> Int64? {
    guard let identity, let id = ObjectID(uri: identity), id.store ?? store == store,
      let place = layout.entity(named: id.entity), let root = layout.entity(named: place.root),
      // No one could know the IDs that this import hands out.
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
