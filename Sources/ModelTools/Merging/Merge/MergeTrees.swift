import StoreDiagnostics
import StoreModelReader

/// The trees of the base and of both sides. In all of them, references to renamed elements are already replaced by the
/// names in the merged file.
struct MergeTrees {
  let base: TextElement?
  let ours: TextElement
  let theirs: TextElement
  let oursNames: RenamedNames
  let theirsNames: RenamedNames
  private let mergedNames: RenamedNames

  init(base: TextElement?, ours: TextElement, theirs: TextElement) {
    oursNames = base.map { RenamedNames(from: $0, to: ours) } ?? .none
    theirsNames = base.map { RenamedNames(from: $0, to: theirs) } ?? .none
    let rewriting = RenameRewriting(ours: oursNames, theirs: theirsNames)
    mergedNames = rewriting.names
    self.base = base.map { rewriting.rewritten($0, .none) }
    self.ours = rewriting.rewritten(ours, oursNames)
    self.theirs = rewriting.rewritten(theirs, theirsNames)
  }

  /// Returns the errors in the merged model, by the paths of the elements that become conflicts because of them.
  func conflicts(
    for faults: [DiagnosticMessage], in attempt: Attempt
  ) -> [[ElementKey]: InvalidModel] {
    var scanner = TextScanner(Array(attempt.plainText.utf8))
    let tree = scanner.document().root
    let starts = Self.lineStarts(in: attempt.plainText)
    var forced: [[ElementKey]: InvalidModel] = [:]
    for fault in faults {
      let line = min(max(fault.place?.line ?? 1, 1), starts.count)
      let path = path(to: starts[line - 1] + (fault.place?.column ?? 1) - 1, in: tree)
      let removals = removals(of: references(of: path))
      for path in remedies(for: path, removals) where forced[path] == nil {
        forced[path] = InvalidModel(
          reason: fault.message, removed: removals.filter { $0.path != path })
      }
    }
    return forced
  }

  private static func lineStarts(in text: String) -> [Int] {
    [0] + text.utf8.enumerated().filter { $0.element == UInt8(ascii: "\n") }.map { $0.offset + 1 }
  }

  /// Returns the path of the innermost element at an offset.
  private func path(to offset: Int, in root: TextElement) -> [ElementKey] {
    var (path, element) = ([ElementKey](), root)
    while true {
      let keys = ElementKey.keys(of: element.children, in: path, mergedNames)
      guard
        let index = element.children.firstIndex(where: { $0.range.contains(offset) })
      else { return path }
      path.append(keys[index])
      element = element.children[index]
    }
  }

  /// Returns the paths of the elements that become conflicts because of an error in the element at `path`. They are the
  /// element itself if the sides differ in it, otherwise the removed elements to which it refers, otherwise the nearest
  /// enclosing element in which the sides differ.
  private func remedies(
    for path: [ElementKey], _ removals: [InvalidModel.Removal]
  ) -> [[ElementKey]] {
    if !areSame(elements(at: path)) { return [path] }
    if !path.isEmpty, !removals.isEmpty { return removals.map(\.path) }
    var outer = path
    while !outer.isEmpty {
      outer.removeLast()
      if !areSame(elements(at: outer)) { return [outer] }
    }
    return [[]]
  }

  private func areSame(_ sides: (ours: TextElement?, theirs: TextElement?)) -> Bool {
    switch sides {
    case (nil, nil): true
    case (let ours?, let theirs?): ours.isSame(as: theirs)
    default: false
    }
  }

  private func elements(at path: [ElementKey]) -> (ours: TextElement?, theirs: TextElement?) {
    (element(at: path, ours, oursNames), element(at: path, theirs, theirsNames))
  }

  private func element(
    at path: [ElementKey], _ root: TextElement, _ names: RenamedNames
  ) -> TextElement? {
    var element = root
    for (depth, key) in path.enumerated() {
      let keys = ElementKey.keys(of: element.children, in: Array(path[..<depth]), names)
      guard let index = keys.firstIndex(of: key) else { return nil }
      element = element.children[index]
    }
    return element
  }

  /// Returns the names to which an element can refer on at least one side: the values of its attributes, such as a
  /// destination, and the words in the values, such as the names in a predicate.
  private func references(of path: [ElementKey]) -> Set<ExactText> {
    let sides = elements(at: path)
    // The attribute `name` of a `memberEntity` refers to an entity. In other elements, it is the element's own name.
    let isMember = path.last?.kind == "memberEntity"
    let values = [sides.ours, sides.theirs].compactMap(\.self).flatMap(\.attributes)
      .filter { isMember || $0.name != "name" }.map(\.value)
    let words = values.flatMap { value in
      value.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
    }
    return (values + words).exact
  }

