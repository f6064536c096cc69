/// The names of one scope: each is given once.
struct NamePool: Hashable, Sendable {
  private(set) var taken: Set<String>

  init(taken: Set<String> = []) {
    self.taken = taken.union(SwiftName.impossible).union(SwiftName.modules)
  }

  /// The name, with an underscore or more behind it where it is taken.
  mutating func take(_ name: String) -> String {
    var free = name
    while !taken.insert(free).inserted { free += "_" }
    return free
  }

  /// The same with a number behind it: for names of our own.
  mutating func takeNumbered(_ name: String) -> String {
    var (free, number) = (name, 2)
    while !taken.insert(free).inserted {
      free = "\(name)\(number)"
      number += 1
    }
    return free
  }

  /// A name for each, the same for the same list: those that need no change come first.
  mutating func take(_ names: [String], as swiftName: (String) -> String) -> [String: String] {
    var given: [String: String] = [:]
    for isExact in [true, false] {
      for name in names where given[name] == nil && (swiftName(name) == name) == isExact {
        given[name] = take(swiftName(name))
      }
    }
    return given
  }
}
