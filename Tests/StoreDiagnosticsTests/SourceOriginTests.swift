import StoreDiagnostics
import Testing

/// Converts a position in decoded text to the position in the file.
struct SourceOriginTests {
  @Test func aTextInAFileHasALineForEachOfItsOwn() {
    let text = "one\nzwölf é\n\nend"
    let origin = SourceOrigin(file: "f", linesOf: text)
    func place(before mark: Character) -> String? {
      text.firstIndex(of: mark).map {
        "\(origin.place(of: text.utf8.distance(from: text.startIndex, to: $0), in: text))"
      }
    }
    #expect(place(before: "o") == "f:1:1")
    #expect(place(before: "z") == "f:2:1")
    // Columns count scalars, not bytes.
    #expect(place(before: "é") == "f:2:7")
    #expect("\(origin.place(of: text.utf8.count, in: text))" == "f:4:4")
  }

  /// `a&gt;b` in the file is `a>b` after decoding.
  @Test func whatIsWiderInTheFileBeginsARun() {
    let origin = SourceOrigin(
      file: "f",
      runs: [
        .init(offset: 0, line: 3, column: 10), .init(offset: 1, line: 3, column: 11),
        .init(offset: 2, line: 3, column: 15),
      ])
    let columns = (0...3).map { origin.place(of: $0, in: "a>b").column }
    #expect(columns == [10, 11, 15, 16])
  }

  @Test(arguments: [-1, 99]) func noOffsetIsOutside(_ offset: Int) {
    let origin = SourceOrigin(file: "f", linesOf: "ab")
    #expect(origin.place(of: offset, in: "ab").column == (offset < 0 ? 1 : 3))
  }
}
