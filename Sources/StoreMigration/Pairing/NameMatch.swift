import StoreDiagnostics
import StoreModel

/// An entity or a property with its renaming identifier.
struct Renamable: Hashable {
  var name: String
  /// `elementID`
  var identifier: String?

  init(_ name: String, _ identifier: String?) {
    self.name = name
    self.identifier = identifier
  }

  /// What Core Data pairs by: the renaming identifier, or the name where there is none.
  var canonical: String { identifier ?? name }
}

/// Pairs the entities or the properties of two versions.
///
/// Equal canonical identifiers pair first, as in Core Data. The other rules pair what is left over,
/// so that values are kept which Core Data would drop.
enum NameMatch {
  private struct Rule: Sendable {
    /// What has to be equal on both sides; nil for what the rule doesn't pair.
    let source: @Sendable (Renamable) -> [String]?
    let target: @Sendable (Renamable) -> [String]?
  }

  private static let rules = [
    // Several of a side may have one identifier: the same name decides between them.
    Rule(source: { [$0.canonical, $0.name] }, target: { [$0.canonical, $0.name] }),
    Rule(source: { [$0.canonical] }, target: { [$0.canonical] }),
    // The target's identifier is the name that the source had, although the source has an identifier.
    Rule(source: { [$0.name] }, target: { $0.identifier.map { [$0] } }),
    Rule(source: { $0.identifier.map { [$0] } }, target: { [$0.name] }),
    Rule(source: { [$0.name] }, target: { [$0.name] }),
  ]

  /// Returns the source's name for each of the target's names that has a counterpart. Each name is in
  /// one pair at most.
  static func pairs(_ source: [Renamable], _ target: [Renamable]) -> [String: String] {
    var pairs: [String: String] = [:]
    var (free, open) = (source, target)
    for rule in rules {
      var byKey = Dictionary(
        free.compactMap { old in rule.source(old).map { ($0.map(ExactText.init), old) } },
        uniquingKeysWith: { first, _ in first })
      open.removeAll { new in
        guard let key = rule.target(new)?.map(ExactText.init),
          let old = byKey.removeValue(forKey: key)
        else { return false }
        pairs[new.name] = old.name
        return true
      }
      let paired = pairs.values.exact
      free.removeAll { paired.contains(ExactText($0.name)) }
    }
    return pairs
  }
}

extension Entity {
  var renamable: Renamable { Renamable(name, renamingIdentifier) }
}

extension Attribute {
  var renamable: Renamable { Renamable(name, renamingIdentifier) }
}

extension Relationship {
  var renamable: Renamable { Renamable(name, renamingIdentifier) }
}
