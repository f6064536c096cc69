import StoreDiagnostics
import Foundation
import PlainSQLite
import SampleData
import StoreLayout
import StoreModel
@testable import SQLiteAccess
import StoreTestSupport
import StoreVerification
import Testing
import TestSupport

@testable import StoreAnonymization
@testable import StoreCore

/// No byte of an old value remains in any file of the result: in used and free pages, the `-wal`, the history, tables
/// outside of the model, the metadata, and files of large values. Every file is searched for every old value.
@Suite struct OldBytesTests {
  private static let rules = """
    key: scramble
    note: fake-name
    text: hash
    size.unit: blank
    made: shift
    data: hash
    photo: hash
    blob: null
    ident: hash
    link: fake-url
    """
  private static let kept = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
  private static let orphan = "11111111-2222-4333-8444-555555555555"

  /// A store with secret values in all locations that can contain values.
  private struct Secrets {
    let graph: GraphStore
    var pieces: [[UInt8]] = []

    init() throws {
      graph = try GraphStore()
      try graph.file.keepHistory(tombstones: 2)
      let texts = (0..<400).map { "secret text number \($0) \(String(repeating: "s", count: $0))" }
      let things = texts.enumerated().map { index, text in
        #"{"$entity": "Thing", "key": "secret key \#(index)", "text": "\#(text)", "data": "\#(Data("secret data \(index)".utf8).base64EncodedString())", "blob": "\#(Data("secret blob \(index)".utf8).base64EncodedString())", "link": "https://secret.example/\#(index)", "size": {"unit": "secret unit \#(index)"}}"#
      }
      try graph.importing(
        "[\(things.joined(separator: ",")),{\"$entity\": \"Person\", \"key\": \"secret person\", \"note\": \"secret note\"}]"
      )
      try graph.store.close()
      // Deleted rows leave free pages, and the history contains their preserved values.
      try graph.file.edit(Self.traces)
      let folder = URL(fileURLWithPath: "\(graph.store.externalDataFolder)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for name in [OldBytesTests.kept, OldBytesTests.orphan] {
        try Data("secret file \(name) \(String(repeating: "f", count: 3000))".utf8)
          .write(to: folder.appendingPathComponent(name))
      }
      pieces = [
        "secret", "SECRET", OldBytesTests.orphan,
      ].map { Array($0.utf8) }
    }

    private static let traces = """
      DELETE FROM ZTHING WHERE Z_PK % 2 = 0;
      UPDATE ZTHING SET ZPHOTO = CAST(x'02' || '\(kept)' || x'00' AS BLOB) WHERE Z_PK = 1;
      UPDATE ZTHING SET ZPHOTO = CAST(x'01' || 'secret inline' AS BLOB) WHERE Z_PK = 3;
      INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZTOMBSTONE0)
        VALUES (90001, 16001, 1, 2, 6, 2, 9001, 'secret tombstone');
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) VALUES (9001, 16002, 1, 7e8);
      INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (9001, 16003, 1, 'secret author');
      CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, ZCKRECORDNAME VARCHAR, ZENCODEDRECORD BLOB);
      INSERT INTO ANSCKRECORDMETADATA VALUES (1, 'secret record', CAST('secret encoded' AS BLOB));
      CREATE TABLE NOTES (a, b); INSERT INTO NOTES VALUES ('secret note', x'736563726574');
      CREATE INDEX NOTES_A ON NOTES (a);
      CREATE VIEW SHOWN AS SELECT ZTEXT FROM ZTHING;
      CREATE TRIGGER MIRROR AFTER UPDATE ON ZTHING BEGIN INSERT INTO NOTES VALUES (OLD.ZTEXT, NEW.ZTEXT); END;
      ALTER TABLE ZTAG ADD ZOLD VARCHAR;
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZOLD) VALUES (1, 5, 1, 'secret column');
      ANALYZE;
      """
  }

  private func anonymized(_ secrets: Secrets) throws -> AnonymizedStore {
    try AnonymizedStore(secrets.graph, rules: Self.rules)
  }

