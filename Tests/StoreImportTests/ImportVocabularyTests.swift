import RecordFormats
import SampleData
import StoreDiagnostics
import StoreModel
import StorePredicate
import SQLiteAccess
import StoreTestSupport
import Testing

@testable import StoreCore
@testable import StoreImport
@testable import StoreLayout

/// Names in userInfo, and records with another structure than the model.
@Suite struct ImportVocabularyTests {
  /// - Parameters:
  ///   - own: `relatedByAttribute` of Author.
  ///   - behind: `relatedByAttribute` of `Book.author`.
  ///   - titles: userInfo of `Book.title`.
  private func model(
    own: String? = nil, behind: String? = nil, titles: [String: String] = [:],
    dates: String? = nil
  ) -> DataModel {
    func related(_ name: String?) -> [String: String] {
      name.map { ["relatedByAttribute": $0] } ?? [:]
    }
    return DataModel(
      name: "Books",
      entities: [
        EntityDescription(
          name: "Book",
          attributes: [
            AttributeDescription(name: "title", type: .string, isOptional: true, userInfo: titles),
            AttributeDescription(
              name: "printedAt", type: .date, isOptional: true,
              userInfo: dates.map { ["dateFormat": $0] } ?? [:]),
          ],
          relationships: [
            RelationshipDescription(
              name: "author", destination: "Author", inverse: "books", isOptional: true,
              userInfo: related(behind))
          ]),
        EntityDescription(
          name: "Author",
          attributes: [
            AttributeDescription(name: "authorID", type: .integer32, isOptional: true),
            AttributeDescription(name: "name", type: .string, isOptional: true),
          ],
          relationships: [SampleModels.toMany("books", "Book", inverse: "author")],
          userInfo: related(own)),
      ])
  }

  private func importing(
    _ made: GraphStore, _ text: String, entity: String? = "Book",
    on policy: ConflictPolicy = .update
  ) throws -> GraphImport.Result {
    let work = try GraphImport(
      into: made.layout, store: made.store.metadata.uuid, entity: entity, rules: [], root: [],
      isStrict: false, on: policy)
    return try made.store.write {
      try work.run(MemorySource(Array(text.utf8), name: "in.json"), on: $0)
    }
  }

  // MARK: relatedByAttribute

