import StoreDiagnostics
import Foundation
import PlainSQLite
import SampleData
import StoreLayout
@testable import SQLiteAccess
import StoreTestSupport
import StoreVerification
import Testing

@testable import StoreAnonymization
@testable import StoreCore

/// Replacements fulfill the requirements of the model: uniqueness, derivations and indexes.
@Suite struct ConstraintTests {
  private static let rules = """
    name: NAME
    born: shift
    day: keep
    rating: keep
    card: hash
    title: scramble
    cover: hash
    isbn: fake-url
    mood: null
    """

  private func library(_ name: String) throws -> (GraphStore, AnonymizedStore) {
    let graph = try GraphStore(SampleModels.library)
    let author = try #require(graph.layout.entity(named: "Author")?.number)
    let book = try #require(graph.layout.entity(named: "Book")?.number)
    try graph.store.write { connection in
      for key in Int64(1)...26 {
        let name = String(Character(Unicode.Scalar(UInt8(96 + key))))
        try connection.run(
          """
          INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES \
          (\(value: .integer(key)), \(value: .integer(author)), 1, \(value: .text(name)))
          """)
        try connection.run(
          """
          INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZAUTHOR) VALUES \
          (\(value: .integer(key)), \(value: .integer(book)), 1, 'A title', \(value: .integer(key)))
          """)
      }
    }
    try graph.store.close()
    // `mood` is required in this model.
    let rules = Self.rules.replacingOccurrences(of: "NAME", with: name)
      .replacingOccurrences(of: "mood: null", with: "mood: keep")
    return (graph, try AnonymizedStore(graph, rules: rules))
  }

  private func run(_ trial: AnonymizedStore) throws -> PlainDatabase {
    let store = try Store.openExclusively(LocalPath(trial.graph.file.path))
    _ = try trial.anonymization(of: store).runInPlace()
    return try PlainDatabase(trial.graph.file.path)
  }

  /// Scrambling replaces each of the 26 letters with another existing one. In any order of the rows, a new value would
  /// be equal to an old value.
  @Test func aNewValueMayBeAnOldOne() throws {
    let (_, trial) = try library("scramble")
    let plain = try run(trial)
    let names = try plain.texts("SELECT ZNAME FROM ZPERSON ORDER BY Z_PK")
    #expect(Set(names).count == 26 && names.sorted().joined() == "abcdefghijklmnopqrstuvwxyz")
    #expect(names.joined() != "abcdefghijklmnopqrstuvwxyz")
    // The unique index exists again.
    #expect(throws: PlainDatabase.SQLiteError.self) {
      try plain.execute("UPDATE ZPERSON SET ZNAME = 'a'")
    }
  }

  /// Frameworks before 977 declare uniqueness in the table, whose index can't be dropped temporarily.
  @Test func uniquenessInTheTableItselfHolds() throws {
    let (graph, trial) = try library("scramble")
    let plain = try PlainDatabase(graph.file.path)
    let text = try #require(try plain.text("SELECT sql FROM sqlite_master WHERE name = 'ZPERSON'"))
    let indexes = try plain.texts(
      "SELECT sql FROM sqlite_master WHERE tbl_name = 'ZPERSON' AND type IN ('index', 'trigger') AND name NOT LIKE '%UNIQUE%'"
    )
    try plain.execute(
      """
      PRAGMA legacy_alter_table = ON; ALTER TABLE ZPERSON RENAME TO OLD;
      \(text.replacingOccurrences(of: "ZNAME VARCHAR", with: "ZNAME VARCHAR UNIQUE"));
      INSERT INTO ZPERSON SELECT * FROM OLD; DROP TABLE OLD; \(indexes.joined(separator: ";"))
      """)
    let count = try plain.text(
      "SELECT count(*) FROM pragma_index_list('ZPERSON') WHERE origin = 'u'")
    try plain.close()
    #expect(count == "1")
    let names = try run(trial).texts("SELECT ZNAME FROM ZPERSON ORDER BY Z_PK")
    #expect(Set(names).count == 26 && names.joined() != "abcdefghijklmnopqrstuvwxyz")
  }

  @Test func aDerivedValueFollows() throws {
    let (graph, trial) = try library("fake-name")
    let plain = try run(trial)
    let rows = try plain.rows(
      "SELECT b.ZAUTHORNAME, p.ZNAME, b.ZLOANCOUNT FROM ZBOOK b JOIN ZPERSON p ON p.Z_PK = b.ZAUTHOR"
    )
    #expect(rows.count == 26)
    #expect(rows.allSatisfy { $0[0] == $0[1] && $0[0]?.count ?? 0 > 12 && $0[2] == "0" })
    try plain.close()
    let store = try Store.open(LocalPath(graph.file.path), .reading)
    let findings = try store.verify(in: graph.layout).map(\.code)
    #expect(
      Set(findings).isSubset(of: [
        "verify.wrong-sum", "verify.missing-value", "verify.short-counter", "verify.missing-place",
      ]))
    // Core Data's triggers exist again.
    #expect(
      try PlainDatabase(graph.file.path).text(
        "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'")
        == "\(graph.layout.triggers.count)")
  }

  @Test func valuesThatBecameAlikeAreRefused() throws {
    let graph = try GraphStore(SampleModels.library)
    try graph.store.close()
    #expect(throws: RulesError.self) {
      try AnonymizedStore(
        graph, rules: Self.rules.replacingOccurrences(of: "NAME", with: "constant x"))
    }
  }
}
