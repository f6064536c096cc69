@testable import StoreDiagnostics
import Foundation
import SampleData
import SeededRandom
import StoreModel
import StoreTestSupport
import Testing
import TestSupport

@testable import PredicateSQL
@testable import RecordFormats
@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreLayout

@Suite struct RowStreamTests {
  static let query = CompiledQuery(
    sql: "SELECT t.Z_PK, t.ZTITLE, t.ZDONE, t.ZLIST FROM ZITEM AS t ORDER BY t.Z_PK",
    columns: [
      ResultColumn(name: "objectID", source: .objectID(key: 0, entity: .fixed("Item"))),
      ResultColumn(name: "title", source: .value(1, .string)),
      ResultColumn(name: "done", source: .value(2, .boolean)),
      ResultColumn(name: "list", source: .objectID(key: 3, entity: .fixed("List"))),
    ])

  /// Creates a store with more rows than one batch contains, of very different lengths.
  static func filledStore(rows: Int, seed: UInt64) throws -> StoreFixture {
    let fixture = try StoreFixture()
    var generator = SeededGenerator(seed: seed)
    var values: [String] = []
    for key in 1...rows {
      let length = Int.random(in: 0..<60, using: &generator)
      let title =
        key % 600 == 0 ? "hex(zeroblob(80000))" : "'\(String(repeating: "é", count: length))'"
      values.append("(\(key), 1, 1, \(key % 2), \(key % 3 == 0 ? "NULL" : "\(key)"), \(title))")
    }
    try fixture.edit(
      "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZDONE, ZLIST, ZTITLE) VALUES "
        + values.joined(separator: ", "))
    return fixture
  }

  private static func write(
    _ query: CompiledQuery, of store: Store, as format: RowFormat, to sink: some ByteSink,
    cancellation: Cancellation = Cancellation()
  ) throws {
    let context = RowContext(
      layout: StoreLayout(model: SampleModels.todo), store: store.metadata.uuid,
      externalFolder: ExternalFolder(path: store.externalDataFolder))
    try store.read(cancellation: cancellation) { connection in
      _ = try RowStream(query, on: connection, cancellation: cancellation)
        .writeAll(as: format, context: context, to: sink)
    }
  }

  /// Writes the same output as a stream with one thread, row by row.
  private static func writeRowByRow(
    _ query: CompiledQuery, on connection: Connection, as format: RowFormat, _ context: RowContext,
    to sink: some ByteSink
  ) throws -> Int {
    var statement = try connection.prepare(query.sql)
    let width = Int(statement.columnCount)
    let shape = context.shape(of: query.columns, width: width)
    var output = FormattedOutput(format.formatter(for: shape), to: sink)
    let row = PackedRows(width: width)
    var count = 0
    while try statement.step() {
      row.removeAll()
      statement.copyRow(into: row)
      try output.append(row)
      count += 1
    }
    try output.finish()
    return count
  }

  @Test(arguments: RowFormat.allCases) func twoThreadsWriteWhatOneWrites(
    format: RowFormat
  ) throws {
    let fixture = try Self.filledStore(rows: 1_500, seed: 11)
    let store = try Store.open(LocalPath(fixture.path), .reading)
    let context = RowContext(layout: StoreLayout(model: SampleModels.todo), store: "S")
    let (plain, threaded) = (ByteCollector(), ByteCollector())
    try store.read { connection in
      let stream = RowStream(Self.query, on: connection)
      let counts = [
        try Self.writeRowByRow(Self.query, on: connection, as: format, context, to: plain),
        try stream.writeAll(as: format, context: context, to: threaded),
      ]
      #expect(counts == [1_500, 1_500])
    }
    #expect(plain.bytes == threaded.bytes)
    #expect(plain.bytes.count > 90_000)
  }

  @Test func aClosedPipeIsItsOwnError() throws {
    let fixture = try Self.filledStore(rows: 2_500, seed: 12)
    let store = try Store.open(LocalPath(fixture.path), .reading)
    #expect(throws: OutputClosed()) {
      try Self.write(Self.query, of: store, as: .ndjson, to: ByteCollector(limit: 70_000))
    }
  }

  @Test func cancellingStopsBetweenBatches() throws {
    let fixture = try Self.filledStore(rows: 2_500, seed: 13)
    let store = try Store.open(LocalPath(fixture.path), .reading)
    let cancellation = Cancellation()
    cancellation.request()
    #expect(throws: Cancelled()) {
      try Self.write(
        Self.query, of: store, as: .csv, to: ByteCollector(), cancellation: cancellation)
    }
  }

  @Test func aFailingQueryIsReported() throws {
    let fixture = try StoreFixture()
    let store = try Store.open(LocalPath(fixture.path), .reading)
    let query = CompiledQuery(
      sql: "SELECT abs(-9223372036854775808)",
      columns: [ResultColumn(name: "x", source: .value(0, .integer64))])
    #expect(throws: DatabaseError.self) {
      try Self.write(query, of: store, as: .csv, to: ByteCollector())
    }
  }

  @Test func aValueInAFileOfItsOwnIsRead() throws {
    let fixture = try StoreFixture()
    let name = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    try fixture.folder.write("large", to: ".Todo_SUPPORT/_EXTERNAL_DATA/\(name)")
    let store = try Store.open(LocalPath(fixture.path), .reading)
    let column = ResultColumn(
      name: "x", source: .value(0, .binary), allowsExternalStorage: true)
    func written(_ stored: [UInt8]) throws -> String {
      let query = CompiledQuery(sql: "SELECT \(value: .blob(stored))", columns: [column])
      let collector = ByteCollector()
      try Self.write(query, of: store, as: .ndjson, to: collector)
      return String(decoding: collector.bytes, as: UTF8.self)
    }
    #expect(try written([1] + Array("small".utf8)) == "{\"x\":\"c21hbGw=\"}\n")
    #expect(try written([2] + Array(name.utf8) + [0]) == "{\"x\":\"bGFyZ2U=\"}\n")
    #expect(throws: ExternalValueMissing.self) {
      try written([2] + Array("../../Todo.sqlite".utf8) + [0])
    }
  }
}
