import RecordFormats
import SampleData
import StoreModel

/// The records of an export, without data that differs between equal stores.
struct CanonicalExport: Equatable {
  /// Sorted lines of `key.property: value`. IDs are replaced by the attribute `key` of their row, and the members of an
  /// unordered relationship are sorted.
  private(set) var lines: [String] = []

  init(_ text: String, of model: DataModel, name: String = "key") throws {
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
      // A row without a name is identified by its position among the rows of its entity.
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
    _ member: JSONValue.Member, of entity: EntityDescription, in model: DataModel,
    _ names: [String: String]
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
