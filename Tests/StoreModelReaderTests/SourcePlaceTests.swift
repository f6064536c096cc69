import SeededRandom
import StoreDiagnostics
import StoreModelReader
import Testing

/// Positions in the XML are exact, also after entities, line breaks and characters of several bytes.
struct SourcePlaceTests {
  private func source(_ text: String) -> XMLSource {
    XMLSource(file: "f", bytes: Array(text.utf8))
  }

  /// Returns the position in the file of each of `marks`, which are in the value of the attribute `p` of the root
  /// element.
  private func places(of marks: [Character], in xml: String) throws -> [String] {
    let source = source(xml)
    let root = try XMLReader.read(source)
    let value = try #require(root["p"])
    let origin = source.origin(of: root.spot(of: "p"))
    return try marks.map { mark in
      let index = try #require(value.firstIndex(of: mark))
      let offset = value.utf8.distance(from: value.startIndex, to: index)
      return "\(origin.place(of: offset, in: value))"
    }
  }

  @Test func plainText() throws {
    #expect(try places(of: ["a", "c"], in: #"<m p="abc"/>"#) == ["f:1:7", "f:1:9"])
  }

  @Test func entitiesAreWiderInTheFile() throws {
    let xml = #"<m p="a &gt; &quot;b&quot; &#233;c &#x1F600;d"/>"#
    #expect(
      try places(of: ["a", ">", "b", "c", "d"], in: xml) == [
        "f:1:7", "f:1:9", "f:1:20", "f:1:34", "f:1:45",
      ])
  }

  @Test func columnsCountScalars() throws {
    #expect(try places(of: ["x", "y"], in: "<m q='é😀' p='éx😀y'/>") == ["f:1:15", "f:1:17"])
  }

  @Test func linesInsideAValue() throws {
    let xml = "<m\n  q=''\n  p = \"a\n b\r\n  c&amp;\n\td\"/>"
    #expect(try places(of: ["a", "b", "c", "d"], in: xml) == ["f:3:8", "f:4:2", "f:5:3", "f:6:2"])
  }

  /// A name that is also part of another name or value must not be taken for the attribute.
  @Test func attributesAreFoundByWholeName() throws {
    let source = source(#"<m xp="p=1" q='p="2"' p="3"/>"#)
    let root = try XMLReader.read(source)
    #expect(source.range(of: root.spot(of: "p")) == 25..<26)
    #expect(source.range(of: root.spot(ofName: "p")) == 22..<23)
  }

  @Test func byteOrderMarkIsNotCounted() throws {
    let source = XMLSource(file: "f", bytes: [0xEF, 0xBB, 0xBF] + Array("<m p='1'/>".utf8))
    let root = try XMLReader.read(source)
    #expect(source.place(of: source.range(of: root.spot(of: "p")).lowerBound).column == 7)
  }

  /// libxml2 removes parsed text from its buffer. The offsets must not depend on it.
  @Test func everyValueOfALargeFileIsFound() throws {
    let seed: UInt64 = 11
    var generator = SeededGenerator(seed: seed)
    var text = "<m>"
    for number in 0..<20_000 {
      let padding = String(repeating: " é", count: Int.random(in: 0...30, using: &generator))
      text += "<e\(padding.isEmpty ? "" : "\n") p=\"\(number)&amp;\(padding)\"/>\n"
    }
    let source = source(text + "</m>")
    let root = try XMLReader.read(source)
    #expect(root.children.count == 20_000)
    for (number, child) in root.children.enumerated() {
      let raw = source.bytes[source.range(of: child.spot(of: "p"))]
      guard raw.starts(with: "\(number)&amp;".utf8) else {
        Issue.record("value \(number) of seed \(seed) is at the wrong place")
        return
      }
    }
  }

  /// A file that is truncated at any position is read as a tree or has an error with a valid excerpt.
  @Test func truncatedFilesAreFaults() throws {
    let xml = Array(#"<?xml version="1.0"?><m a="1"><é b='&lt;x'/><!-- c --></m>"#.utf8)
    for length in 0..<xml.count {
      let source = XMLSource(file: "f", bytes: Array(xml[..<length]))
      #expect(throws: XMLError.self, "cut at \(length)") {
        try XMLReader.read(source)
      }
    }
  }

  @Test func randomDamageNeverCrashes() throws {
    let seed: UInt64 = 5
    var generator = SeededGenerator(seed: seed)
    let xml = Array(
      #"<model><entity name="É&amp;" x='1'><attribute name="a"/></entity></model>"#.utf8)
    for _ in 0..<5_000 {
      var bytes = xml
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[index] = UInt8.random(in: 0...255, using: &generator)
      }
      do {
        _ = try ModelReading.read(XMLSource(file: "f", bytes: bytes), name: "f")
      } catch let error as any DiagnosableError {
        #expect(!error.diagnostics.map(DiagnosticRenderer().render).isEmpty)
      }
    }
  }
}
