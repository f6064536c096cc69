@testable import StoreEngine
import PredicateSQL
import RecordFormats
import StoreLayout
@testable import StoreSQL
import StoreModel
import TestSupport
import Testing

@Suite struct RowFormatTests {
  /// A column of every type, and rows with the values that are hard to write.
  static let columns: [(String, AttributeType)] = [
    ("flag", .boolean), ("count", .integer64), ("double", .double), ("float", .float),
    ("price", .decimal), ("name", .string), ("day", .date), ("id", .uuid), ("data", .binary),
  ]

  static let rows: [[SQLiteValue]] = [
    [
      .integer(1), .integer(.min), .real(0.1), .real(Double(Float(0.1))), .real(12.5),
      .text("Ray"), .real(736_671_600.5), .blob(Array(0..<16)), .blob([1, 2, 3, 4]),
    ],
    Array(repeating: .null, count: 9),
    [
      .integer(0), .integer(.max), .real(.infinity), .real(1e10), .integer(12),
      .text("a,\"b\"\n\t\\ | é 😀 漢字\u{1}"), .integer(0), .blob([1, 2]), .blob([]),
    ],
    // What SQLite allows and Core Data never writes.
    [
      .integer(7), .text("x"), .integer(5), .real(1e300), .text("NaN"), .text(""), .text("soon"),
      .text("no uuid"), .real(-0.0),
    ],
  ]

  static func shape() -> RowShape {
    let query = CompiledQuery(
      sql: "SELECT 1",
      columns: columns.enumerated().map {
        ResultColumn(name: $1.0, source: .value($0, $1.1))
      } + [ResultColumn(name: "list", source: .objectID(key: 9, entity: .number(10)))])
    return RowShape(
      query, layout: StoreLayout(model: SampleModels.todo), store: "ABC", width: 11)
  }

  static func packed(_ values: [[SQLiteValue]]) -> PackedRows {
    let packed = PackedRows(width: values.first?.count ?? 0)
    for row in values {
      for (index, value) in row.enumerated() { packed.nextCells[index] = packed.cell(of: value) }
      packed.commitRow()
    }
    return packed
  }

  @Test(arguments: RowFormat.allCases) func everyTypeInEveryFormat(format: RowFormat) throws {
    let ids: [[SQLiteValue]] = [
      [.integer(7), .integer(2)], [.null, .null], [.integer(1), .integer(1)],
      [.integer(3), .integer(99)],
    ]
    let rows = Self.packed(zip(Self.rows, ids).map { $0 + $1 })
    var formatter = format.formatter(for: Self.shape())
    var out = ByteBuffer()
    formatter.begin(into: &out)
    try formatter.append(rows, into: &out)
    formatter.end(into: &out)
    Golden.expect(out.text, matches: "rows.\(format.rawValue).txt")
  }

  @Test(arguments: [RowFormat.json, .ndjson, .csv, .table]) func sections(
    format: RowFormat
  ) throws {
    let query = CompiledQuery(
      sql: "SELECT 1",
      columns: [
        ResultColumn(name: "section", source: .value(0, .string)),
        ResultColumn(name: "name", source: .value(1, .string)),
        ResultColumn(name: "age", source: .value(2, .integer16)),
      ])
    let shape = RowShape(
      query, layout: StoreLayout(model: SampleModels.todo), store: nil, width: 3)
    let rows = Self.packed([
      [.null, .text("Zoe"), .integer(3)], [.text("A"), .text("Ann"), .integer(40)],
      [.text("A"), .text("Bo"), .integer(5)], [.text("B"), .text("漢字"), .null],
    ])
    var formatter = format.formatter(for: shape, sectioned: true)
    var out = ByteBuffer()
    formatter.begin(into: &out)
    try formatter.append(rows, into: &out)
    formatter.end(into: &out)
    Golden.expect(out.text, matches: "sections.\(format.rawValue).txt")
  }

  @Test func noRows() {
    var texts = ""
    for format in RowFormat.allCases {
      for isSectioned in [false, true] {
        var formatter = format.formatter(for: Self.shape(), sectioned: isSectioned)
        var out = ByteBuffer()
        formatter.begin(into: &out)
        formatter.end(into: &out)
        texts += "\(format.rawValue)\(isSectioned ? " in sections" : ""):\n\(out.text)"
      }
    }
    Golden.expect(texts, matches: "no-rows.txt")
  }

  @Test func textThatIsNoUTF8IsRepaired() throws {
    let rows = PackedRows(width: 1)
    let bytes: [UInt8] = [0x61, 0xFF, 0x62, 0xC3, 0x22, 0xED, 0xA0, 0x80]
    bytes.withUnsafeBufferPointer {
      rows.nextCells[0] = rows.cell(.text, $0.baseAddress, count: $0.count)
    }
    rows.commitRow()
    let query = CompiledQuery(
      sql: "SELECT 1", columns: [ResultColumn(name: "t", source: .value(0, .string))])
    let shape = RowShape(
      query, layout: StoreLayout(model: SampleModels.todo), store: nil, width: 1)
    for format in RowFormat.allCases {
      var formatter = format.formatter(for: shape)
      var out = ByteBuffer()
      formatter.begin(into: &out)
      try formatter.append(rows, into: &out)
      formatter.end(into: &out)
      #expect(String(validating: out.bytes, as: UTF8.self) != nil, "\(format)")
      #expect(out.text.contains("a\u{FFFD}b\u{FFFD}"), "\(format)")
    }
  }

  @Test func aLaterCellMayBeWiderThanTheSample() throws {
    let query = CompiledQuery(
      sql: "SELECT 1",
      columns: [
        ResultColumn(name: "a", source: .value(0, .string)),
        ResultColumn(name: "b", source: .value(1, .string)),
      ])
    let shape = RowShape(
      query, layout: StoreLayout(model: SampleModels.todo), store: nil, width: 2)
    var formatter = RowFormat.table.formatter(for: shape)
    var out = ByteBuffer()
    formatter.begin(into: &out)
    for index in 0...TableRows.sampleSize {
      let isLast = index == TableRows.sampleSize
      let row = Self.packed([[.text(isLast ? "much wider" : "x"), .text("y")]])
      try formatter.append(row, into: &out)
    }
    formatter.end(into: &out)
    let lines = out.text.split(separator: "\n")
    #expect(lines.count == TableRows.sampleSize + 3)
    #expect(lines[2] == "x  y")
    #expect(lines.last == "much wider  y")
  }
}
