import StoreDiagnostics
import StoreModelReader
import TestSupport
import Testing

struct VersionLockTests {
  private let one = String(repeating: "A", count: 43) + "="
  private let two = String(repeating: "+", count: 43) + "="

  private func lock(_ text: String) throws -> VersionLock {
    try VersionLock(path: "M/Todo.lock", model: "Todo", parsing: text)
  }

  @Test func anotherSpellingIsAnotherVersion() throws {
    var lock = VersionLock(path: "M/Todo.lock", model: "Todo")
    lock.add("caf\u{E9}", hash: one)
    #expect(lock.entry(for: "cafe\u{301}") == nil)
    lock.add("cafe\u{301}", hash: two)
    #expect(try self.lock(lock.text).entries.map(\.version.utf8.count).sorted() == [5, 6])
  }

  /// Versions are sorted by their numbers, so two branches that add a version have a conflict at the same position.
  @Test func writesALineForEachVersionInNaturalOrder() throws {
    var lock = VersionLock(path: "M/Todo.lock", model: "Todo")
    lock.add("Todo 10", hash: two)
    lock.add("Todo 2", hash: one)
    lock.add("Todo", hash: two)
    let expected = """
      # The released versions of Todo: hash (a store's NSStoreModelVersionChecksumKey) and name.
      # 'storetool model lock' adds versions, 'storetool model check' fails when one of these is edited
      # or removed. A line is never changed.
      \(two)  Todo
      \(one)  Todo 2
      \(two)  Todo 10

      """
    #expect(lock.text == expected)
    #expect(try self.lock(lock.text).text == lock.text)
  }

  @Test func readsWhatPeopleLeave() throws {
    let lock = try lock("\r\n # note\r\n\(one)\tTodo 2 final  \r\n\n\(two) Todo")
    #expect(lock.entries.map(\.version) == ["Todo", "Todo 2 final"])
    #expect(lock.entry(for: "Todo 2 final")?.hash == one)
    #expect(lock.entry(for: "Todo 2 final")?.place?.line == 3)
    #expect(lock.entry(for: "Todo 2") == nil)
  }

  @Test func reportsEveryMistakeOfAFile() throws {
    let text = """
      \(one)  Todo
      \(one)
      <<<<<<< HEAD
      \(two)  Todo
      \(one.dropLast())!  Todo 2
      short=  Todo 3
      """
    let failure = #expect(throws: DiagnosticError.self) { try lock(text) }
    let messages = failure?.diagnostics.map { "\($0.place?.line ?? 0): \($0.message) [\($0.code)]" }
    #expect(
      messages == [
        "2: a line of a lock file must contain a hash and the name of a version [lock.malformed]",
        "3: unresolved merge conflict [lock.conflict]",
        "4: the version 'Todo' has two hashes; the first one is on line 1 [lock.twice]",
        "5: '\(one.dropLast())!' isn't a version hash [lock.no-hash]",
        "6: 'short=' isn't a version hash [lock.no-hash]",
      ])
  }

  @Test(arguments: [
    ("Models/Todo.xcdatamodeld", "Migrations"), ("Todo.xcdatamodeld", "Migrations"),
    ("./Todo.xcdatamodeld/", "Migrations"), ("/app/Models/Todo.xcdatamodeld", "/app/Migrations"),
    ("App/Data/Todo.xcdatamodeld", "App/Migrations"),
    ("App/Data/Todo.xcdatamodeld/Todo 2.xcdatamodel/contents", "App/Migrations"),
    ("../Todo.xcdatamodeld", "../Migrations"), ("../Models/Todo.xcdatamodeld", "../Migrations"),
  ])
  func migrationsAreBesideTheFolderOfTheModel(path: String, migrations: String) {
    #expect(
      ModelBundle.defaultMigrationsFolder(ofModelAt: LocalPath(path)) == LocalPath(migrations))
  }
}
