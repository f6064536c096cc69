import StoreDiagnostics
import SQLiteAccess
import Testing

@Suite struct RowFingerprintTests {
  private func fingerprint(_ rows: String) throws -> RowFingerprint {
    try Database(uri: ":memory:", path: ":memory:", .writing).read { connection in
      try connection.fingerprint(of: SQL(segments: [.text("SELECT * FROM (\(rows))")]))
    }
  }

  @Test func theOrderOfRowsDoesNotCount() throws {
    let rows = ["(1, 'a', 2.5)", "(2, NULL, x'00')", "(3, 'c', -7)"]
    let forwards = try fingerprint("VALUES \(rows.joined(separator: ", "))")
    #expect(forwards == (try fingerprint("VALUES \(rows.reversed().joined(separator: ", "))")))
    #expect(forwards.rows == 3)
    #expect(forwards.columns.map(\.values) == [2, 3])
  }

  /// The two rows of each pair differ in one property.
  static let pairs: [(String, String)] = [
    ("(1, 'a'), (2, 'b')", "(1, 'b'), (2, 'a')"), ("(2, 1), (3, 0)", "(2, 0), (3, 1)"),
    ("(1, 1)", "(1, 1.5)"), ("(1, '1')", "(1, 1)"), ("(1, 'a')", "(1, x'61')"),
    ("(1, NULL)", "(1, 0)"), ("(1, NULL)", "(1, '')"), ("(1, '')", "(1, x'')"),
    ("(1, NULL), (2, 5)", "(1, 5), (2, NULL)"), ("(1, NULL)", "(2, NULL)"),
    ("(1, 'a')", "(1, 'a'), (1, 'a')"), ("(1, 'abcdefgh')", "(1, 'abcdefgi')"),
    ("(1, 'abcdefghi')", "(1, 'abcdefghj')"), ("(1, x'0000')", "(1, x'000000')"),
    ("(1, 'a'), (1, 'b')", "(1, 'a'), (1, 'c')"),
    ("(1, 9223372036854775807)", "(1, -9223372036854775808)"),
  ]

  @Test(arguments: pairs)
  func everythingElseCounts(_ one: String, _ other: String) throws {
    #expect(try fingerprint("VALUES \(one)") != fingerprint("VALUES \(other)"))
  }

  /// A function has at most 127 arguments. The values of a wider row are added one by one, with the same result.
  @Test(arguments: [127, 128, 200])
  func rowsOfAnyWidth(_ width: Int) throws {
    func row(_ key: Int) -> String {
      "(\(([key] + Array(1..<width)).map(String.init).joined(separator: ", ")))"
    }
    let narrow = try fingerprint("VALUES (1, 1, 2, 3), (2, 1, 2, 3)")
    let wide = try fingerprint("VALUES \(row(1)), \(row(2))")
    #expect(wide.rows == 2)
    #expect(wide.keys == narrow.keys)
    #expect(wide.columns.count == width - 1)
    #expect(Array(wide.columns.prefix(3)) == narrow.columns)
    #expect(Set(wide.columns.map(\.sum)).count == width - 1)
  }

  @Test func equalNumbersAreAlike() throws {
    #expect(try fingerprint("VALUES (1, 0.0)") == fingerprint("VALUES (1, -0.0)"))
    #expect(try fingerprint("VALUES (1, 7)") == fingerprint("VALUES (1, 7.0)"))
  }
}
