import SeededRandom
import StoreModel

/// All relationships of a model as lists in memory: a slow and obvious reference implementation.
struct LinkWorld: Sendable {
  /// One direction of a relationship.
  struct Path: Sendable {
    let entity: String
    let name: String
    let destination: String
    /// Nil if the relationship has no inverse.
    var inverse: String?
    var isToMany = true
    var isOrdered = false
    var isRequired = false
    var least = 0
    var most = Int.max

    var property: String { "\(entity).\(name)" }
    var back: String? { inverse.map { "\(destination).\($0)" } }
  }

  /// The pairs of rows that match on both sides, and the position of the new members.
  struct Edit: Sendable {
    var isLink: Bool
    var sources: [Int]
    /// The order in which new members are inserted.
    var destinations: [Int]
    var position: Int?
  }

  let paths: [String: Path]
  /// Ordered partners by property and row.
  var lists: [String: [Int: [Int]]] = [:]

  init(_ paths: [Path]) {
    self.paths = Dictionary(uniqueKeysWithValues: paths.map { ($0.property, $0) })
  }

  /// Returns the partners for comparison: unordered ones are sorted.
  func partners(_ property: String, of row: Int) -> [Int] {
    let list = lists[property]?[row] ?? []
    return paths[property]?.isOrdered == true ? list : list.sorted()
  }

  /// - Returns: the number of pairs that were linked or unlinked; nil for an edit that must fail.
  mutating func apply(_ edit: Edit, to path: Path) -> Int? {
    var copy = self
    guard let count = edit.isLink ? copy.link(edit, path) : copy.unlink(edit, path),
      !copy.breaksRules(since: self)
    else { return nil }
    self = copy
    return count
  }

  /// Returns the properties of each row whose partners differ from `old`.
  func changes(since old: LinkWorld) -> [Int: Set<String>] {
    var changes: [Int: Set<String>] = [:]
    for (property, path) in paths {
      for (row, list) in lists[property] ?? [:]
      where Set(list) != Set(old.lists[property]?[row] ?? []) {
        changes[row, default: []].insert(path.name)
      }
    }
    return changes
  }

  // MARK: Edits

  private func isLinked(_ source: Int, _ destination: Int, _ path: Path) -> Bool {
    lists[path.property]?[source]?.contains(destination) == true
  }

  private mutating func part(_ source: Int, _ destination: Int, _ path: Path) {
    lists[path.property]?[source]?.removeAll { $0 == destination }
    if let back = path.back { lists[back]?[destination]?.removeAll { $0 == source } }
  }

  private mutating func unlink(_ edit: Edit, _ path: Path) -> Int? {
    var count = 0
    for source in edit.sources {
      for destination in edit.destinations where isLinked(source, destination, path) {
        part(source, destination, path)
        count += 1
      }
    }
    return count
  }

  private mutating func link(_ edit: Edit, _ path: Path) -> Int? {
    // A member of a to-many without inverse has one owner too.
    let hasOneOwner = path.back.map { paths[$0]?.isToMany == false } ?? path.isToMany
    if !path.isToMany, edit.destinations.count > 1, !edit.sources.isEmpty { return nil }
    if hasOneOwner, edit.sources.count > 1, !edit.destinations.isEmpty { return nil }
    var new: [(source: Int, destinations: [Int])] = []
    for source in edit.sources {
      let missing = edit.destinations.filter { !isLinked(source, $0, path) }
      if !missing.isEmpty { new.append((source, missing)) }
    }
    for (source, destinations) in new {
      guard edit.position ?? 0 <= lists[path.property]?[source]?.count ?? 0 else { return nil }
      if !path.isToMany {
        for former in lists[path.property]?[source] ?? [] { part(source, former, path) }
      }
      for destination in destinations where hasOneOwner {
        for (former, members) in lists[path.property] ?? [:] where members.contains(destination) {
          part(former, destination, path)
        }
      }
    }
    for (source, destinations) in new {
      var list = lists[path.property]?[source] ?? []
      list.insert(contentsOf: destinations, at: edit.position ?? list.count)
      lists[path.property, default: [:]][source] = list
    }
    for (source, destinations) in new {
      for destination in destinations {
        guard let back = path.back, lists[back]?[destination]?.contains(source) != true else {
          continue
        }
        lists[back, default: [:]][destination, default: []].append(source)
      }
    }
    let pairs = new.flatMap { new in new.destinations.map { [new.source, $0] } }
    return path.back == path.property ? Set(pairs.map(Set.init)).count : pairs.count
  }

