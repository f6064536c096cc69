import SQLiteAccess
import StoreDiagnostics

/// Assigns names to tables. A new table whose name is in use has a temporary name until the old table is dropped or
/// renamed.
struct TableNames {
  /// The names in lower case, because SQLite ignores case.
  private var existing: Set<ExactText>
  private var renames: [(old: String, new: String)] = []
  private var freed: Set<ExactText> = []

  /// - Parameter existing: the names in use before the migration.
  init(existing: some Sequence<String>) {
    self.existing = existing.map { $0.lowercased() }.exact
  }

  /// Returns the name with which a new table is created: `name`, or a temporary name if `name` is in use.
  mutating func new(_ name: String) -> String {
    if existing.insert(ExactText(name.lowercased())).inserted { return name }
    let temporary = Self.free(ScratchName.new(name), among: existing)
    renames.append((temporary, name))
    return temporary
  }

  mutating func rename(_ old: String, to new: String) {
    if !old.isExactly(new) { renames.append((old, new)) }
  }

  mutating func free(_ name: String) { freed.insert(ExactText(name.lowercased())) }

  /// The renames, in an order in which each new name isn't in use. `ForeignNames.requireFree` has checked that objects
  /// outside of the model don't have these names.
  var steps: [MigrationStep] {
    RenameOrder(renames, taken: existing.subtracting(freed)).renames.map { old, new in
      MigrationStep(
        "ALTER TABLE \(name: old) RENAME TO \(name: new)", "renames \(old) to \(new)", .schema)
    }
  }

  /// Returns the name, followed by underscores if it is in `taken`, which is in lower case.
  static func free(_ name: String, among taken: Set<ExactText>) -> String {
    var name = name
    while taken.contains(ExactText(name.lowercased())) { name += "_" }
    return name
  }
}

/// Renames of tables or columns, in an order in which each new name isn't in use.
struct RenameOrder {
  typealias Rename = (old: String, new: String)

  private(set) var renames: [Rename] = []
  /// The names in use in lower case, because SQLite ignores case.
  private var taken: Set<ExactText>

  /// - Parameters:
  ///   - wanted: the renames.
  ///   - taken: all names in lower case before the first rename. If `wanted` contains one of them as a new name, it
  ///     must also contain it as an old name.
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
      // If no pending rename frees the name, the loop would never end.
      precondition(
        pending.contains { $0.old.lowercased().isExactly(new.lowercased()) },
        "the name \(new) is in use")
      // The renames form a cycle. Rename one of the objects to a temporary name first.
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

/// Temporary names of tables, columns and indexes during a migration.
enum ScratchName {
  /// Returns the temporary name of a new object while an old object has its name.
  static func new(_ name: String) -> String { "Z_NEW_\(name)" }

  /// Returns the temporary name of an old object whose name is required for another object.
  static func old(_ name: String) -> String { "Z_OLD_\(name)" }

  /// Returns the name of the temporary table with the old rows that a custom step reads.
  static func before(_ name: String) -> String { "Z_BEFORE_\(name)" }
}