  @Test func nothingIsLeftInACopy() throws {
    let secrets = try Secrets()
    let trial = try anonymized(secrets)
    // The last transaction is only in the `-wal`.
    let writer = try secrets.graph.file.writer(
      "UPDATE ZTHING SET ZTEXT = 'secret text in the -wal' WHERE Z_PK = 5")
    let store = try Store.open(LocalPath(secrets.graph.file.path), .reading)
    let old = try trial.files()
    #expect(AnonymizedStore.traces(of: secrets.pieces, in: old).count > 3)
    let result = try trial.anonymization(of: store) { $0.otherContent = .drop }
      .write(to: LocalPath(secrets.graph.file.folder.path("Other.sqlite")))
    let new = try trial.files(but: "Graph.sqlite")
    #expect(new.count == 2, "\(new.keys)")
    #expect(AnonymizedStore.traces(of: secrets.pieces, in: new) == [])
    // The original store is unchanged.
    let still = try trial.files()
    for (name, data) in old { #expect(still[name] == data, "\(name)") }
    #expect(result.filesReplaced == 1 && result.transactions > 1 && result.changes > 400)
    #expect(result.cloudTables == ["ANSCKRECORDMETADATA": 1])
    #expect(
      result.otherContent.tables == ["NOTES"] && result.otherContent.columns == ["ZTAG": ["ZOLD"]])
    try checkWhole("Other.sqlite", secrets)
    try writer.close()
  }

  @Test(arguments: ["wal", "delete"])
  func nothingIsLeftInTheStoreItself(_ journal: String) throws {
    let secrets = try Secrets()
    let trial = try anonymized(secrets)
    try secrets.graph.file.edit("PRAGMA journal_mode = \(journal)")
    let store = try Store.openExclusively(LocalPath(secrets.graph.file.path))
    let result = try trial.anonymization(of: store) { $0.otherContent = .drop }
      .runInPlace(now: Date().timeIntervalSince1970 + 7200)
    let new = try trial.files()
    #expect(new.count == 2, "\(new.keys)")
    #expect(AnonymizedStore.traces(of: secrets.pieces, in: new) == [])
    #expect(result.filesLeft == [])
    try checkWhole("Graph.sqlite", secrets)
    let mode = try PlainDatabase(secrets.graph.file.path).text("PRAGMA journal_mode")
    #expect(mode == journal)
  }

  /// A file without a row may belong to a running insertion, so it is kept and reported.
  @Test func aYoungFileOfNoRowIsTold() throws {
    let secrets = try Secrets()
    let store = try Store.openExclusively(LocalPath(secrets.graph.file.path))
    let result = try anonymized(secrets).anonymization(of: store) { $0.otherContent = .drop }
      .runInPlace()
    #expect(result.filesLeft == [Self.orphan])
  }

