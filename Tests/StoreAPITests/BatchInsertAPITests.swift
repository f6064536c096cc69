import Foundation
import StoreDiagnostics
import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

@Suite(.enabled(if: SQLiteShell.executable != nil))
struct BatchInsertAPITests {
  private func person(_ name: String) -> [String: DataValue] { ["name": .string(name)] }

  @Test func everyTypeAsItIs() async throws {
    let sample = try await SampleStore("People")
    let identifier = try #require(UUID(uuidString: "1B0E5E0C-7A5D-4C7E-8E35-0D6B4F2A9C11"))
    let outcome = try await sample.store.batchInsert(
      [
        [
          "name": .string("Ray"), "birthday": .date(-683_000_000.5), "height": .double(1.78),
          "identifier": .uuid(identifier), "isActive": .boolean(true), "memberNumber": .integer(1),
          "nickname": .null,
        ]
      ], into: "Person")
    #expect(outcome == InsertResult(inserted: 1))
    #expect(
      try sample.rows(
        """
        SELECT ZNAME, ZBIRTHDAY, round(ZHEIGHT, 2), hex(ZIDENTIFIER), ZISACTIVE, ZMEMBERNUMBER,
          ZNICKNAME IS NULL FROM ZPERSON
        """) == ["Ray|-683000000.5|1.78|1B0E5E0C7A5D4C7E8E350D6B4F2A9C11|1|1|1"])
  }

  @Test func conflictPolicies() async throws {
    let sample = try await SampleStore("League")
    let store = sample.store
    try await store.batchInsert([person("Lions"), person("Tigers")], into: "Team")
    let records: [[String: DataValue]] = [
      ["name": .string("Tigers"), "points": .integer(3)], person("Bears"), person("Lions"),
    ]
    #expect(
      try await failure { try await store.batchInsert(records, into: "Team") }?.reason
        == .notUnique)
    let ignored = try await store.batchInsert(
      records, into: "Team", onConflict: .ignore, returning: .objectIDs)
    #expect(try await all(ignored).map(\.primaryKey) == [3])
    let updated = try await store.batchInsert(
      records + [person("Foxes")], into: "Team", onConflict: .update, returning: .objectIDs)
    // The rows of 'Bears' and 'Lions' already equaled their records.
    #expect(try await all(updated).map(\.primaryKey) == [2, 4])
    #expect(updated.count == 2)
    #expect(
      try await store.batchInsert(records, into: "Team", onConflict: .update)
        == InsertResult(inserted: 0, unchanged: 3))
    #expect(
      try sample.rows("SELECT ZNAME, ZPOINTS FROM ZTEAM ORDER BY Z_PK") == [
        "Lions|0", "Tigers|3", "Bears|0", "Foxes|0",
      ])
  }

  /// A string is always the value of the unique attribute, even if it looks like a predicate or an object ID.
  @Test func destinationsByUniqueValue() async throws {
    let sample = try await SampleStore("League")
    let names = ["(points == 0)", "x-coredata:///Team/p1", "Lions"]
    try await sample.store.batchInsert(names.map(person), into: "Team")
    try await sample.store.batchInsert(
      names.map { ["name": .string("of \($0)"), "team": .string($0)] }, into: "Player")
    #expect(
      try sample.rows(
        "SELECT p.ZNAME = 'of ' || t.ZNAME FROM ZPLAYER p JOIN ZTEAM t ON p.ZTEAM = t.Z_PK")
        == ["1", "1", "1"])
    let missing = try await failure {
      try await sample.store.batchInsert(
        [["name": .string("x"), "team": .string("Foxes")]], into: "Player")
    }
    #expect(missing?.reason == .invalidData)
    #expect(missing?.diagnostics.map(\.code) == ["value.no-match"])
  }

  @Test func validationAndWhatIsNoValue() async throws {
    let sample = try await SampleStore("Company")
    let before = try sample.content()
    func failure(_ record: [String: DataValue]) async throws -> String? {
      try await StoreAPITests.failure {
        try await sample.store.batchInsert([person("Ada"), record], into: "Employee")
      }.map { "\($0.reason): \($0.diagnostics.map(\.message).joined())" }
    }
    #expect(
      try await failure(["name": .string("B"), "age": .integer(7)])
        == "invalidData: record 2: 'age' is 7, but must be at least 16")
    #expect(try await failure([:]) == "invalidData: record 2: 'Employee.name' requires a value")
    #expect(
      try await failure(["name": .integer(1)])
        == "invalidData: record 2: 'name' takes text, not '1'")
    #expect(
      try await failure(["name": .string("B"), "age": .integer(70_000)])
        == "invalidData: record 2: '70000' is out of range for 'age': it must be a whole number from -32768 to 32767"
    )
    #expect(
      try await failure(["name": .string("B"), "salary": .double(.nan)])
        == "invalidData: record 2: 'salary' can't be NaN: SQLite stores it as NULL")
    #expect(
      try await failure(["name": .string("B"), "nmae": .null])
        == "invalidData: record 2: 'Employee' has no property 'nmae'")
    #expect(
      try await failure(["name": .string("B"), "department": .boolean(true)])
        == "invalidData: record 2: 'department' takes an object ID, not 'true'")
    #expect(try sample.content() == before)
    let outcome = try await sample.store.batchInsert(
      [["name": .string("B"), "age": .integer(7)]], into: "Employee", validates: false)
    #expect(outcome.inserted == 1)
  }

  @Test func reportsRecordsAgainstTheirNumber() async throws {
    let sample = try await SampleStore("Todo")
    let notes = ProgressNotes()
    try await sample.store.batchInsert(
      (0..<1_500).map { person("item \($0)") }, into: "Item", progress: notes.note)
    #expect(notes.all.map(\.rows) == [512, 1_024, 1_500, 1_500])
    #expect(notes.all.map(\.total) == [1_500, 1_500, 1_500, 1_500])
  }

  @Test(arguments: [
    ("items.ndjson", "{\"name\": \"a\"}\n{\"name\": \"b\", \"priority\": 3}\n"),
    ("items.json", "[{\"name\": \"a\"}, {\"name\": \"b\", \"priority\": 3}]"),
    ("items.csv", "name,priority\na,\nb,3\n"),
  ])
  func filesOfAllFormats(_ name: String, text: String) async throws {
    let sample = try await SampleStore("Todo")
    let file = try sample.folder.write(
      text.replacingOccurrences(of: "a,\n", with: "a,0\n"), to: name)
    let ids = try await sample.store.batchInsert(
      contentsOf: file, into: "Item", returning: .objectIDs)
    #expect(try await all(ids).map(\.primaryKey) == [1, 2])
    #expect(try sample.rows("SELECT ZNAME, ZPRIORITY FROM ZITEM") == ["a|0", "b|3"])
  }

  @Test func wrongFiles() async throws {
    let sample = try await SampleStore("Todo")
    let before = try sample.content()
    let file = try sample.folder.write(
      "{\"name\": \"a\"}\n{\"name\": 1}\n{\"nam\": 2}\n", to: "x.ndjson")
    let wrong = try await failure {
      try await sample.store.batchInsert(contentsOf: file, into: "Item")
    }
    #expect(wrong?.reason == .invalidData)
    #expect(wrong?.diagnostics.map(\.place?.line) == [2, 3])
    let missing = try await failure {
      try await sample.store.batchInsert(contentsOf: file + "x", into: "Item")
    }
    #expect(missing?.reason == .notFound)
    let unknown = try await failure {
      try await sample.store.batchInsert(contentsOf: file, into: "Itm")
    }
    #expect(unknown?.reason == .invalidRequest)
    #expect(try sample.content() == before)
  }
}
