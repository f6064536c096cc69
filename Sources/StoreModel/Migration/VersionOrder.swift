import StoreDiagnostics

/// The versions of a model from old to new. The source of a migration is older than its target, except in a downgrade.
/// Other versions are in the natural order of their names, followed by the current version.
///
/// Names alone aren't sufficient, because the position of a version such as `App_groups_v12` doesn't follow from its
/// name. But if the names of two versions differ only in their numbers, the numbers determine the order: `App 13` is
/// newer than a current version `App 12`, and a migration from `App 13` to `App 12` is a downgrade.
package struct VersionOrder: Hashable, Sendable {
  package let names: [String]

  /// Creates an order from names that are already sorted.
  package init(_ names: [String]) {
    self.names = names
  }

  /// Determines the order.
  ///
  /// - Parameters:
  ///   - names: The names of all versions, in any order.
  ///   - current: The current version, if it is known.
  ///   - migrations: The pairs of versions with a definition or a mapping model.
  package init(of names: [String], current: String?, migrations: [VersionJump]) {
    var rest = names.sorted { a, b in
      let (one, other) = (Self.rank(of: a, current), Self.rank(of: b, current))
      return one == other ? NaturalOrder.isLess(a, b) : one < other
    }
    let places = ExactDictionary(zip(rest, rest.indices)) { first, _ in first }
    let steps = Self.ordering(migrations, in: places)
    var ordered: [String] = []
    while !rest.isEmpty {
      // The next version is the first to which no migration from another remaining version leads. If the migrations
      // form a cycle, it is the first of all remaining versions.
      let free = rest.firstIndex { name in
        !steps.contains { $0.to.isExactly(name) && rest.containsExactly($0.from) }
      }
      ordered.append(rest.remove(at: free ?? 0))
    }
    self.names = ordered
  }

  /// Returns the versions between two versions, including both, from old to new. It doesn't matter which one is older.
  package func names(from: String, to: String) -> [String] {
    guard let one = names.firstIndex(where: { $0.isExactly(from) }),
      let other = names.firstIndex(where: { $0.isExactly(to) })
    else { return [] }
    return Array(names[min(one, other)...max(one, other)])
  }

  /// Returns 1 for the current version, 2 for a version whose name differs from the current one only by a higher
  /// number, and 0 for any other version.
  private static func rank(of name: String, _ current: String?) -> Int {
    guard let current else { return 0 }
    if name.isExactly(current) { return 1 }
    return NaturalOrder.areNumbered(name, current) && NaturalOrder.isLess(current, name) ? 2 : 0
  }

  /// Returns the migrations that determine the order, without downgrades.
  ///
  /// - Parameter places: The positions of the versions before migrations are considered, by name.
  private static func ordering(_ migrations: [VersionJump], in places: ExactDictionary<Int>)
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
