import ModelArchives

/// The differences between archives in stores for the same model. They depend on the source of the app's model
/// and on the writer of the archive. Each habit converts the archive to its form without the habit.
enum WriterHabit: String, CaseIterable {
  /// The model was read from an `.omo`, the form in which a bundle holds its current version.
  case mutableText = "a text is an NSMutableString"
  case numberForBoolean = "the default of a Boolean is a number"
  case proxies = "an inherited property is a proxy"
  case noSubentities = "no sub-entities are nil"
  case namesOfIndexes = "a compound index is named after its properties"
  /// A migration has put it there: a copy of the target's model.
  case noClasses = "no entity has a class"
  case emptyIndexLists = "the lists of indexes are there without indexes"
  case noFetchIndexes = "there are no fetch indexes, as before framework 847"
  case orderOfIndexes = "indexes that a flag requests are in another order"
  case unknownClass = "the class of a value, which the app does not have, is nil"
  /// From an `.omo`, or copied by a migration.
  case mutableCollections = "a collection is mutable, or is not"

  /// - Returns: whether anything was there to be changed.
  static func unify(_ ours: inout ArchiveGraph, _ theirs: inout ArchiveGraph) -> Set<WriterHabit> {
    Set(
      allCases.filter { habit in
        let before = (ours, theirs)
        habit.unify(&ours, &theirs)
        return ours.nodes != before.0.nodes || theirs.nodes != before.1.nodes
      })
  }

  private func unify(_ ours: inout ArchiveGraph, _ theirs: inout ArchiveGraph) {
    switch self {
    case .mutableText: theirs.map(Self.plainText)
    case .mutableCollections:
      // Only where theirs differ in it is it a difference of the archives.
      if !Self.sameCollections(ours, theirs) {
        ours.map(Self.plainCollection)
        theirs.map(Self.plainCollection)
      }
    case .numberForBoolean: theirs.map(Self.booleanDefault)
    case .proxies: Self.replaceProxies(in: &theirs, by: ours)
    case .noSubentities:
      for name in theirs.entities where theirs[name]?["NSSubentities"] == .null {
        guard let empty = ours[name]?["NSSubentities"], empty["NS.objects"] == nil else { continue }
        theirs[name]?["NSSubentities"] = empty
      }
    case .namesOfIndexes: Self.rename(in: &ours, like: theirs)
    case .noClasses:
      guard theirs.entities.allSatisfy({ theirs[$0]?["NSClassNameForEntity"] == .null }) else {
        return
      }
      for name in theirs.entities {
        theirs[name]?["NSClassNameForEntity"] = ours[name]?["NSClassNameForEntity"]
      }
    case .emptyIndexLists: Self.dropEmptyIndexLists(in: &theirs, unlike: ours)
    case .noFetchIndexes: Self.dropFetchIndexes(in: &ours, andFrom: &theirs)
    case .orderOfIndexes: Self.sortIndexes(in: &ours, andIn: &theirs)
    case .unknownClass:
      for (name, node) in theirs.nodes where node["NSAttributeValueClassName"] == .null {
        theirs[name]?["NSAttributeValueClassName"] = ours[name]?["NSAttributeValueClassName"]
      }
    }
  }
}

extension ArchiveGraph {
  fileprivate mutating func map(_ transform: (Node) -> Node) {
    for (name, node) in nodes { self[name] = node.mapped(transform) }
  }
}

extension WriterHabit {
  private static func plainText(_ node: ArchiveGraph.Node) -> ArchiveGraph.Node {
    node.className == "NSMutableString" ? node["NS.string"] ?? .null : node
  }

  private static func plainCollection(_ node: ArchiveGraph.Node) -> ArchiveGraph.Node {
    guard case .object(let name, let values) = node, values["NS.objects"] != nil else {
      return node
    }
    return .object(name.replacing("Mutable", with: ""), values)
  }

  private static func sameCollections(_ ours: ArchiveGraph, _ theirs: ArchiveGraph) -> Bool {
    var (left, right) = (ours, theirs)
    let before = GraphDifference.between(left, right).count
    left.map(plainCollection)
    right.map(plainCollection)
    return GraphDifference.between(left, right).count == before
  }

  private static func booleanDefault(_ node: ArchiveGraph.Node) -> ArchiveGraph.Node {
    guard node["NSAttributeType"] == .plain(.integer(800)),
      case .plain(.integer(let number))? = node["NSDefaultValue"]
    else { return node }
    var node = node
    node["NSDefaultValue"] = .plain(.boolean(number != 0))
    return node
  }

  /// A proxy has to be of the same property of the nearest ancestor.
  private static func replaceProxies(in theirs: inout ArchiveGraph, by ours: ArchiveGraph) {
    for (name, node) in theirs.nodes where node.className == "_NSPropertyDescriptionProxy" {
      let parts = name.split(separator: ".").map(String.init)
      guard parts.count == 2, node["NSEntityDescription"] == .named(parts[0]),
        case .named(let property)? = node["NSUnderlyingProperty"],
        property.hasSuffix("." + parts[1])
      else { continue }
      theirs[name] = ours[name]
    }
  }

  private static func rename(in ours: inout ArchiveGraph, like theirs: ArchiveGraph) {
    for (name, node) in ours.nodes
    where node.className == "NSFetchIndexDescription" && theirs[name] == nil {
      let properties = (node["NSIndexElements"]?.members ?? []).compactMap { element in
        if case .plain(.string(let text))? = element["NSPropertyName"] { text } else { nil }
      }
      let joined = properties.joined(separator: "_")
      let other = name.prefix { $0 != "[" } + "[\(joined)]"
      guard theirs[String(other)] != nil else { continue }
      ours[name] = nil
      ours[String(other)] = node
      ours[String(other)]?["NSIndexName"] = .plain(.string(joined))
      ours.map { $0 == .named(name) ? .named(String(other)) : $0 }
    }
  }

  private static let indexLists = ["NSFetchIndexDescriptions", "NSCompoundIndexes"]

  private static func dropEmptyIndexLists(
    in theirs: inout ArchiveGraph, unlike ours: ArchiveGraph
  ) {
    for name in theirs.entities {
      for key in indexLists
      where ours[name]?[key] == nil && theirs[name]?[key]?.members == [] {
        theirs[name]?[key] = nil
      }
    }
  }

  private static func dropFetchIndexes(
    in ours: inout ArchiveGraph, andFrom theirs: inout ArchiveGraph
  ) {
    guard theirs.entities.allSatisfy({ theirs[$0]?["NSFetchIndexDescriptions"] == nil }),
      ours.entities.contains(where: { ours[$0]?["NSFetchIndexDescriptions"] != nil })
    else { return }
    for name in ours.entities {
      // The old list had relationships, too, and was not there when empty.
      for key in indexLists {
        ours[name]?[key] = nil
        theirs[name]?[key] = nil
      }
    }
    for (name, node) in ours.nodes where node.className == "NSFetchIndexDescription" {
      ours[name] = nil
    }
  }

  private static func sortIndexes(in ours: inout ArchiveGraph, andIn theirs: inout ArchiveGraph) {
    let key = "NSFetchIndexDescriptions"
    for name in ours.entities {
      guard let left = ours[name]?[key], let right = theirs[name]?[key], left != right,
        let members = left.members, let others = right.members, Set(members) == Set(others)
      else { continue }
      theirs[name]?[key] = left
    }
  }
}
