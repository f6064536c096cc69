import StoreDiagnostics

/// The versions of a model, older ones first, as far as that can be told: by the migrations between
/// them, then the current version behind the others, then by their names in natural order.
///
/// Names alone do not tell it: bundles name versions `App_groups_v12`, too. Two names that differ in
/// their numbers alone do: `App 13` stays behind a current `App 12`, and a migration from `App 13` to
/// `App 12` is a way back.
package struct VersionOrder: Hashable, Sendable {
  package let names: [String]

  /// An order that is known.
  package init(_ names: [String]) {
    self.names = names
  }

  /// - Parameters:
  ///   - names: of all versions, in any order.
  ///   - current: the version in use, where that is known.
  ///   - migrations: between which versions there is a definition or a mapping model.
  package init(of names: [String], current: String?, migrations: [VersionJump]) {
    var rest = names.sorted { a, b in
      let (one, other) = (Self.rank(of: a, current), Self.rank(of: b, current))
      return one == other ? NaturalOrder.isLess(a, b) : one < other
    }
    let places = ExactDictionary(zip(rest, rest.indices)) { first, _ in first }
    let steps = Self.telling(migrations, in: places)
    var ordered: [String] = []
    while !rest.isEmpty {
      // The first one that no other has to precede; in a circle the first of all.
      let free = rest.firstIndex { name in
        !steps.contains { $0.to.isExactly(name) && rest.containsExactly($0.from) }
      }
      ordered.append(rest.remove(at: free ?? 0))
    }
    self.names = ordered
  }

  /// Those from one to the other, both among them, whichever is older.
  package func names(from: String, to: String) -> [String] {
    guard let one = names.firstIndex(where: { $0.isExactly(from) }),
      let other = names.firstIndex(where: { $0.isExactly(to) })
    else { return [] }
    return Array(names[min(one, other)...max(one, other)])
  }

  /// Before the current version, it, or behind it.
  private static func rank(of name: String, _ current: String?) -> Int {
    guard let current else { return 0 }
    if name.isExactly(current) { return 1 }
    return NaturalOrder.areNumbered(name, current) && NaturalOrder.isLess(current, name) ? 2 : 0
  }

  /// Those that say something about the order: not the ways back.
  private static func telling(_ migrations: [VersionJump], in places: ExactDictionary<Int>)
    -> [VersionJump]
  {
    func isForward(_ step: VersionJump) -> Bool {
      places[step.from, default: 0] < places[step.to, default: 0]
    }
    let forward = migrations.filter(isForward)
    return forward
      + migrations.filter { step in
        !isForward(step) && !NaturalOrder.areNumbered(step.from, step.to)
          && !forward.contains(VersionJump(from: step.to, to: step.from))
      }
  }
}
