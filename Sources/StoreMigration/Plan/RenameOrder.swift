import StoreDiagnostics

/// Renames of tables or columns, in an order in which each new name is free.
struct RenameOrder {
  typealias Rename = (old: String, new: String)

  private(set) var renames: [Rename] = []
  /// In lower case, as SQLite compares names.
  private var taken: Set<ExactText>

  /// - Parameters:
  ///   - wanted: what is to get which name.
  ///   - taken: all names before the first rename, in lower case. One that `wanted` asks for belongs to something that is
  ///     renamed, too.
  init(_ wanted: [Rename], taken: Set<ExactText>) {
    self.taken = taken
    var pending = wanted
    while !pending.isEmpty {
      let index = pending.firstIndex { rename in
        !self.taken.contains(ExactText(rename.new.lowercased()))
      }
      if let index {
        add(pending.remove(at: index))
        continue
      }
      let (old, new) = pending[0]
      // What stays would be waited for without end.
      precondition(
        pending.contains { $0.old.lowercased().isExactly(new.lowercased()) },
        "something that stays has the name \(new)")
      // A circle: one of them steps aside.
      let aside = TableNames.free(ScratchName.old(old), among: self.taken)
      add((old, aside))
      pending[0].old = aside
    }
  }

  private mutating func add(_ rename: Rename) {
    taken.remove(ExactText(rename.old.lowercased()))
    taken.insert(ExactText(rename.new.lowercased()))
    renames.append(rename)
  }
}
