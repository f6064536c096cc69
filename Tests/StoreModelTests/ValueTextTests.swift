import StoreDiagnostics
import StoreModel
import StorePredicate
import Testing

struct ValueTextTests {
  private func read(_ text: String, _ type: AttributeType) -> DataValue? {
    try? ValueText.value(of: text, as: type)
  }

  @Test func readsLiteralsByType() {
    for text in ["true", "yes", "1", "YES", "True"] {
      #expect(read(text, .boolean) == .boolean(true), "\(text)")
    }
    for text in ["false", "no", "0"] { #expect(read(text, .boolean) == .boolean(false), "\(text)") }
    #expect(read("2", .boolean) == nil)
    #expect(read("-32768", .integer16) == .integer(-32768))
    #expect(read("32768", .integer16) == nil)
    #expect(read("2147483648", .integer32) == nil)
    #expect(read("9223372036854775807", .integer64) == .integer(.max))
    #expect(read("9223372036854775808", .integer64) == nil)
    #expect(read("1.0", .integer64) == nil)
    #expect(read("12", .decimal) == .integer(12))
    #expect(read("-1.5e3", .decimal) == .double(-1500))
    #expect(read("0x10", .double) == nil)
    #expect(read("inf", .double) == nil)
    #expect(read("nan", .double) == nil)
    #expect(read("0.1", .float) == .double(Double(Float(0.1))))
    #expect(read("2001-01-01", .date) == .date(0))
    #expect(read("yesterday", .date) == nil)
    #expect(read("", .date) == nil)
    #expect(read("AAEC", .binary) == .binary([0, 1, 2]))
    #expect(read("?", .binary) == nil)
    #expect(read("not-a-uuid", .uuid) == nil)
    #expect(
      read("x-coredata:///Item/p3", .objectID)
        == .objectID(ObjectID(store: nil, entity: "Item", primaryKey: 3)))
  }

  @Test func nullIsNullButForStrings() {
    #expect(read("null", .integer16) == .null)
    #expect(read("null", .uri) == .null)
    #expect(read("null", .string) == .string("null"))
    #expect(read("", .string) == .string(""))
  }

  @Test func saysWhatWasExpected() throws {
    let error = try #require(throws: ValueTextError.self) {
      try ValueText.value(of: "x", as: .integer16)
    }
    let diagnostic = error.diagnostic(for: "AGE")
    #expect(diagnostic.message == "'AGE' takes an Integer 16, not 'x'")
    #expect(diagnostic.help == ["write it as a whole number from -32768 to 32767"])
    #expect(diagnostic.cause == .invalid)
  }
}
