import StoreModel
import TestSupport

@testable import SQLiteAccess
@testable import RecordFormats
@testable import StoreImport
@testable import StoreLayout
@testable import StoreSQL
@testable import StoreEngine

/// A store on disk that JSON goes into and comes out of.
struct GraphStore {
  let file: StoreFixture
  let store: Store
  let layout: StoreLayout

  init(_ model: Model = GraphModel.model) throws {
    file = try StoreFixture(model, name: "Graph.sqlite")
    store = try Store.open(file.path, .writing)
    layout = StoreLayout(model: model)
  }

  @discardableResult
  func importing(
    _ text: String, entity: String? = nil, map: [String] = [], root: [String] = [],
    strict: Bool = false, as format: RecordFormat = .json
  ) throws -> GraphImport.Outcome {
    let work = try GraphImport(
      into: layout, store: store.metadata.uuid, entity: entity,
      rules: map.compactMap { ImportRule($0) }, root: root, isStrict: strict)
    let source = MemorySource(Array(text.utf8), name: "in.json")
    return try store.write { try work.run(source, format: format, on: $0) }
  }

  func exported(_ entities: [String] = [], as format: RowFormat = .ndjson) throws -> String {
    let export = try Export(of: entities, in: layout, as: format)
    let sink = RowStreamTests.Collector()
    let context = RowContext(
      layout: layout, store: store.metadata.uuid,
      externalFolder: ExternalFolder(path: store.externalDataFolder))
    try store.read { try export.write(from: $0, context, to: sink) }
    return String(decoding: sink.bytes, as: UTF8.self)
  }

  /// One line a row, as `rows("SELECT …")` gives them: `1 NULL 'text'`.
  func rows(_ sql: SQL) throws -> [String] {
    try store.read { try $0.rows(sql) }.map { $0.map(\.shown).joined(separator: " ") }
  }

  /// Every row of every table but the metadata.
  func dump() throws -> [String] {
    let names = layout.tables.map(\.name) + layout.joinTables.map(\.name) + ["Z_PRIMARYKEY"]
    return try names.flatMap { name in
      let columns =
        layout.tables.first { $0.name == name }?.columns
        ?? layout.joinTables.first { $0.name == name }?.columns ?? []
      let list = columns.isEmpty ? "*" : columns.map { SQL.name($0.name) }.joined(", ")
      return try rows("SELECT \(list) FROM \(name: name) ORDER BY 1, 2").map { "\(name) \($0)" }
    }
  }
}

extension SQLiteValue {
  /// For comparing and for reading in a test.
  var shown: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "'\(text)'"
    case .blob(let bytes): "x" + bytes.map { String($0, radix: 16) }.joined(separator: ".")
    }
  }
}

/// The records of an export without what differs between equal stores.
struct CanonicalExport: Equatable {
  /// Lines of `key.property: value`, sorted; IDs are replaced by the attribute `key` of their row,
  /// and the members of a relationship without order are sorted.
  private(set) var lines: [String] = []

  init(_ text: String, of model: Model, name: String = "key") throws {
    var scanner = JSONScanner(MemorySource(Array(text.utf8), name: "export"))
    var records: [JSONValue] = []
    while let value = try scanner.nextValue() {
      if case .array(let elements) = value.content {
        records += elements
      } else {
        records.append(value)
      }
    }
    var names: [String: String] = [:]
    for record in records {
      guard case .string(let id)? = record["$id"]?.content else { continue }
      // Where rows have no name, the number that they have among those of their entity is one.
      if case .string(let key)? = record[name]?.content {
        names[id] = key
      } else {
        names[id] = "\(record["$entity"]?.description ?? "") \(names.count)"
      }
    }
    for record in records {
      guard case .object(let members) = record.content,
        case .string(let entityName)? = record["$entity"]?.content,
        let entity = model.entity(named: entityName),
        case .string(let id)? = record["$id"]?.content
      else { continue }
      for member in members where member.key != "$id" {
        lines.append(
          "\(names[id] ?? id).\(member.key): \(Self.shown(member, of: entity, in: model, names))")
      }
    }
    lines.sort()
  }

  private static func shown(
    _ member: JSONValue.Member, of entity: Entity, in model: Model, _ names: [String: String]
  ) -> String {
    guard let relationship = model.relationships(of: entity).first(where: { $0.name == member.key })
    else { return member.value.description }
    switch member.value.content {
    case .string(let id): return names[id] ?? "?" + id
    case .array(let elements):
      let members = elements.map { element -> String in
        guard case .string(let id) = element.content else { return element.description }
        return names[id] ?? "?" + id
      }
      return (relationship.isOrdered ? members : members.sorted()).joined(separator: ", ")
    case .null, .boolean, .number, .object: return member.value.description
    }
  }
}