  @Test func theRelationshipsAttributeWins() throws {
    let made = try GraphStore(model(own: "name", behind: "authorID"))
    for name in ["Old", "New"] {
      _ = try importing(
        made, #"{"title": "T", "author": {"authorID": 7, "name": "\#(name)"}}"#)
    }
    #expect(try made.rows("SELECT ZAUTHORID, ZNAME FROM ZAUTHOR") == ["7 'New'"])
  }

  @Test(
    arguments: [
      ("name", "authorID", ["model.import-key-disagreement Book.author"]), ("name", "name", []),
      ("nmae", "authorID", ["model.import-key Author"]),
      ("name", "id", ["model.import-key Book.author"]),
    ])
  func disagreementsAndUnknownNamesAreFound(
    _ input: (own: String, behind: String, found: [String])
  ) {
    let findings = model(own: input.own, behind: input.behind).importKeyFindings
    let shown = findings.map { finding -> String in
      switch finding.part {
      case .property(let name, let entity): "\(finding.diagnostic.code) \(entity).\(name)"
      case .entity(let name): "\(finding.diagnostic.code) \(name)"
      default: "?"
      }
    }
    #expect(shown == input.found)
    #expect(findings.allSatisfy { $0.diagnostic.severity == .warning })
  }

  // MARK: mappedKeyName

  @Test func furtherKeyNamesAreReadUntilOneIsMissing() throws {
    let titles = ["mappedKeyName": "a", "mappedKeyName.1": "b.c", "mappedKeyName.3": "d"]
    let made = try GraphStore(model(titles: titles))
    let outcome = try importing(
      made, #"{"a": "1", "b": {"c": "2"}} {"b": {"c": "2"}} {"d": "3", "printedAt": null}"#)
    #expect(try made.rows("SELECT ZTITLE FROM ZBOOK") == ["'1'", "'2'", "NULL"])
    #expect(outcome.ignored == ["d": 1])
  }

  @Test func withoutTheFirstTheNameOfThePropertyCounts() throws {
    let made = try GraphStore(model(titles: ["mappedKeyName.1": "name", "mappedKeyName.0": "no"]))
    _ = try importing(made, #"{"title": "1", "name": "2"} {"name": "3", "no": 4}"#)
    #expect(try made.rows("SELECT ZTITLE FROM ZBOOK") == ["'1'", "'3'"])
  }

  // MARK: Dates

  @Test func theMagnitudeTellsMillisecondsFromSeconds() throws {
    let made = try GraphStore(model(dates: "UnixTime"))
    let outcome = try importing(
      made, #"{"printedAt": 1388349427543} {"printedAt": 1388349427} {"printedAt": "99999999999"}"#)
    #expect(
      try made.rows("SELECT ZPRINTEDAT FROM ZBOOK") == [
        "410042227.543", "410042227", "99021692799",
      ])
    #expect(outcome.dates == ["Book.printedAt": DateCounts(seconds: 2, milliseconds: 1)])
  }

  @Test func theCallersUnitIsTakenAndLateDatesAreCounted() throws {
    let made = try GraphStore(model())
    let work = try GraphImport(
      into: made.layout, store: made.store.metadata.uuid, entity: "Book", rules: [], root: [],
      isStrict: true, dateFormat: DatePattern("UnixTime"))
    let outcome = try made.store.write {
      try work.run(
        MemorySource(Array(#"{"printedAt": 1388349427543} {"printedAt": 0}"#.utf8), name: "i"),
        on: $0)
    }
    #expect(outcome.dates == ["Book.printedAt": DateCounts(late: 1)])
  }

  // MARK: Records

  @Test func nullAmongMembersIsLeftOut() throws {
    let made = try GraphStore(model())
    let outcome = try importing(
      made, #"{"name": "A", "books": [null, {"title": "T"}, null]}"#, entity: "Author")
    #expect(outcome.nullMembers == ["Author.books": 2])
    #expect(outcome.inserted == ["Author": 1, "Book": 1])
  }

  @Test(
    arguments: [
      (#"{"id;n": "7;a"}"#, ["id;n"]), (#"{"title": "x"} {"x": 1, "y": 2}"#, ["x", "y"]),
      (#"{"title": "x", "author": {"nmae": "A"}}"#, ["nmae"]),
      (#"{"$id": "a", "x": 1}"#, ["x"]),
    ])
  func aRecordWithoutAnyPropertyIsAnError(_ input: (text: String, keys: [String])) throws {
    let made = try GraphStore(model())
    let error = #expect(throws: DiagnosticError.self) { try importing(made, input.text) }
    let message = error?.diagnostics.first?.message ?? ""
    #expect(error?.diagnostics.first?.code == "import.no-property")
    #expect(message.contains(input.keys.map { "'\($0)'" }.joined(separator: ", ")), "\(message)")
    #expect(try made.exported() == "")
  }

  @Test func anEmptyRecordIsARowOfDefaults() throws {
    let made = try GraphStore(model())
    #expect(try importing(made, #"{} {"$id": "a"}"#).inserted == ["Book": 2])
  }

  @Test func aNumberForATextIsItsDigits() throws {
    let made = try GraphStore(model())
    _ = try importing(made, #"{"title": 5} {"title": 5.50} {"title": -1e3}"#)
    #expect(try made.rows("SELECT ZTITLE FROM ZBOOK") == ["'5'", "'5.50'", "'-1e3'"])
    #expect(throws: RowError.self) { try importing(made, #"{"title": true}"#) }
  }
}
