import RecordFormats
import SampleData
import StoreDiagnostics
import StoreImport
import StoreLayout
import StoreModel
import StorePredicate
import SQLiteAccess
import StoreTestSupport
import Testing
import TestSupport
import StoreCore

/// Dates that aren't in ISO 8601.
@Suite struct ImportDateTests {
  private static func model(_ format: String?) -> DataModel {
    DataModel(
      name: "Log",
      entities: [
        EntityDescription(
          name: "Entry",
          attributes: [
            AttributeDescription(
              name: "at", type: .date, isOptional: true,
              userInfo: format.map { ["dateFormat": $0] } ?? [:]),
            AttributeDescription(name: "until", type: .date, isOptional: true),
          ])
      ])
  }

  private func imported(
    _ text: String, model format: String?, general: String? = nil
  ) throws -> [String] {
    let made = try GraphStore(Self.model(format))
    let work = try GraphImport(
      into: made.layout, store: made.store.metadata.uuid, entity: "Entry", rules: [], root: [],
      isStrict: true, dateFormat: general.map { try DatePattern($0) })
    let source = MemorySource(Array(text.utf8), name: "in.json")
    _ = try made.store.write { try work.run(source, on: $0) }
    // The date formats of the model don't apply to an export.
    let again = try GraphStore(Self.model(format))
    try again.importing(made.exported(), strict: true)
    #expect(try made.dump() == again.dump())
    return try made.rows("SELECT ZAT, ZUNTIL FROM ZENTRY")
  }

  @Test func theModelComesFirstThenTheOption() throws {
    let text = #"{"at": "1/2/2001 0:00", "until": "2001-01-01T00:00:01Z"} {"at": null}"#
    #expect(try imported(text, model: "M/d/yyyy H:mm") == ["86400 1", "NULL NULL"])
    #expect(
      try imported(text, model: nil, general: "M/d/yyyy H:mm") == ["86400 1", "NULL NULL"])
    #expect(
      try imported(
        #"{"at": "1/2/2001", "until": 978307201.5}"#, model: "M/d/yyyy", general: "UnixTime")
        == ["86400 1.5"])
    #expect(
      try imported(#"{"at": 20010102}"#, model: "yyyyMMdd", general: nil) == ["86400 NULL"])
  }

  @Test(
    arguments: [
      (
        #"{"at": "2001-13-01"}"#, "M/d/yyyy",
        "'at' takes a date in the format M/d/yyyy, not '2001-13-01'"
      ),
      // A single date could also have day and month in the other order.
      (#"{"at": "2001-12-13"}"#, "yyyy-dd-MM", "in the format yyyy-dd-MM, not '2001-12-13'"),
      (#"{"at": true}"#, "M/d/yyyy", "not 'true'"),
      (#"{"at": "x"}"#, "M/d/YYYY", "a date format can't contain the letter 'Y'"),
    ])
  func wrongDates(_ input: (text: String, format: String, message: String)) throws {
    do {
      _ = try imported("{}\n" + input.text, model: input.format)
      Issue.record("imported \(input.text)")
    } catch let error as any DiagnosableError {
      let shown = error.diagnostics.map { DiagnosticRenderer().render($0) }.joined()
      #expect(shown.contains(input.message), "\(shown)")
      #expect(shown.contains("in.json:2:") || shown.contains("of 'Entry.at'"), "\(shown)")
    }
  }
}
