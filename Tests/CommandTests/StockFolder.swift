import Foundation
import PlainSQLite
import TestSupport
import Testing

/// A folder with a store that every writing command changes, and these commands.
///
/// The store has a unique index and another index, a relationship with references to missing rows, a counter that is
/// too low, and a history.
struct StockFolder {
  let samples: SampleFolder

  static let model = "Stock.xml"
  static let store = "stock.sqlite"

  /// Commands that change the store.
  static let commands: [[String]] = [
    ["insert", "Part", "code=0", "name=new"],
    ["batch-insert", "Part", "new.ndjson"],
    ["batch-insert", "Part", "more.ndjson", "--on-conflict", "update"],
    ["batch-insert", "Part", "more.ndjson", "--on-conflict", "ignore"],
    ["import", "bins.ndjson", "--entity", "Bin"],
    ["seed", "Part=9000", "Bin=300", "--seed", "7"],
    ["batch-update", "Part", "amount=7"],
    ["batch-update", "Part", "code:=code + 1", "name:=uppercase:(name)"],
    ["batch-update", "Part", #"bin:=(label == "bin 20")"#],
    ["batch-update", "Part", "amount=8", "--where", #"name MATCHES "(p|pa|a)+rt [0-9]*7""#],
    ["batch-delete", "Part", "--where", "modulus:by:(code, 2) == 0"],
    ["batch-delete", "Part", "--where", "code < 100"],
    ["batch-delete", "Bin", "--all"],
    ["link", "Bin.parts", #"label == "bin 20""#, "code < 3000"],
    ["unlink", "Part.bin", "code < 3000", "TRUEPREDICATE"],
    ["verify", "--repair"],
    ["history", "--prune", "--before", "3"],
  ]

  /// - Parameter rows: the number of parts.
  init(rows: Int = 4_000) throws {
    samples = try SampleFolder()
    try samples.folder.write(Self.modelText, to: Self.model)
    try samples.folder.write(Self.parts(rows / 2...rows * 2, amount: 9), to: "more.ndjson")
    try samples.folder.write(Self.parts(rows * 3...rows * 4, amount: 9), to: "new.ndjson")
    let bins = (1...rows).map {
      #"{"label": "more \#($0)", "parts": [{"code": \#(rows * 5 + $0), "name": "x"}]}"#
    }
    try samples.folder.write(bins.joined(separator: "\n"), to: "bins.ndjson")
    try samples.expect("storetool create \(Self.store) --model \(Self.model)")
    try PlainDatabase(path()).execute(Self.content(rows))
  }

  func path(_ name: String = store) -> String { samples.folder.path(name) }

  /// Returns the line for a shell. No argument contains a single quote.
  static func line(_ arguments: [String]) -> String {
    arguments.map { "'\($0)'" }.joined(separator: " ")
  }

  private static func parts(_ codes: ClosedRange<Int>, amount: Int) -> String {
    codes.map { #"{"code": \#($0), "amount": \#(amount), "name": "part \#($0 * 7919 % 10007)"}"# }
      .joined(separator: "\n")
  }

  private static let modelText = """
    <?xml version="1.0"?>
    <model>
      <entity name="Part">
        <attribute name="amount" attributeType="Integer 32" optional="YES"/>
        <attribute name="code" attributeType="Integer 64"/>
        <attribute name="name" attributeType="String" optional="YES" indexed="YES"/>
        <relationship name="bin" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Bin" inverseName="parts" inverseEntity="Bin"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="code"/>
        </uniquenessConstraint></uniquenessConstraints>
      </entity>
      <entity name="Bin">
        <attribute name="label" attributeType="String" optional="YES"/>
        <relationship name="parts" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Part" inverseName="bin" inverseEntity="Part"/>
      </entity>
    </model>
    """

  /// Creates the parts and a hundred bins. Every second bin is deleted, but the references to it remain. Two
  /// transactions of the history have changed all parts.
  private static func content(_ rows: Int) -> String {
    """
    BEGIN;
    CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
    ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, \
    ZCOLUMNS BLOB);
    CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
    ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, \
    ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, \
    ZPROCESSID VARCHAR, ZQUERYGEN BLOB);
    CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
    ZNAME VARCHAR);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows)) \
    INSERT INTO ZPART (Z_PK, Z_ENT, Z_OPT, ZAMOUNT, ZCODE, ZBIN, ZNAME) \
    SELECT i, 2, 1, 3, i, i % 100 + 1, 'part ' || (i * 7919 % 10007) FROM n;
    INSERT INTO ZBIN (Z_PK, Z_ENT, Z_OPT, ZLABEL) \
    SELECT Z_PK * 2, 1, 1, 'bin ' || (Z_PK * 2) FROM ZPART WHERE Z_PK <= 50;
    INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) \
    VALUES (1, 16002, 1, 7e8), (2, 16002, 1, 7.1e8);
    INSERT INTO ACHANGE \
    SELECT Z_PK, 16001, 1, 1, 2, Z_PK, 1, x'80' FROM ZPART UNION ALL \
    SELECT Z_PK + \(rows), 16001, 1, 1, 2, Z_PK, 2, x'80' FROM ZPART;
    INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, \(rows * 2)), \
    (16002, 'TRANSACTION', 0, 2), (16003, 'TRANSACTIONSTRING', 0, 0);
    UPDATE Z_PRIMARYKEY SET Z_MAX = 50 WHERE Z_NAME IN ('Bin', 'Part');
    COMMIT;
    """
  }

  // MARK: Looking

  /// All content that a write can change and that is the same in every run: a text for each table.
  struct State: Equatable {
    var tables: [String: String] = [:]

    init(_ database: PlainDatabase) throws {
      #expect(try database.text("PRAGMA integrity_check") == "ok")
      let names = try database.texts(
        "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")
      for name in names {
        let columns = try database.texts("SELECT name FROM pragma_table_info('\(name)')").filter {
          $0 != "ZTIMESTAMP"
        }
        let row = columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")
        tables[name] = try database.text(
          "SELECT group_concat(r, x'0a') FROM (SELECT \(row) AS r FROM \(name) ORDER BY 1)")
      }
      // Indexes that are dropped temporarily must exist again.
      tables["sqlite_master"] = try database.texts(
        "SELECT name || ' ' || sql FROM sqlite_master WHERE sql NOT NULL ORDER BY 1"
      ).joined(separator: "\n")
    }

    /// Returns the names of the tables that differ, for failure messages.
    func difference(from other: State) -> [String] {
      Set(tables.keys).union(other.tables.keys).filter { tables[$0] != other.tables[$0] }.sorted()
    }
  }

  func state(of name: String = store) throws -> State {
    try State(PlainDatabase(path(name)))
  }

  /// Sets the journal mode of the store.
  func setJournal(_ mode: JournalMode) throws {
    try PlainDatabase(path()).execute("PRAGMA journal_mode = \(mode.rawValue)")
  }

  enum JournalMode: String, CaseIterable {
    case wal, delete
  }

  // MARK: Trying

  /// Creates a fresh copy of the store, and of a `-wal` beside it.
  func copy(to name: String = "copy.sqlite") throws {
    let manager = FileManager.default
    for suffix in ["", "-wal", "-shm", "-journal"] {
      if manager.fileExists(atPath: path(name + suffix)) {
        try manager.removeItem(atPath: path(name + suffix))
      }
    }
    for suffix in ["", "-wal"] where manager.fileExists(atPath: path(Self.store + suffix)) {
      try manager.copyItem(atPath: path(Self.store + suffix), toPath: path(name + suffix))
    }
  }

  /// Runs a command on a store, and sends it a signal after a duration if it is still running.
  func run(
    _ arguments: [String], on name: String = "copy.sqlite", sending signal: Int32 = SIGKILL,
    after duration: Duration = .seconds(600), environment: [String: String] = [:]
  ) throws -> SampleFolder.Ending {
    try samples.run(
      arguments + ["--store", name, "--model", Self.model], sending: signal, after: duration,
      environment: environment)
  }
}