  /// Returns the entities and properties that exactly one side has removed, if `named` contains their names.
  private func removals(of named: Set<ExactText>) -> [InvalidModel.Removal] {
    guard let base else { return [] }
    var found: [InvalidModel.Removal] = []
    let entities = ElementKey.keys(of: base.children, in: [], .none)
    for (entity, child) in zip(entities, base.children) where entity.kind == "entity" {
      let properties = ElementKey.keys(of: child.children, in: [entity], .none)
        .filter { RenamedNames.propertyKinds.contains($0.kind) }.map { [entity, $0] }
      for path in [[entity]] + properties where named.contains(ExactText(path.last?.name ?? "")) {
        switch elements(at: path) {
        case (_?, nil): found.append(.init(side: .theirs, path: path))
        case (nil, _?): found.append(.init(side: .ours, path: path))
        case (nil, nil), (_?, _?): continue
        }
      }
    }
    return found
  }
}

/// Updates references to renamed elements in all files of a merge, so that a new reference on one side follows a rename
/// on the other side.
struct RenameRewriting {
  /// The entities' names in the merged file, by their names in the base.
  private var entities: ExactDictionary<String> = [:]
  /// The properties' names in the merged file, by the entity's name in the base and the property's name in the base.
  private var properties: ExactDictionary<ExactDictionary<String>> = [:]

  /// If both sides have renamed the same element differently, references to it use the name on our side, and the
  /// element's own name is a conflict.
  init(ours: RenamedNames, theirs: RenamedNames) {
    for side in [theirs, ours] {
      for (name, base) in side.entities { entities[base] = name }
      for (entity, pairs) in side.properties {
        for (name, base) in pairs { properties[entity, default: [:]][base] = name }
      }
    }
  }

  /// The renamed elements of the merged file.
  var names: RenamedNames {
    var names = RenamedNames()
    for (base, name) in entities { names.entities[name] = base }
    for (entity, pairs) in properties {
      for (base, name) in pairs { names.properties[entity, default: [:]][name] = base }
    }
    return names
  }

  /// Returns the tree of a file with references that use the names in the merged file. `names` contains the elements
  /// that were renamed in this file.
  func rewritten(_ root: TextElement, _ names: RenamedNames) -> TextElement {
    guard !entities.isEmpty || !properties.isEmpty else { return root }
    var root = root
    rewrite(&root, names, owner: nil)
    return root
  }

  private func rewrite(_ element: inout TextElement, _ names: RenamedNames, owner: String?) {
    let owner =
      element.name == "entity" ? element["name"].map { names.entities[$0] ?? $0 } : owner
    switch element.name {
    case "relationship":
      if let target = element["inverseEntity"], let inverse = element["inverseName"] {
        set("inverseName", inverse, of: names.entities[target] ?? target, in: &element, names)
      }
      for name in ["destinationEntity", "inverseEntity"] { setEntity(name, in: &element, names) }
    case "entity": setEntity("parentEntity", in: &element, names)
    case "fetchRequest": setEntity("entity", in: &element, names)
    case "memberEntity", "element": setEntity("name", in: &element, names)
    case "fetchIndexElement":
      if let owner, let name = element["property"] {
        set("property", name, of: owner, in: &element, names)
      }
    case "constraint", "index":
      if let owner, let name = element["value"] {
        set("value", name, of: owner, in: &element, names)
      }
    default: break
    }
    for index in element.children.indices {
      rewrite(&element.children[index], names, owner: owner)
    }
  }

  private func setEntity(
    _ attribute: String, in element: inout TextElement, _ names: RenamedNames
  ) {
    guard let name = element[attribute] else { return }
    let base = names.entities[name] ?? name
    if let merged = entities[base], !merged.isExactly(name) { element.set(attribute, to: merged) }
  }

  private func set(
    _ attribute: String, _ name: String, of entity: String, in element: inout TextElement,
    _ names: RenamedNames
  ) {
    let base = names.properties[entity]?[name] ?? name
    if let merged = properties[entity]?[base], !merged.isExactly(name) {
      element.set(attribute, to: merged)
    }
  }
}
