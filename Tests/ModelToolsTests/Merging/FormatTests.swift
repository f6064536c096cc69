import Foundation
import ModelTools
import StoreModel
import StoreModelReader
import TestSupport
import Testing

/// Model files in Xcode's format.
struct FormatTests {
  private static func formatted(_ text: String) throws -> String {
    try String(
      decoding: ModelText(file: "contents", bytes: Array(text.utf8)).formatted.bytes, as: UTF8.self)
  }

  /// Formats order, quotes, indentation and line ends. Unknown elements and comments are kept.
  @Test func everythingHasItsPlace() throws {
    let text = """
      \u{FEFF}<?xml version='1.0'?>
      <!-- head -->
      <model
        userDefinedModelVersionIdentifier='a"b' type="T" own="1" name="N">
      <elements/><entity name="B"></entity>
      <!-- of A
        in two lines --><entity syncable="YES" name = "A"><userInfo/><strange/>
      <relationship name="r"/><attribute name="a10" attributeType="String" optional="YES" />
      <attribute name="a9"/> text <!-- end --></entity></model>
      """
    let expected = """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <!-- head -->
      <model name="N" userDefinedModelVersionIdentifier="a&quot;b" type="T" own="1">
          <!-- of A
        in two lines -->
          <entity name="A" syncable="YES">
              <attribute name="a9"/>
              <attribute name="a10" optional="YES" attributeType="String"/>
              <relationship name="r"/>
              <userInfo/>
              <strange/>
              text
              <!-- end -->
          </entity>
          <entity name="B"/>
          <elements/>
      </model>
      """
    let crlf = text.replacing("\n", with: "\r\n")
    #expect(
      try Self.formatted(crlf)
        == expected.replacing(
          "        text\n        <!-- end -->", with: "    text\n    <!-- end -->"))
    #expect(try Self.formatted(Self.formatted(text)) == Self.formatted(text))
  }

  @Test func lineBreakAtTheEndStays() throws {
    let text = try Self.formatted("<model/>")
    #expect(
      text == "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<model>\n</model>")
    #expect(try Self.formatted("<model/>\n") == text + "\n")
  }

  /// Files that Xcode has written don't change. The exceptions were written by other tools or sorted by hand.
  @Test(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
  func xcodesFilesStay() throws {
    let files = Corpus.files(below: Corpus.models) { $0.lastPathComponent == "contents" }
    var differing: [String] = []
    for file in files {
      let bytes = try Array(Data(contentsOf: file))
      let formatted = try ModelText(file: file.path, bytes: bytes).formatted
      guard formatted.bytes != bytes else { continue }
      differing.append(file.path.split(separator: "/").suffix(2).joined(separator: "/"))
      #expect(try ModelText(file: "", bytes: formatted.bytes).formatted.bytes == formatted.bytes)
      #expect(try Self.model(formatted.bytes) == Self.model(bytes), "\(file.path)")
    }
    #expect(files.count > 590)
    #expect(
      differing.sorted() == [
        "CoreDataEvolutionIntegrationModel.xcdatamodel/contents", "DataModel.xcdatamodel/contents",
        "GeneratedFlowModel.xcdatamodel/contents", "d4cead9254dc.xcdatamodel/contents",
        "zmessaging2.78.0.xcdatamodel/contents",
      ])
  }

  private static func model(_ bytes: [UInt8]) throws -> DataModel {
    try ModelReading.read(XMLSource(file: "contents", bytes: bytes), name: "M").model
  }
}
