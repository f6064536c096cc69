import ModelArchives
import Testing

/// The content of an archive, without the numbers and the order of its objects. References to entities, properties and
/// indexes are represented by their names.
struct ArchiveGraph {
  indirect enum Node: Hashable {
    case null
    case plain(BinaryPropertyList.Object)
    case named(String)
    case list([Node])
    case object(String, [String: Node])
  }

  /// `model`, `Person`, `Person.name`, `Person[byName]`.
  private(set) var nodes: [String: Node] = [:]
  private(set) var entities: [String] = []

  init(_ bytes: [UInt8]) throws {
    let reader = try ArchiveReader(bytes)
    var names: [Int: String] = [reader.root: "model"]
    for (entity, index) in try reader.entities() {
      entities.append(entity)
      names[index] = entity
      for (property, target) in try reader.entries(of: "NSProperties", in: index) {
        names[target] = "\(entity).\(property)"
      }
      for target in reader.members(of: "NSFetchIndexDescriptions", in: index) {
        names[target] = "\(entity)[\(try #require(reader.text(of: "NSIndexName", in: target)))]"
      }
    }
    for (index, name) in names { nodes[name] = reader.node(index, names: names, isTop: true) }
  }

  subscript(name: String) -> Node? {
    get { nodes[name] }
    set { nodes[name] = newValue }
  }
}

extension ArchiveGraph.Node: CustomStringConvertible {
  var description: String {
    switch self {
    case .null: "nil"
    case .plain(.string(let text)): "'\(text)'"
    case .plain(let value): "\(value)"
    case .named(let name): "<\(name)>"
    case .list(let members): "[" + members.map(\.description).joined(separator: ", ") + "]"
    case .object(let name, let values):
      "\(name)("
        + values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        + ")"
    }
  }

  var className: String? { if case .object(let name, _) = self { name } else { nil } }

  /// A value of an object.
  subscript(key: String) -> ArchiveGraph.Node? {
    get { if case .object(_, let values) = self { values[key] } else { nil } }
    set {
      guard case .object(let name, var values) = self else { return }
      values[key] = newValue
      self = .object(name, values)
    }
  }

  /// The objects of an array.
  var members: [ArchiveGraph.Node]? {
    if case .list(let members)? = self["NS.objects"] { members } else { nil }
  }

  /// Returns the tree after applying a function to each node, from the leaves to the root.
  func mapped(_ transform: (Self) -> Self) -> Self {
    switch self {
    case .null, .plain, .named: transform(self)
    case .list(let members): transform(.list(members.map { $0.mapped(transform) }))
    case .object(let name, let values):
      transform(.object(name, values.mapValues { $0.mapped(transform) }))
    }
  }
}

/// Follows the references of an archive without using the readers of this package, except the reader of property lists.
private struct ArchiveReader {
  let list: BinaryPropertyList
  let objects: [Int]
  let root: Int

  init(_ bytes: [UInt8]) throws {
    list = try #require(BinaryPropertyList(bytes))
    let top = try #require(Self.values(of: list.top, list))
    #expect(list[try #require(top["$archiver"])] == .string("NSKeyedArchiver"))
    #expect(list[try #require(top["$version"])] == .integer(100_000))
    guard case .array(let objects)? = list[try #require(top["$objects"])],
      let roots = Self.values(of: try #require(top["$top"]), list),
      case .reference(let root)? = list[try #require(roots["root"])]
    else { throw Broken() }
    self.objects = objects
    self.root = root
    #expect(list[objects[0]] == .string("$null"))
  }

  struct Broken: Error {}

  private static func values(of number: Int, _ list: BinaryPropertyList) -> [String: Int]? {
    guard case .dictionary(let keys, let values)? = list[number] else { return nil }
    var found: [String: Int] = [:]
    for (key, value) in zip(keys, values) {
      guard case .string(let name)? = list[key] else { return nil }
      found[name] = value
    }
    return found
  }

  func values(of index: Int) -> [String: Int] { Self.values(of: objects[index], list) ?? [:] }

  /// Returns the index of the object that a value refers to, or nil for null.
  func target(of key: String, in index: Int) -> Int? {
    guard let number = values(of: index)[key], case .reference(let target)? = list[number] else {
      return nil
    }
    return target == 0 ? nil : target
  }

  func text(of key: String, in index: Int) -> String? { target(of: key, in: index).flatMap(text) }

  func text(_ index: Int) -> String? {
    if case .string(let text)? = list[objects[index]] { return text }
    guard let inner = values(of: index)["NS.string"], case .string(let text)? = list[inner] else {
      return nil
    }
    return text
  }

  private func references(_ number: Int?) -> [Int] {
    guard let number, case .array(let members)? = list[number] else { return [] }
    return members.compactMap { if case .reference(let index)? = list[$0] { index } else { nil } }
  }

  func members(of key: String, in index: Int) -> [Int] {
    target(of: key, in: index).map { references(values(of: $0)["NS.objects"]) } ?? []
  }

  func entries(of key: String, in index: Int) throws -> [(String, Int)] {
    guard let dictionary = target(of: key, in: index) else { return [] }
    let keys = references(values(of: dictionary)["NS.keys"])
    return try zip(keys, references(values(of: dictionary)["NS.objects"])).map {
      (try #require(text($0)), $1)
    }
  }

  func entities() throws -> [(String, Int)] {
    let dictionary = try #require(target(of: "NSEntities", in: root))
    guard let mapping = target(of: "searchMapping", in: dictionary) else {
      return try entries(of: "NSEntities", in: root)
    }
    let keys = members(of: "keys", in: mapping)
    return try zip(keys, members(of: "values", in: dictionary)).map {
      (try #require(text($0)), $1)
    }
  }

  func node(_ index: Int, names: [Int: String], isTop: Bool = false) -> ArchiveGraph.Node {
    if index == 0 { return .null }
    if let name = names[index], !isTop { return .named(name) }
    guard var values = Self.values(of: objects[index], list) else {
      return list[objects[index]].map { .plain($0) } ?? .null
    }
    let type = values.removeValue(forKey: "$class").flatMap { number -> String? in
      guard case .reference(let description)? = list[number],
        let name = self.values(of: description)["$classname"], case .string(let text)? = list[name]
      else { return nil }
      return text
    }
    if let keys = values["NS.keys"], let members = values["NS.objects"] {
      let entries = zip(references(keys), references(members)).map {
        (text($0) ?? "?", node($1, names: names))
      }
      return .object(type ?? "?", Dictionary(entries) { first, _ in first })
    }
    var found = values.mapValues { value(of: $0, names: names) }
    // The elements of a set don't have an order.
    if type?.hasSuffix("Set") == true, case .list(let members)? = found["NS.objects"] {
      found["NS.objects"] = .list(members.sorted { $0.description < $1.description })
    }
    return .object(type ?? "?", found)
  }

  private func value(of number: Int, names: [Int: String]) -> ArchiveGraph.Node {
    switch list[number] {
    case .reference(let index)?: node(index, names: names)
    case .array?: .list(references(number).map { node($0, names: names) })
    case let plain?: .plain(plain)
    case nil: .null
    }
  }
}
