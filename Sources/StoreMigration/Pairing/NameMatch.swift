import StoreDiagnostics
import StoreModel

/// An entity or a property with its renaming identifier.
struct Renamable: Hashable {
  var name: String
  /// The `elementID` in the XML.
  var identifier: String?

  /// The identifier by which Core Data pairs: the renaming identifier, or the name if the renaming identifier is
  /// missing.
  var canonical: String { identifier ?? name }

  static func == (left: Renamable, right: Renamable) -> Bool {
    left.name.isExactly(right.name) && left.identifier.isExactly(right.identifier)
  }
}

/// Pairs the entities or the properties of two versions.
///
/// As in Core Data, equal canonical identifiers are paired first. The other rules pair the remaining entities or
/// properties, so that values are kept that Core Data would drop.
enum NameMatch {
  /// A rule that pairs an entity or property of the source with one of the target if their keys are equal.
  private struct Rule: Sendable {
    /// Returns the key of an entity or property of the source; nil if the rule doesn't apply to it.
    let source: @Sendable (Renamable) -> String?
    /// Returns the key of an entity or property of the target; nil if the rule doesn't apply to it.
    let target: @Sendable (Renamable) -> String?
  }

  /// The rules, in order of precedence. They apply after equal names with equal canonical identifiers have been paired.
  private static let rules = [
    Rule(source: { $0.canonical }, target: { $0.canonical }),
    // The target's identifier is the name of the source, although the source has an identifier.
    Rule(source: { $0.name }, target: { $0.identifier }),
    Rule(source: { $0.identifier }, target: { $0.name }),
    Rule(source: { $0.name }, target: { $0.name }),
  ]

  /// Returns the paired names of the source, by the name in the target. Each name is in at most one pair.
  static func pairs(_ source: [Renamable], _ target: [Renamable]) -> [String: String] {
    var pairs: [String: String] = [:]
    // First pair equal names, so that they have precedence if several names of a side have the same identifier.
    var free = ExactDictionary(source.map { ($0.name, $0) }) { first, _ in first }
    var open = target.filter { new in
      guard let old = free[new.name], old.canonical.isExactly(new.canonical) else { return true }
      pairs[new.name] = old.name
      free[new.name] = nil
      return false
    }
    guard !open.isEmpty, free.count > 0 else { return pairs }
    var rest = source.filter { free[$0.name] != nil }
    for rule in rules {
      var byKey = ExactDictionary(
        rest.compactMap { old in rule.source(old).map { ($0, old) } },
        uniquingKeysWith: { first, _ in first })
      open.removeAll { new in
        guard let key = rule.target(new), let old = byKey[key] else { return false }
        byKey[key] = nil
        pairs[new.name] = old.name
        return true
      }
      let paired = pairs.values.exact
      rest.removeAll { paired.contains(ExactText($0.name)) }
    }
    return pairs
  }
}

extension EntityDescription {
  var renamable: Renamable { Renamable(name: name, identifier: renamingIdentifier) }
}

extension AttributeDescription {
  var renamable: Renamable { Renamable(name: name, identifier: renamingIdentifier) }
}

extension RelationshipDescription {
  var renamable: Renamable { Renamable(name: name, identifier: renamingIdentifier) }
}
