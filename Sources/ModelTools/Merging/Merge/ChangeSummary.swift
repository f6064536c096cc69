import StoreDiagnostics

/// Describes how a side has changed an element, such as "changed 'attributeType' from 'Integer 16' to 'Double'".
struct ChangeSummary {
  let sentence: String

  init(from base: TextElement?, to side: TextElement?) {
    switch (base, side) {
    case (nil, nil): sentence = "doesn't have it"
    case (nil, _?): sentence = "added it"
    case (_?, nil): sentence = "removed it"
    case (let base?, let side?): sentence = Self.changes(from: base, to: side)
    }
  }

  /// Returns the changes of the attributes, and the names of added, removed and changed children.
  private static func changes(from base: TextElement, to side: TextElement) -> String {
    var changes: [String] = []
    for name in (base.attributes + side.attributes).map(\.name).unique()
    where !base[name].isExactly(side[name]) {
      changes.append(value(name, from: base[name], to: side[name]))
    }
    let (old, new) = (parts(of: base), parts(of: side))
    changes += list("added", new.filter { old[$0.key] == nil }.keys)
    changes += list("removed", old.filter { new[$0.key] == nil }.keys)
    changes += list(
      "changed", new.filter { key, part in old[key].map { !$0.isSame(as: part) } ?? false }.keys)
    return changes.isEmpty ? "left it as it was" : changes.joined(separator: ", ")
  }

  static func value(_ name: String, from old: String?, to new: String?) -> String {
    switch (old, new) {
    case (let old?, let new?): "changed '\(name)' from '\(old)' to '\(new)'"
    case (nil, let new?): "set '\(name)' to '\(new)'"
    case (_?, nil): "removed '\(name)'"
    case (nil, nil): "left '\(name)' out"
    }
  }

  private static func parts(of element: TextElement) -> [ElementKey: TextElement] {
    let keys = ElementKey.keys(of: element.children, in: [], .none)
    return Dictionary(zip(keys, element.children)) { first, _ in first }
  }

  private static func list(_ verb: String, _ keys: some Collection<ElementKey>) -> [String] {
    let names = keys.map(\.inWords).sorted()
    guard !names.isEmpty else { return [] }
    guard names.count > 1 else { return ["\(verb) \(names[0])"] }
    let shown = names.prefix(min(names.count - 1, listLimit)).joined(separator: ", ")
    return ["\(verb) \(shown) and \(names.count > listLimit ? "others" : names[names.count - 1])"]
  }

  private static let listLimit = 3
}

extension ElementKey {
  /// The element in words, such as "the attribute 'age'".
  var inWords: String {
    if let container = Self.containers[kind] { return "the \(container)" }
    if let noun = Self.nouns[kind] { return "the \(noun) '\(name)'" }
    return name.isEmpty ? "'\(kind)'" : "the \(kind) '\(name)'"
  }

  private static let nouns = [
    "fetchRequest": "template", "fetchedProperty": "fetched property", "fetchIndex": "index",
    "fetchIndexElement": "column", "uniquenessConstraint": "constraint on",
    "memberEntity": "member", "entry": "user info",
  ]
}

extension Array where Element: Hashable {
  /// The elements without duplicates, in the order of their first occurrence.
  fileprivate func unique() -> [Element] {
    var seen = Set<Element>()
    return filter { seen.insert($0).inserted }
  }
}
