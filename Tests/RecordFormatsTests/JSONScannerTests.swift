import RecordFormats
import SampleData
import SeededRandom
import StoreDiagnostics
import Testing
import TestSupport

@Suite struct JSONScannerTests {
  @Test func tokensCarryTextAndPlace() throws {
    let events = try ScannerEvents.json(
      """
      {"a": [1, -0.5e+10, "x\\n\\u00e9"],
       "ö": {"b": null, "c": true}}
      false
      """)
    #expect(
      events == [
        "1:1 beginObject", "1:2 key a", "1:7 beginArray", "1:8 number 1", "1:11 number -0.5e+10",
        "1:21 string x\né", "1:32 endArray", "2:2 key ö", "2:7 beginObject", "2:8 key b",
        "2:13 null", "2:19 key c", "2:24 true", "2:28 endObject", "2:29 endObject", "3:1 false",
      ])
  }

  static let valid: [(String, String)] = [
    ("0", "number 0"), ("-0", "number -0"), ("1E5", "number 1E5"), ("1.25e-3", "number 1.25e-3"),
    ("123456789012345678901234567890", "number 123456789012345678901234567890"),
    (#""""#, "string "), (#""\"\\\/\b\f\n\r\t""#, "string \"\\/\u{8}\u{C}\n\r\t"),
    (#""\u0041\u00DF""#, "string Aß"), (#""\uD83D\uDE00""#, "string 😀"), (#""😀""#, "string 😀"),
    (#""\u0000""#, "string \0"), ("\u{FEFF}true", "true"), ("[]", "beginArray endArray"),
    ("{}", "beginObject endObject"), (" \r\n\tnull \n", "null"), ("", ""),
    (#""\u2028\u2029""#, "string \u{2028}\u{2029}"), ("1 2", "number 1 number 2"),
  ]

  @Test(arguments: valid) func validTextIsRead(text: String, tokens: String) throws {
    let events = try ScannerEvents.json(text).map { String($0.drop { $0 != " " }.dropFirst()) }
    #expect(events.joined(separator: " ") == tokens)
  }

  static let invalid: [[UInt8]] =
    [
      "[1,]", "{\"a\":1,}", "[1 2]", "{\"a\" 1}", "{a: 1}", "{'a': 1}", "{\"a\":}", "[1",
      "{\"a\":1",
      "\"abc", "\"a\\", "\"a\\u12", "\"\\x41\"", "\"\\u12G4\"", "\"\\uD83D\"", "\"\\uDE00\"",
      "\"\\uD83Dx\"", "\"\\uD83D\\u0041\"", "\"tab\there\"", "012", "-", "1.", ".5", "+1", "1e",
      "0x10", "NaN", "Infinity", "tru", "nul", "True", "None", "]", "}", "[}", "{]", ",", "[,1]",
      "[1]]", "// c\n1", "{\"a\":1}\n{\"b\":oops}", "\u{1}", "é", "[1,\n 2,\n]",
      "{\"long\": \"" + String(repeating: "x", count: 90) + "\", \"next\": nope, \"more\": 1}",
    ].map { Array($0.utf8) } + [
      [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0x80, 0x22],
      [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0xFF],
    ]

  @Test func mistakesAreNamedWithTheirPlace() {
    Golden.expect(
      Self.invalid.map { renderedError({ _ = try ScannerEvents.json($0) }, of: $0) }.joined(),
      matches: "json-errors.txt")
  }

  @Test func depthIsLimited() throws {
    let limit = JSONScanner.depthLimit
    let deep = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
    #expect(try ScannerEvents.json(deep).count == limit * 2)
    #expect(throws: InputError.self) { try ScannerEvents.json("[" + deep + "]") }
  }

  @Test func anObjectMayNotHaveAKeyTwice() throws {
    var scanner = JSONScanner(MemorySource(#"{"a": 1, "b": {"a": 2}, "a" : 3}"#, name: "x"))
    let error = #expect(throws: InputError.self) { try scanner.nextValue() }
    #expect(error?.kind == .duplicateKey("a"))
    #expect(error?.place.column == 25)
    // Equal as text, but not the same bytes.
    var other = JSONScanner(MemorySource("{\"e\u{301}\": 1, \"\u{E9}\": 2}", name: "x"))
    #expect(try other.nextValue() != nil)
  }

  /// The events and errors don't depend on how the input is split into pieces.
  @Test func piecesDoNotMatter() throws {
    let text = """
      [{"näme": "a\\u00e9\\ud83d\\ude00\\\\z", "n": -12.50E+3, "t": true, "e": []},
       {"": null, "plain text of some length": "ünïcödé 😀 text"}]
      """
    let bytes = Array(text.utf8)
    let whole = try ScannerEvents.json(bytes)
    for cut in 1..<bytes.count {
      #expect(try ScannerEvents.json(bytes, pieces: [cut]) == whole, "cut at \(cut)")
    }
    let ones = Array(repeating: 1, count: bytes.count)
    #expect(try ScannerEvents.json(bytes, pieces: ones) == whole)
    for text in Self.invalid {
      let ones = Array(repeating: 1, count: text.count)
      let whole = #expect(throws: InputError.self) { _ = try ScannerEvents.json(text) }
      let pieced = #expect(throws: InputError.self) {
        _ = try ScannerEvents.json(text, pieces: ones)
      }
      #expect(whole?.place == pieced?.place)
    }
  }

  @Test func longInputKeepsItsPlaces() throws {
    let element = #"{"k": "ä"}, "#
    let text = "[" + String(repeating: element, count: 20_000) + "oops]"
    let error = #expect(throws: InputError.self) { _ = try ScannerEvents.json(text) }
    #expect(error?.place.line == 1)
    #expect(error?.place.column == 2 + 20_000 * element.count)
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func whatIsWrittenReadsBackEqual(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let value = Self.randomValue(depth: 4, &generator)
      var scanner = JSONScanner(MemorySource(value.description, name: "x"))
      let read = try scanner.nextValue()
      #expect(read == value, "seed \(seed)")
    }
  }

  static func randomValue(depth: Int, _ generator: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &generator) {
    case 0: JSONValue(.null)
    case 1: JSONValue(.boolean(.random(using: &generator)))
    case 2: JSONValue(.number("\(Double.random(in: -1e20...1e20, using: &generator))"))
    case 3: JSONValue(.string(randomText(&generator)))
    case 4:
      JSONValue(
        .array(
          (0..<Int.random(in: 0..<4, using: &generator)).map { _ in
            randomValue(depth: depth - 1, &generator)
          }))
    default:
      JSONValue(
        .object(
          (0..<Int.random(in: 0..<4, using: &generator)).map { index in
            JSONValue.Member(
              key: "\(index)" + randomText(&generator),
              value: randomValue(depth: depth - 1, &generator))
          }))
    }
  }

  /// All kinds of scalars: control characters, quotes, ASCII, and every plane.
  static func randomText(_ generator: inout SeededGenerator) -> String {
    let ranges: [ClosedRange<UInt32>] = [
      0...0x1F, 0x20...0x7E, 0x20...0x7E, 0x20...0x7E, 0x7F...0x7FF, 0x800...0xD7FF,
      0xE000...0xFFFF, 0x10000...0x10FFFF,
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0..<24, using: &generator) {
      let range = ranges[Int.random(in: 0..<ranges.count, using: &generator)]
      let value = UInt32.random(in: range, using: &generator)
      if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}

/// Returns the input on one line, and its error in the form that users read.
func renderedError(_ read: ([UInt8]) throws -> Void, of bytes: [UInt8]) -> String {
  let input = String(decoding: bytes, as: UTF8.self)
  do {
    try read(bytes)
    return "# \(input)\nno error\n\n"
  } catch {
    let diagnostics = (error as? any DiagnosableError)?.diagnostics ?? []
    let renderer = DiagnosticRenderer()
    return "# \(input)\n" + diagnostics.map(renderer.render).joined() + "\n"
  }
}
