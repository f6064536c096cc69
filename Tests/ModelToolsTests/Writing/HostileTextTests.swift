import StoreDiagnostics
import StoreModel
import StoreModelReader
import ModelTools
import StorePredicate
import Testing

/// Names and values that must be escaped in XML, or that XML can't contain.
struct HostileTextTests {
  static let texts = [
    "a\nb", "a\r\nb\rc", "\ttab\t", " \n ", "\"/><entity name=\"x", "]]>", "<![CDATA[", "<!-- -->",
    "&amp;", "&#10;", "'", "a>b", "\u{7F}\u{85}\u{9F}", "\u{2028}\u{202E}", "é", "e\u{301}", "🫖",
    "\u{FFFD}\u{10FFFF}\u{1FFFE}",
  ]

  @Test(arguments: texts)
  func isReadBack(_ text: String) throws {
    let model = DataModel(
      name: "M",
      entities: [
        EntityDescription(
          name: text, className: text,
          attributes: [
            AttributeDescription(
              name: text, type: .string, defaultValue: .string(text),
              validation: .init(pattern: text), userInfo: [text: text])
          ], indexes: [FetchIndex(name: text, elements: [.init(.property(text))])],
          renamingIdentifier: text, versionHashModifier: text)
      ])
    let written = try ModelXML.text(of: model)
    #expect(try ModelReading.read(written, name: "M").model == model)
  }

  @Test(arguments: ["\0", "\u{1}", "\u{B}", "\u{1B}[2J", "\u{1F}", "\u{FFFE}", "\u{FFFF}"])
  func whatNoXMLCanHoldIsRefused(_ text: String) throws {
    let attribute = AttributeDescription(
      name: "note", type: .string, userInfo: ["hint": "a\(text)b"])
    let model = DataModel(
      name: "M", entities: [EntityDescription(name: "Item", attributes: [attribute])])
    #expect(throws: ModelXMLError.self) { try ModelXML.text(of: model) }
  }

  @Test func saysWhereTheCharacterIs() throws {
    let attribute = AttributeDescription(
      name: "note", type: .string, defaultValue: .string("a\u{1}b"))
    let model = DataModel(
      name: "M", entities: [EntityDescription(name: "Item", attributes: [attribute])])
    do {
      _ = try ModelXML.text(of: model)
      Issue.record("was written")
    } catch {
      let text = error.diagnostics.map(DiagnosticRenderer().render).joined()
      #expect(
        text == """
          error: 'Item.note' can't be written as XML: the value of 'defaultValueString' in its <attribute> element contains U+0001 [model.no-xml]
            help: XML can't represent this character: remove it from the model

          """)
    }
  }

  /// Values near the limits of their types, which must be restored exactly.
  static let defaults: [(AttributeType, DataValue)] = [
    (.integer16, .integer(-32768)), (.integer64, .integer(.min)), (.integer64, .integer(.max)),
    (.double, .double(.greatestFiniteMagnitude)), (.double, .double(.leastNonzeroMagnitude)),
    (.double, .double(-0.1)), (.double, .double(9_007_199_254_740_992)), (.double, .double(1e18)),
    (.float, .double(Double(Float(0.3)))), (.float, .double(Double(Float.leastNonzeroMagnitude))),
    (.float, .double(16_777_216)), (.decimal, .double(5)), (.decimal, .integer(5)),
    (.decimal, .double(1e-7)), (.date, .date(0.25)), (.date, .date(-63_114_076_800)),
    (.date, .date(1e300)), (.boolean, .boolean(false)), (.string, .string("")),
  ]

  @Test(arguments: defaults)
  func defaultIsReadBack(_ type: AttributeType, _ value: DataValue) throws {
    let attribute = AttributeDescription(name: "a", type: type, defaultValue: value)
    let model = DataModel(
      name: "M", entities: [EntityDescription(name: "E", attributes: [attribute])])
    let written = try ModelXML.text(of: model)
    #expect(try ModelReading.read(written, name: "M").model == model, "\(written)")
  }
}
