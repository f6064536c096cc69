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

/// Names that tables, columns and indexes have in the middle of a migration, and none after it.
enum ScratchName {
  /// For what comes while the old one still has the name.
  static func new(_ name: String) -> String { "Z_NEW_\(name)" }

  /// For what makes way.
  static func old(_ name: String) -> String { "Z_OLD_\(name)" }

  /// For what the program's own step reads of the rows as they were.
  static func before(_ name: String) -> String { "Z_BEFORE_\(name)" }
}
