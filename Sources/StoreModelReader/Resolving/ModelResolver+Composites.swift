import StoreModel

extension ModelResolver {
  mutating func checkComposites() {
    for composite in syntax.composites {
      checkNames(
        composite.attributes.map(\.name), kind: "attribute", owner: composite.name.text)
      checkCompositeNames(of: composite.attributes)
    }
    checkCompositeCycles()
  }

  mutating func checkCompositeNames(of attributes: [AttributeSyntax]) {
    for name in attributes.compactMap(\.composite) where composites[name.text] == nil {
      findings.report(
        NameIssue.unknownComposite(name.text, known: composites.keys.sorted()), at: name.spot)
    }
  }

  /// How deep composites may be nested, and how many attributes one may stand for: two of the next one in
  /// each double with every level. SQLite takes no more columns in a table.
  static let compositeLimits = CompositeExtent(levels: 16, attributes: 2000)

  /// What a composite stands for, with all that is in it.
  struct CompositeExtent {
    var levels = 1
    var attributes = 0
  }

  /// A composite may hold others, but not itself, however deep.
  private mutating func checkCompositeCycles() {
    var known: [String: CompositeExtent] = [:]
    for composite in syntax.composites {
      _ = measure(composite, path: [], known: &known)
    }
  }

  private mutating func measure(
    _ composite: CompositeSyntax, path: [String], known: inout [String: CompositeExtent]
  ) -> CompositeExtent {
    let (name, limits) = (composite.name.text, Self.compositeLimits)
    if let extent = known[name] { return extent }
    let path = path + [name]
    var extent = CompositeExtent()
    for attribute in composite.attributes {
      guard let member = attribute.composite else {
        extent.attributes += 1
        continue
      }
      if let start = path.firstIndex(of: member.text) {
        let cycle = Array(path[start...]) + [member.text]
        findings.report(NameIssue.compositeCycle(cycle), at: member.spot)
      } else if let next = composites[member.text] {
        // Further down nobody needs to look: it is too deep already.
        let inner =
          path.count > limits.levels
          ? CompositeExtent(levels: limits.levels)
          : measure(next, path: path, known: &known)
        extent.levels = max(extent.levels, inner.levels + 1)
        extent.attributes += inner.attributes
      }
    }
    if extent.levels > limits.levels || extent.attributes > limits.attributes {
      findings.report(
        NameIssue.compositeTooLarge(
          name, levels: limits.levels, attributes: limits.attributes), at: composite.name.spot)
      // Said once, and not of all that hold it.
      extent = CompositeExtent()
    }
    known[name] = extent
    return extent
  }
}
