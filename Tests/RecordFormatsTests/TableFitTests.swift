import RecordFormats
import StoreDiagnostics
import StoreModel
import SQLiteAccess
import Testing
import TestSupport

/// Tables on a terminal.
@Suite struct TableFitTests {
  /// A column of each kind that is truncated differently.
  private static let shape: RowShape = {
    let columns: [(String, AttributeType)] = [
      ("name", .string), ("memberNumber", .integer64), ("isActive", .boolean),
      ("birthday", .date), ("id", .uuid), ("note", .string),
    ]
    let city = RowShape.Column(
      name: "city", content: .objectID(.fixed(Array("x-coredata://ABC/City/p".utf8))))
    return RowShape(
      columns: RowFormatTests.shape(columns).columns + [city], cells: Array(0...6), width: 7,
      largeValues: nil)
  }()

  private static let rows: [[SQLiteValue]] = [
    [
      .text("漢字仮名交じり文の長い名前"), .integer(1_234_567_890), .integer(1), .real(736_671_600.5),
      .blob(Array(0..<16)), .text("NULL"), .integer(7),
    ],
    [
      .text("e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301} 👍🏽 end"), .null, .null,
      .null, .null, .null, .null,
    ],
    [
      .text("\"NULL\""), .integer(-5), .integer(0), .integer(0), .blob(Array(16..<32)), .text(""),
      .integer(12345),
    ],
  ]

  private static func table(
    _ format: RowFormat = .table, _ shape: RowShape = shape, rows: [[SQLiteValue]] = rows,
    sectioned: Bool = false, _ change: (inout RowStyle) -> Void
  ) throws -> (text: String, leftOut: [String]) {
    var style = RowStyle()
    style.showsNull = true
    change(&style)
    var formatter = format.formatter(for: shape, sectioned: sectioned, style: style)
    var out = ByteBuffer()
    formatter.begin(into: &out)
    // A batch contains some hundred rows.
    for row in rows { try formatter.append(RowFormatTests.packed([row]), into: &out) }
    formatter.end(into: &out)
    return (out.text, style.fit?.leftOut.names ?? [])
  }

  /// Long values are truncated, except numbers and object IDs. Omitted columns are named.
  @Test(arguments: [1, 8, 20, 40, 60, 80, 100, 200]) func fits(width: Int) throws {
    let (text, leftOut) = try Self.table { $0.fit = TableFit(width: width) }
    Golden.expect(
      text + "left out: \(leftOut.joined(separator: ", "))\n", matches: "fit.\(width).txt")
    for line in text.split(separator: "\n") where width >= 20 {
      #expect(DisplayWidth.of(line) <= width, "\(line)")
    }
  }

  @Test func headingsFitToo() throws {
    let (text, _) = try Self.table(sectioned: true) { $0.fit = TableFit(width: 24) }
    #expect(
      text.hasPrefix(
        """
        漢字仮名交じり文の長い…
        memberNumb…  isActive  …
        """), "\(text)")
  }

  @Test func withoutNamesAboveThem() throws {
    let rows: [[SQLiteValue]] = [[.text("Ann"), .integer(7)], [.null, .integer(12)]]
    let shape = RowFormatTests.shape([("name", .string), ("age", .integer16)])
    func text(_ format: RowFormat) throws -> String {
      try Self.table(format, shape, rows: rows) { $0.hasHeader = false }.text
    }
    #expect(try text(.table) == "Ann    7\nNULL  12\n")
    #expect(try text(.csv) == "Ann,7\n,12\n")
    #expect(try text(.tsv) == "Ann\t7\n\t12\n")
    #expect(try text(.vertical) == "name  Ann\nage   7\n\nname  NULL\nage   12\n")
  }

  /// With colors, NULL is also dim.
  @Test func whatIsNoValueIsToldFromEachText() throws {
    let texts = ["NULL", "\"NULL\"", "", "\"\"", "null", "a NULL", "\"", "\"\"NULL\"\""]
    let rows = [[SQLiteValue.null]] + texts.map { [SQLiteValue.text($0)] }
    let shape = RowFormatTests.shape([("t", .string)])
    let (text, _) = try Self.table(.table, shape, rows: rows) {
      $0.hasHeader = false
      $0.isColored = true
    }
    let expected = [
      "\u{1B}[2mNULL\u{1B}[0m", "\"NULL\"", "\"\"NULL\"\"", "", "\"\"", "null", "a NULL", "\"",
      "\"\"\"NULL\"\"\"",
    ]
    #expect(text == expected.map { $0 + "\n" }.joined())
  }

  /// The widths are computed from the first rows. Longer values in later rows are truncated, except numbers.
  @Test func laterCellsAreCut() throws {
    let shape = RowFormatTests.shape([("a", .string), ("n", .integer64)])
    let few = Array(repeating: [SQLiteValue.text("x"), .integer(1)], count: TableRows.sampleSize)
    let rows = few + [[.text("much wider"), .integer(1_000_000)]]
    let (text, _) = try Self.table(.table, shape, rows: rows) { $0.fit = TableFit(width: 40) }
    #expect(text.split(separator: "\n").last == "…  1000000")
  }
}
