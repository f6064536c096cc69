/// Renames of tables or columns, in an order in which each new name is free.
struct RenameOrder {
  typealias Rename = (old: String, new: String)

  private(set) var renames: [Rename] = []
  /// In lower case, as SQLite compares names.
  private var taken: Set<String>

  /// - Parameters:
  ///   - wanted: what is to get which name.
  ///   - taken: all names before the first rename, in lower case. One that `wanted` asks for belongs to something that is
  ///     renamed, too.
  init(_ wanted: [Rename], taken: Set<String>) {
    self.taken = taken
    var pending = wanted
    while !pending.isEmpty {
      if let index = pending.firstIndex(where: { !self.taken.contains($0.new.lowercased()) }) {
        add(pending.remove(at: index))
        continue
      }
      let (old, new) = pending[0]
      // What stays would be waited for without end.
      precondition(
        pending.contains { $0.old.lowercased() == new.lowercased() },
        "something that stays has the name \(new)")
      // A circle: one of them steps aside.
      let aside = TableNames.free(ScratchName.old(old), among: self.taken)
      add((old, aside))
      pending[0].old = aside
    }
  }

  private mutating func add(_ rename: Rename) {
    taken.remove(rename.old.lowercased())
    taken.insert(rename.new.lowercased())
    renames.append(rename)
  }
}
