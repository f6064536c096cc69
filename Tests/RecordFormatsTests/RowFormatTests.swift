import RecordFormats
import StoreModel
import SQLiteAccess
import Testing
import TestSupport

@Suite struct RowFormatTests {
  /// A column of every type, and rows with values that are difficult to write.
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
    // Values that SQLite allows, but Core Data never writes.
    [
      .integer(7), .text("x"), .integer(5), .real(1e300), .text("NaN"), .text(""), .text("soon"),
      .text("no uuid"), .real(-0.0),
    ],
  ]

  static func shape(_ columns: [(String, AttributeType)]) -> RowShape {
    RowShape(columns: columns.map { RowShape.Column(name: $0, content: .init($1)) })
  }

  /// The shape of `rows`, with an object ID in the last two cells.
  static func shape() -> RowShape {
    let prefixes: [Int64: [UInt8]] = [
      1: Array("x-coredata://ABC/Item/p".utf8), 2: Array("x-coredata://ABC/List/p".utf8),
    ]
    let list = RowShape.Column(
      name: "list", content: .objectID(.byEntity(cell: 10, prefixes)))
    return RowShape(
      columns: shape(columns).columns + [list], cells: Array(0...9), width: 11, largeValues: nil)
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
    let shape = Self.shape([("section", .string), ("name", .string), ("age", .integer16)])
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
    let shape = Self.shape([("t", .string)])
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

  /// The first rows determine the widths of the columns. Longer cells of later rows are complete.
  @Test(arguments: [
    (RowFormat.table, ["größer,  1000000", "漢|字  2", "   3", "x  4"]),
    (.markdown, ["| größer, | 1000000 |", "| 漢\\|字 |   2 |", "|     |   3 |", "| x   |   4 |"]),
  ])
  func completesLongerCellsOfLaterRows(format: RowFormat, expected: [String]) throws {
    let shape = Self.shape([("a", .string), ("n", .integer64)])
    var formatter = format.formatter(for: shape)
    var out = ByteBuffer()
    formatter.begin(into: &out)
    let row: [SQLiteValue] = [.text("x"), .integer(1)]
    for _ in 1..<TableRows.sampleSize { try formatter.append(Self.packed([row]), into: &out) }
    #expect(out.text.isEmpty)
    try formatter.append(Self.packed([row]), into: &out)
    #expect(out.text.split(separator: "\n").count == TableRows.sampleSize + 2)
    out.removeAll()
    try formatter.append(
      Self.packed([
        [.text("größer,"), .integer(1_000_000)], [.text("漢|字"), .integer(2)],
        [.null, .integer(3)], [.text("x"), .integer(4)],
      ]), into: &out)
    #expect(out.text == expected.map { $0 + "\n" }.joined())
    out.removeAll()
    formatter.end(into: &out)
    #expect(out.text.isEmpty)
  }
}

extension PackedRows {
  fileprivate func cell(of value: SQLiteValue) -> Cell {
    switch value {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text):
      Array(text.utf8).withUnsafeBytes {
        cell(.text, $0.baseAddress, count: $0.count)
      }
    case .blob(let bytes):
      bytes.withUnsafeBytes {
        cell(.blob, $0.baseAddress, count: $0.count)
      }
    }
  }
}