  private func checkWhole(_ name: String, _ secrets: Secrets) throws {
    let path = secrets.graph.file.folder.path(name)
    let store = try Store.open(LocalPath(path), .reading)
    let findings = try store.verify(in: secrets.graph.layout).map(\.code).filter {
      !["verify.wrong-sum", "verify.orphan-file", "verify.short-counter"].contains($0)
    }
    #expect(findings == [])
    let plain = try PlainDatabase(path, isReadOnly: true)
    #expect(try plain.text("SELECT count(*) FROM ZTHING") == "200")
    #expect(try plain.text("SELECT count(*) FROM ACHANGE") == "0")
    #expect(
      try plain.texts("SELECT name FROM sqlite_master WHERE name IN ('NOTES', 'SHOWN', 'MIRROR')")
        == [])
    // Its bytes were replaced by the same number of bytes.
    let photo = try #require(
      try plain.text("SELECT substr(CAST(ZPHOTO AS TEXT), 2, 36) FROM ZTHING WHERE Z_PK = 1"))
    #expect(photo != Self.kept)
    let file = "\(store.externalDataFolder)/\(photo)"
    #expect(FileManager.default.contents(atPath: "\(file)")?.count == 3049)
  }

  // MARK: Refusals

  @Test func whatIsNotOfTheModelIsRefused() throws {
    let secrets = try Secrets()
    let store = try Store.open(LocalPath(secrets.graph.file.path), .reading)
    let trial = try anonymized(secrets)
    let before = try trial.files()
    #expect(throws: AnonymizationError.self) {
      try trial.anonymization(of: store).write(
        to: LocalPath(secrets.graph.file.folder.path("Other.sqlite")))
    }
    #expect(try trial.files() == before)
  }

  /// Tables that are kept also keep their content. A trigger of the app isn't executed.
  @Test func whatIsNotOfTheModelCanBeKept() throws {
    let secrets = try Secrets()
    let store = try Store.open(LocalPath(secrets.graph.file.path), .reading)
    let path = secrets.graph.file.folder.path("Other.sqlite")
    _ = try anonymized(secrets).anonymization(of: store) { $0.otherContent = .keep }.write(
      to: LocalPath(path))
    let plain = try PlainDatabase(path)
    #expect(try plain.texts("SELECT a FROM NOTES") == ["secret note"])
    #expect(
      try plain.texts(
        "SELECT name FROM sqlite_master WHERE name IN ('NOTES', 'SHOWN', 'MIRROR') ORDER BY 1")
        == ["MIRROR", "NOTES", "SHOWN"])
  }

  @Test(arguments: [
    "UPDATE ZTHING SET Z_ENT = 77 WHERE Z_PK = 1",
    "UPDATE ZTHING SET ZCOUNT16 = 'secret in a number' WHERE Z_PK = 1",
    "UPDATE ZTHING SET ZMADE = 'secret in a date' WHERE Z_PK = 1", "DROP TABLE Z_1TAGS",
  ])
  func aValueThatNoRuleMeetsIsRefused(_ sql: String) throws {
    let graph = try GraphStore()
    try graph.importing(#"{"$entity": "Thing", "key": "a"}"#)
    try graph.store.close()
    try graph.file.edit(sql)
    let trial = try AnonymizedStore(graph, rules: Self.rules)
    let store = try Store.openExclusively(LocalPath(graph.file.path))
    #expect(throws: (any Error).self) { try trial.anonymization(of: store).runInPlace() }
    try store.close()
    let other = graph.file.folder.path("Other.sqlite")
    let reading = try Store.open(LocalPath(graph.file.path), .reading)
    #expect(throws: (any Error).self) {
      try trial.anonymization(of: reading).write(to: LocalPath(other))
    }
    #expect(try graph.file.contents().keys.sorted() == ["Graph.sqlite"])
  }

  /// Rules don't apply to the columns of relationships, orders and join tables, so their content would be copied.
  @Test(arguments: ["ZOWNER", "Z_FOK_PARENT", "Z_OPT", nil], ["'a secret'", "x'5EC2E7'"])
  func textAndDataAmongReferencesAreRefused(column: String?, value: String) throws {
    let graph = try GraphStore()
    try graph.importing(#"{"$entity": "Thing", "key": "a"}"#)
    try graph.store.close()
    let join = try #require(graph.layout.joinTables.first)
    let columns = join.columns.map(\.name)
    try graph.file.edit(
      column.map { "UPDATE ZTHING SET \($0) = \(value)" }
        ?? "INSERT INTO \(join.name) (\(columns.joined(separator: ", "))) VALUES (\(columns.map { _ in value }.joined(separator: ", ")))"
    )
    let trial = try AnonymizedStore(graph, rules: Self.rules)
    let store = try Store.open(LocalPath(graph.file.path), .reading)
    let expected = AnonymizationError.strayReferences(
      table: column == nil ? join.name : "ZTHING", column: column ?? columns[0], count: 1)
    #expect(throws: expected) {
      try trial.anonymization(of: store).write(
        to: LocalPath(graph.file.folder.path("Other.sqlite")))
    }
  }

  /// The rule `keep` only applies to numbers.
  @Test(arguments: ["ZCOUNT16", "ZFLAG", "ZPRICE", "ZRATIO", "ZMADE"])
  func textInAKeptNumberIsRefused(column: String) throws {
    let graph = try GraphStore()
    try graph.importing(#"{"$entity": "Thing", "key": "a"}"#)
    try graph.store.close()
    try graph.file.edit("UPDATE ZTHING SET \(column) = 'a secret'")
    let kept = "count16: keep\nflag: keep\nprice: keep\nratio: keep\nmade: keep\n"
    let rules = Self.rules.split(separator: "\n").filter { !$0.hasPrefix("made") }
    let trial = try AnonymizedStore(graph, rules: kept + rules.joined(separator: "\n"))
    let store = try Store.open(LocalPath(graph.file.path), .reading)
    let attribute = "Thing.\(column.dropFirst().lowercased())"
    #expect(throws: AnonymizationError.strayValues(attribute: attribute, count: 1)) {
      try trial.anonymization(of: store).dryRun()
    }
  }

  /// In-place migrations leave values in columns of other entities.
  @Test func aColumnOfAnotherEntityIsCleared() throws {
    let graph = try GraphStore()
    try graph.importing(#"{"$entity": "Thing", "key": "a"}"#)
    try graph.store.close()
    try graph.file.edit("UPDATE ZTHING SET ZSERIAL = 'secret serial'")
    let trial = try AnonymizedStore(graph, rules: Self.rules)
    let store = try Store.openExclusively(LocalPath(graph.file.path))
    _ = try trial.anonymization(of: store).runInPlace()
    #expect(try PlainDatabase(graph.file.path).texts("SELECT ZSERIAL FROM ZTHING") == [])
  }

  @Test func theMetadataAndTheIdentityGo() throws {
    let graph = try GraphStore()
    try graph.store.write { connection in
      guard var metadata = try connection.metadata() else { return }
      metadata.entries["account"] = .string("secret account")
      try connection.setMetadata(metadata)
    }
    try graph.store.close()
    let trial = try AnonymizedStore(graph, rules: Self.rules)
    let reading = try Store.open(LocalPath(graph.file.path), .reading)
    let path = graph.file.folder.path("Other.sqlite")
    let result = try trial.anonymization(of: reading) { $0.givesNewIdentity = true }.write(
      to: LocalPath(path))
    #expect(result.metadataKeys == ["account"])
    let other = try Store.open(LocalPath(path), .reading)
    #expect(
      other.metadata.uuid == result.newIdentity && other.metadata.uuid != reading.metadata.uuid)
    #expect(other.metadata.applicationEntries.isEmpty)
    #expect(
      AnonymizedStore.traces(of: [Array("secret".utf8)], in: try trial.files(but: "Graph.sqlite"))
        == [])
    let kept = graph.file.folder.path("Kept.sqlite")
    _ = try trial.anonymization(of: reading) { $0.keepsMetadata = true }.write(to: LocalPath(kept))
    #expect(try Store.open(LocalPath(kept), .reading).metadata == reading.metadata)
  }

  // MARK: Joins

  /// Equal values have equal replacements everywhere. With another key, the replacements differ.
  @Test func joinsHold() throws {
    let graph = try GraphStore()
    try graph.importing(
      #"[{"$entity": "Thing", "key": "ray", "text": "ray"}, {"$entity": "Person", "key": "ray", "note": "ray"}, {"$entity": "Tag", "key": "zoe"}]"#
    )
    try graph.store.close()
    let rules = Self.rules.replacingOccurrences(of: "fake-name", with: "scramble")
      .replacingOccurrences(of: "text: hash", with: "text: scramble")
    let trial = try AnonymizedStore(graph, rules: rules)
    func values(_ name: String, key: [UInt8]) throws -> [String] {
      let path = graph.file.folder.path(name)
      let store = try Store.open(LocalPath(graph.file.path), .reading)
      _ = try trial.anonymization(of: store, key: key).write(to: LocalPath(path))
      return try PlainDatabase(path).rows(
        "SELECT t.ZKEY, t.ZTEXT, b.ZKEY, b.ZNOTE, g.ZKEY FROM ZTHING t, ZBEING b, ZTAG g"
      )[0].compactMap(\.self)
    }
    let first = try values("1.sqlite", key: AnonymizedStore.key)
    #expect(Set(first.prefix(4)).count == 1 && first[0] != "ray" && first[4] != first[0])
    #expect(try values("2.sqlite", key: AnonymizedStore.key) == first)
    #expect(try values("3.sqlite", key: Array("another key".utf8)) != first)
  }
}
