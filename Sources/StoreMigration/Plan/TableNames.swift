import SQLiteAccess
import StoreDiagnostics

/// Gives tables their names when those are free: new ones wait under another name until the tables
/// are gone that they replace.
struct TableNames {
  /// Names as SQLite compares them.
  private var existing: Set<ExactText>
  private var renames: [(old: String, new: String)] = []
  private var freed: Set<ExactText> = []

  /// - Parameter existing: the names that are taken before anything is done.
  init(existing: some Sequence<String>) {
    self.existing = existing.map { $0.lowercased() }.exact
  }

  /// The name under which a new table is made.
  mutating func new(_ name: String) -> String {
    guard existing.contains(ExactText(name.lowercased())) else {
      existing.insert(ExactText(name.lowercased()))
      return name
    }
    let temporary = Self.free(ScratchName.new(name), among: existing)
    renames.append((temporary, name))
    return temporary
  }

  mutating func rename(_ old: String, to new: String) {
    if !old.isExactly(new) { renames.append((old, new)) }
  }

  mutating func free(_ name: String) { freed.insert(ExactText(name.lowercased())) }

  /// The renames, each when its name is free.
  ///
  /// All of them can be had: `ForeignNames.requireFree` has been asked before.
  var steps: [MigrationStep] {
    RenameOrder(renames, taken: existing.subtracting(freed)).renames.map { old, new in
      MigrationStep(
        "ALTER TABLE \(name: old) RENAME TO \(name: new)", "renames \(old) to \(new)", .schema)
    }
  }

  /// The name, made longer as long as it is one of those, which are in lower case.
  static func free(_ name: String, among taken: Set<ExactText>) -> String {
    var name = name
    while taken.contains(ExactText(name.lowercased())) { name += "_" }
    return name
  }
}
