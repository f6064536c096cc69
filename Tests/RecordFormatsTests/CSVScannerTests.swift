import RecordFormats
import SampleData
import SeededRandom
import Testing
import TestSupport

@Suite struct CSVScannerTests {
  @Test func fieldsNullsAndEmptyTexts() throws {
    let text = "a,b,c\n1,,\"\"\r\n\"x,\"\"y\"\"\nz\",ö,\" \"\n"
    #expect(
      try ScannerEvents.csv(Array(text.utf8)) == [
        "1:1 [a]", "1:3 [b]", "1:5 [c]", "-", "2:1 [1]", "NULL", "2:4 []", "-", "3:1 [x,\"y\"\nz]",
        "4:4 [ö]", "4:6 [ ]", "-",
      ])
  }

  @Test(
    arguments: [
      ("a;b\n1,5;2\n", ["1:1 [a]", "1:3 [b]", "-", "2:1 [1,5]", "2:5 [2]", "-"]),
      ("a\tb\n1;2\t\n", ["1:1 [a]", "1:3 [b]", "-", "2:1 [1;2]", "NULL", "-"]),
      ("\u{FEFF}\"a,b,c\";d\n", ["1:1 [a,b,c]", "1:9 [d]", "-"]),
      ("a\n1;2\n", ["1:1 [a]", "-", "2:1 [1;2]", "-"]), ("a,b;c\n", ["1:1 [a]", "1:3 [b;c]", "-"]),
    ])
  func theHeaderTellsTheDelimiter(_ input: (text: String, events: [String])) throws {
    let bytes = Array(input.text.utf8)
    #expect(try ScannerEvents.csv(bytes) == input.events)
    let ones = Array(repeating: 1, count: bytes.count)
    #expect(try ScannerEvents.csv(bytes, pieces: ones) == input.events)
  }

  @Test func aChosenDelimiterIsTaken() throws {
    let bar = try #require(FieldDelimiter("|"))
    #expect(
      try ScannerEvents.csv(Array("a|b;c;d\n".utf8), CSVDialect(delimiter: bar))
        == ["1:1 [a]", "1:3 [b;c;d]", "-"])
    #expect(FieldDelimiter("tab") == .tab && FieldDelimiter("\\t") == .tab)
    for text in ["", "ab", "\"", "\n", "ö"] { #expect(FieldDelimiter(text) == nil) }
  }

  @Test func tabsHaveEscapes() throws {
    let text = #"a\tb\\c"# + "\t" + #"C:\x\t"# + "\t\"q\\t\"\n"
    #expect(
      try ScannerEvents.csv(Array(text.utf8), .tabs)
        == ["1:1 [a\tb\\c]", #"1:9 [C:\x\t]"#, #"1:16 [q\t]"#, "-"])
    #expect(try ScannerEvents.csv(Array("a,b;c\n".utf8), .tabs) == ["1:1 [a,b;c]", "-"])
  }

  @Test func theLastRecordNeedsNoLineEnd() throws {
    #expect(try ScannerEvents.csv(Array("a\n1".utf8)) == ["1:1 [a]", "-", "2:1 [1]", "-"])
    #expect(try ScannerEvents.csv(Array("a,".utf8)) == ["1:1 [a]", "NULL", "-"])
    #expect(try ScannerEvents.csv([]) == [])
  }

  @Test func aByteOrderMarkIsNoPartOfTheHeader() throws {
    #expect(try ScannerEvents.csv(Array("\u{FEFF}a\n".utf8)) == ["1:1 [a]", "-"])
  }

  static let invalid: [[UInt8]] =
    ["a,b\"c\n", "\"a\"b\n", "x\n\"abc\ndef", "a\rb\n", "\"\"\"", "\"a\" ,b\n"].map {
      Array($0.utf8)
    } + [[0x61, 0xFF, 0x0A], [0x22, 0xC3, 0x28, 0x22]]

  @Test func mistakesAreNamedWithTheirPlace() {
    Golden.expect(
      Self.invalid.map { renderedError({ _ = try ScannerEvents.csv($0) }, of: $0) }.joined(),
      matches: "csv-errors.txt")
  }

  @Test func piecesDoNotMatter() throws {
    let text = "\u{FEFF}näme,\"q\"\"\"\"q\",\r\n\"a\r\n\"\"ü\"\"\",,\"\"\nlast,\"😀\",x"
    let bytes = Array(text.utf8)
    let whole = try ScannerEvents.csv(bytes)
    for cut in 1..<bytes.count {
      #expect(try ScannerEvents.csv(bytes, pieces: [cut]) == whole, "cut at \(cut)")
    }
    let ones = Array(repeating: 1, count: bytes.count)
    #expect(try ScannerEvents.csv(bytes, pieces: ones) == whole)
  }

  @Test(arguments: [1, 2] as [UInt64]) func whatIsWrittenReadsBackEqual(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let text = JSONScannerTests.randomText(&generator)
      var buffer = ByteBuffer()
      var copy = text
      copy.withUTF8 { buffer.append(csvField: $0) }
      var scanner = CSVScanner(
        MemorySource(Array(buffer.bytes)), CSVDialect(delimiter: .comma))
      #expect(try scanner.next() == .field)
      #expect(String(decoding: scanner.text, as: UTF8.self) == text, "seed \(seed)")
    }
  }
}
