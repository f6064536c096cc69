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
        NameProblem.unknownComposite(name.text, known: composites.keys.sorted()), at: name.spot)
    }
  }

  /// A composite may hold others, but not itself, however deep.
  private mutating func checkCompositeCycles() {
    var finished: Set<String> = []
    for composite in syntax.composites {
      visit(composite, path: [], finished: &finished)
    }
  }

  private mutating func visit(
    _ composite: CompositeSyntax, path: [String], finished: inout Set<String>
  ) {
    let name = composite.name.text
    guard !finished.contains(name) else { return }
    let path = path + [name]
    for member in composite.attributes.compactMap(\.composite) {
      if let start = path.firstIndex(of: member.text) {
        let cycle = Array(path[start...]) + [member.text]
        findings.report(NameProblem.compositeCycle(cycle), at: member.spot)
      } else if let next = composites[member.text] {
        visit(next, path: path, finished: &finished)
      }
    }
    finished.insert(name)
  }
}