  private func breaksRules(since old: LinkWorld) -> Bool {
    paths.values.contains { path in
      (lists[path.property] ?? [:]).contains { row, list in
        let before = old.lists[path.property]?[row]?.count ?? 0
        if path.isRequired, list.isEmpty, before > 0 { return true }
        if list.count > path.most, list.count > before { return true }
        return list.count < path.least && !list.isEmpty && (list.count < before || before == 0)
      }
    }
  }
}

extension LinkWorld {
  /// Each kind of relationship, between `A` with its sub-entity `A2`, `B` with `B2`, and `C`.
  static let everyKind = LinkWorld([
    Path(entity: "A", name: "one", destination: "B", isToMany: false),
    Path(entity: "A", name: "list", destination: "B", inverse: "owner"),
    Path(entity: "B", name: "owner", destination: "A", inverse: "list", isToMany: false),
    Path(entity: "A", name: "ranked", destination: "B", inverse: "ranker", isOrdered: true),
    Path(entity: "B", name: "ranker", destination: "A", inverse: "ranked", isToMany: false),
    Path(entity: "A", name: "pal", destination: "B", inverse: "pal", isToMany: false),
    Path(entity: "B", name: "pal", destination: "A", inverse: "pal", isToMany: false),
    Path(entity: "A", name: "friends", destination: "A", inverse: "friends"),
    Path(entity: "A", name: "mates", destination: "A", inverse: "mates", isOrdered: true),
    Path(entity: "A", name: "tags", destination: "B", inverse: "tagged", isOrdered: true, most: 4),
    Path(entity: "B", name: "tagged", destination: "A", inverse: "tags", isOrdered: true),
    Path(entity: "A", name: "plain", destination: "B", inverse: "plainly", least: 2),
    Path(entity: "B", name: "plainly", destination: "A", inverse: "plain", most: 3),
    Path(entity: "A", name: "hidden", destination: "B"),
    Path(entity: "A", name: "hiddenRanked", destination: "B", isOrdered: true),
    Path(entity: "A", name: "children", destination: "A", inverse: "parent", isOrdered: true),
    Path(entity: "A", name: "parent", destination: "A", inverse: "children", isToMany: false),
    Path(entity: "A", name: "spouse", destination: "A", inverse: "spouse", isToMany: false),
    Path(entity: "A", name: "next", destination: "A", inverse: "previous", isToMany: false),
    Path(entity: "A", name: "previous", destination: "A", inverse: "next", isToMany: false),
    Path(entity: "A", name: "teachers", destination: "A", inverse: "students", isOrdered: true),
    Path(entity: "A", name: "students", destination: "A", inverse: "teachers"),
    Path(entity: "A", name: "cases", destination: "C", inverse: "holder", most: 3),
    Path(
      entity: "C", name: "holder", destination: "A", inverse: "cases", isToMany: false,
      isRequired: true),
    Path(
      entity: "C", name: "badge", destination: "B", inverse: "bearer", isToMany: false,
      isRequired: true),
    Path(entity: "B", name: "bearer", destination: "C", inverse: "badge", isToMany: false),
  ])

  /// The model as text.
  var modelText: String {
    let entities = ["A", "B", "C"].map { entity in
      let relationships = paths.values.filter { $0.entity == entity }.sorted { $0.name < $1.name }
      return """
        <entity name="\(entity)"><attribute name="n" attributeType="Integer 64"/>
        \(relationships.map(\.element).joined(separator: "\n"))
        </entity>
        """
    }
    return """
      <?xml version="1.0"?>
      <model>\(entities.joined())
      <entity name="A2" parentEntity="A"/><entity name="B2" parentEntity="B"/></model>
      """
  }
}

extension LinkWorld.Path {
  fileprivate var element: String {
    let count = isToMany ? #"toMany="YES""# : ""
    let bounds =
      (least > 0 ? #" minCount="\#(least)""# : "")
      + (most < Int.max ? #" maxCount="\#(most)""# : isToMany ? "" : #" maxCount="1""#)
    let back = inverse.map { #"inverseName="\#($0)" inverseEntity="\#(destination)""# } ?? ""
    return """
      <relationship name="\(name)" \(isRequired ? "" : #"optional="YES""#) \(count)\(bounds) \
      \(isOrdered ? #"ordered="YES""#: "") destinationEntity="\(destination)" \(back)/>
      """
  }
}
