import StoreEngine

/// Gives tables their names when those are free: new ones wait under another name until the tables
/// are gone that they replace.
struct TableNames {
  /// The names that are taken before anything is done.
  var existing: Set<String> = []
  private var renames: [(old: String, new: String)] = []
  private var freed: Set<String> = []

  /// The name under which a new table is made.
  mutating func new(_ name: String) -> String {
    guard existing.contains(name) else {
      existing.insert(name)
      return name
    }
    let temporary = "Z_NEW_\(name)"
    renames.append((temporary, name))
    return temporary
  }

  mutating func rename(_ old: String, to new: String) {
    if old != new { renames.append((old, new)) }
  }

  mutating func free(_ name: String) { freed.insert(name) }

  /// The renames, each when its name is free.
  var steps: [MigrationStep] {
    var pending = renames
    var taken = existing.subtracting(freed)
    var steps: [MigrationStep] = []
    func rename(_ old: String, _ new: String) {
      taken.remove(old)
      taken.insert(new)
      steps.append(
        MigrationStep(
          "ALTER TABLE \(name: old) RENAME TO \(name: new)", "renames \(old) to \(new)", .schema))
    }
    while !pending.isEmpty {
      if let index = pending.firstIndex(where: { !taken.contains($0.new) }) {
        let (old, new) = pending.remove(at: index)
        rename(old, new)
      } else {
        // A circle: one of them steps aside.
        let aside = "Z_OLD_\(pending[0].old)"
        rename(pending[0].old, aside)
        pending[0].old = aside
      }
    }
    return steps
  }
}
