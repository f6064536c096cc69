import SampleData
import Testing
import StoreDiagnostics

@testable import SQLiteAccess
@testable import StoreLayout

@Suite struct SchemaSnapshotTests {
  private let layout = StoreLayout(model: SampleModels.library)

  private func catalogue(
    after statements: String = "", besides foreign: Set<ExactText> = []
  ) throws -> SchemaSnapshot {
    try MemoryDatabase().inside { connection in
      for statement in layout.statements { try connection.define(statement) }
      try connection.runScript(statements)
      return SchemaSnapshot(of: try connection.databaseSchema(), besides: foreign)
    }
  }

  @Test func aStoreHasWhatItsLayoutSays() throws {
    let fresh = try SchemaSnapshot(of: layout)
    #expect(try catalogue().differences(to: fresh) == [])
    #expect(!fresh.tables.isEmpty && !fresh.indexes.isEmpty && !fresh.triggers.isEmpty)
  }

  /// Concurrent snapshots, some of which fail, don't share tables.
  @Test func freshOnesDoNotMeet() async throws {
    let (library, todo) = (layout, StoreLayout(model: SampleModels.todo))
    var broken = library
    // The table already exists.
    broken.tables.append(broken.tables[0])
    let unmakable = broken
    let expected = [try SchemaSnapshot(of: library), try SchemaSnapshot(of: todo)]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        group.addTask {
          if number % 3 == 2 {
            #expect(throws: DatabaseError.self) { try SchemaSnapshot(of: unmakable) }
          } else {
            let found = try SchemaSnapshot(of: number % 3 == 0 ? library : todo)
            #expect(found == expected[number % 3])
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(expected[0] != expected[1])
  }

  @Test func renamingBackLeavesNoTrace() throws {
    let renamed = try catalogue(
      after: "ALTER TABLE ZBOOK RENAME TO ZB; ALTER TABLE ZB RENAME TO ZBOOK")
    #expect(renamed.differences(to: try SchemaSnapshot(of: layout)) == [])
  }

  @Test func eachDifferenceIsTold() throws {
    let changed = try catalogue(
      after: """
        ALTER TABLE ZBOOK ADD COLUMN ZEXTRA INTEGER DEFAULT 5; CREATE TABLE ZOTHER (a);
        DROP INDEX Z_Book_title; CREATE INDEX mine ON ZBOOK (ZTITLE)
        """)
    let differences = changed.differences(to: try SchemaSnapshot(of: layout))
    #expect(
      differences.map { [$0.subject, $0.found, $0.expected] } == [
        ["ZBOOK", "ZEXTRA INTEGER DEFAULT 5", nil], ["ZOTHER", "table", nil],
        ["Z_Book_title", nil, "CREATE INDEX Z_Book_title ON ZBOOK (ZTITLE COLLATE BINARY ASC)"],
        ["mine", "CREATE INDEX mine ON ZBOOK (ZTITLE)", nil],
      ])
  }

  /// The result doesn't depend on the spelling of the statements.
  @Test func foreignTablesAndViewsAreLeftAlone() throws {
    let statements = """
      CREATE TABLE notes (a); CREATE INDEX byNote ON [notes] (a); CREATE VIEW all_notes AS SELECT a FROM notes;
      CREATE TRIGGER mine INSTEAD OF INSERT ON main.all_notes BEGIN SELECT 1; END
      """
    let fresh = try SchemaSnapshot(of: layout)
    let foreign: Set = ["notes", "all_notes"]
    #expect(try catalogue(after: statements, besides: foreign.exact).differences(to: fresh) == [])
    #expect(
      try catalogue(after: statements).differences(to: fresh).map(\.subject)
        == ["notes", "byNote", "mine"])
  }
}
