import SampleData
import StoreDiagnostics
import StoreModel
import StoreTestSupport
import Testing

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreImport
@testable import StoreLayout

/// Relationships of rows that an import finds by a key.
@Suite struct ImportMemberTests {
  /// Recipe (ordered steps, one-to-one photo, tags). All entities have keys.
  static let model = DataModel(
    name: "Recipes",
    entities: [
      EntityDescription(
        name: "Recipe",
        attributes: [
          AttributeDescription(name: "id", type: .integer32), text("name"),
        ],
        relationships: [
          RelationshipDescription(
            name: "category", destination: "Category", inverse: "recipes", isOptional: true),
          SampleModels.toMany("steps", "Step", inverse: "recipe", ordered: true),
          SampleModels.toMany("tags", "Tag", inverse: "recipes"),
          RelationshipDescription(
            name: "photo", destination: "Photo", inverse: "recipe", isOptional: true),
        ], uniquenessConstraints: [["id"]]),
      EntityDescription(
        name: "Category", attributes: [text("id")],
        relationships: [SampleModels.toMany("recipes", "Recipe", inverse: "category")],
        uniquenessConstraints: [["id"]]),
      EntityDescription(
        name: "Step", attributes: [text("id")],
        relationships: [
          RelationshipDescription(
            name: "recipe", destination: "Recipe", inverse: "steps", isOptional: true)
        ], uniquenessConstraints: [["id"]]),
      EntityDescription(
        name: "Tag", attributes: [text("id")],
        relationships: [SampleModels.toMany("recipes", "Recipe", inverse: "tags")],
        uniquenessConstraints: [["id"]]),
      EntityDescription(
        name: "Photo", attributes: [text("id")],
        relationships: [
          RelationshipDescription(
            name: "recipe", destination: "Recipe", inverse: "photo", isOptional: true)
        ], uniquenessConstraints: [["id"]]),
    ])

  private static func text(_ name: String) -> AttributeDescription {
    AttributeDescription(name: name, type: .string, isOptional: true)
  }

  @discardableResult
  private func importing(
    _ made: GraphStore, _ text: String, entity: String = "Recipe",
    on policy: ConflictPolicy = .update, members: MemberPolicy = .replace
  ) throws -> GraphImport.Result {
    let work = try GraphImport(
      into: made.layout, store: made.store.metadata.uuid, entity: entity, rules: [], root: [],
      isStrict: true, on: policy, members: members)
    let source = MemorySource(Array(text.utf8), name: "in.json")
    return try made.store.write { try work.run(source, on: $0) }
  }

  /// Creates recipe 1 with a category, two steps, a tag and a photo.
  private func filled() throws -> GraphStore {
    let made = try GraphStore(Self.model)
    try importing(
      made,
      """
      {"id": 1, "name": "x", "category": {"id": "c1"}, "steps": [{"id": "a"}, {"id": "b"}], \
      "tags": [{"id": "t"}], "photo": {"id": "p"}}
      """)
    return made
  }

  private let recipes: SQL =
    "SELECT Z_OPT, ZID, ZNAME, ZCATEGORY, ZPHOTO FROM ZRECIPE ORDER BY Z_PK"
  private let steps: SQL =
    "SELECT Z_OPT, ZID, ZRECIPE FROM ZSTEP ORDER BY ZRECIPE, Z_FOK_RECIPE, Z_PK"

  @Test func nullClearsAToOneAndAList() throws {
    let made = try filled()
    let outcome = try importing(
      made, #"{"id": 1, "category": null, "steps": null, "tags": [], "photo": null}"#)
    #expect(try made.rows(recipes) == ["2 1 'x' NULL NULL"])
    #expect(try made.rows(steps) == ["2 'a' NULL", "2 'b' NULL"])
    #expect(try made.rows("SELECT Z_OPT, ZRECIPE FROM ZPHOTO") == ["2 NULL"])
    #expect(
      try made.rows("SELECT Z_OPT FROM ZTAG UNION ALL SELECT Z_OPT FROM ZCATEGORY") == ["2", "2"])
    #expect(
      outcome.relinked == ["Recipe": 1, "Category": 1, "Step": 2, "Tag": 1, "Photo": 1])
    #expect(outcome.updated == [:] && outcome.inserted == [:] && outcome.unchanged == 0)
  }

  @Test func aListReplacesMembersAndTheirOrder() throws {
    let made = try filled()
    var outcome = try importing(made, #"{"id": 1, "steps": [{"id": "b"}, {"id": "a"}]}"#)
    #expect(try made.rows(steps) == ["1 'b' 1", "1 'a' 1"])
    #expect(outcome.relinked == ["Recipe": 1] && outcome.unchanged == 2)
    outcome = try importing(made, #"{"id": 1, "steps": [{"id": "n"}, "b"]}"#)
    #expect(try made.rows(steps) == ["2 'a' NULL", "1 'n' 1", "1 'b' 1"])
    #expect(outcome.inserted == ["Step": 1] && outcome.relinked == ["Recipe": 1, "Step": 1])
    let before = try made.dump()
    outcome = try importing(made, #"{"id": 1, "steps": ["n", "b"], "category": "c1"}"#)
    #expect(outcome.unchanged == 1 && outcome.relinked == [:])
    #expect(try made.dump() == before, "repeating the store doesn't change it")
  }

  @Test func addedMembersComeBehindAndTheDifferenceIsCounted() throws {
    let made = try filled()
    var outcome = try importing(
      made, #"{"id": 1, "steps": [{"id": "n"}, "b"], "tags": []}"#, members: .add)
    #expect(try made.rows(steps) == ["1 'a' 1", "1 'b' 1", "1 'n' 1"])
    #expect(outcome.unappliedLists == ["Recipe.steps": 1, "Recipe.tags": 1])
    outcome = try importing(made, #"{"id": 1, "steps": ["b", "a", "n"]}"#, members: .add)
    #expect(outcome.unappliedLists == ["Recipe.steps": 1] && outcome.unchanged == 1)
    outcome = try importing(made, #"{"id": 1, "steps": ["a", "b", "n"]}"#, members: .add)
    #expect(outcome.unappliedLists == [:])
  }

  @Test func ownersThatLoseAMemberAreCounted() throws {
    let made = try filled()
    let outcome = try importing(made, #"{"id": 2, "steps": ["a"], "photo": "p"}"#)
    #expect(outcome.inserted == ["Recipe": 1])
    #expect(outcome.relinked == ["Recipe": 1, "Step": 1, "Photo": 1])
    #expect(try made.rows(recipes) == ["2 1 'x' 1 NULL", "1 2 NULL NULL 1"])
    #expect(try made.rows(steps) == ["1 'b' 1", "2 'a' 2"])
  }

  @Test func theLastOfSeveralClaimsIsRightAndNoted() throws {
    let made = try filled()
    var outcome = try importing(
      made, #"{"id": 2, "steps": [{"id": "z"}, "a"]} {"id": 3, "steps": [{"id": "z"}]}"#)
    #expect(try made.rows(steps) == ["1 'b' 1", "2 'a' 2", "1 'z' 3"])
    #expect(outcome.contested == ["Step": 1])
    // A row that already has the member loses it without a note.
    outcome = try importing(made, #"{"id": 1, "steps": ["z", "b"]} {"id": 3, "steps": ["z"]}"#)
    #expect(try made.rows(steps) == ["2 'z' 1", "1 'b' 1", "2 'a' 2"])
    #expect(outcome.contested == [:])
    outcome = try importing(made, #"{"id": 2, "photo": "p"} {"id": 3, "photo": "p"}"#)
    #expect(outcome.contested == ["Photo": 1])
    #expect(try made.rows("SELECT ZRECIPE FROM ZPHOTO") == ["3"])
  }

  @Test func theLastObjectThatGivesAToOneIsRight() throws {
    let made = try filled()
    try importing(made, #"{"id": 1, "category": {"id": "c2"}} {"id": 1, "category": null}"#)
    #expect(try made.rows("SELECT ZCATEGORY FROM ZRECIPE") == ["NULL"])
    try importing(made, #"{"id": 1, "category": null} {"id": 1, "category": {"id": "c2"}}"#)
    #expect(try made.rows("SELECT ZCATEGORY FROM ZRECIPE") == ["2"])
    try importing(
      made, #"{"id": 1, "category": null} {"id": 1, "category": "c1"} {"id": 1}"#, on: .ignore)
    #expect(try made.rows("SELECT ZCATEGORY FROM ZRECIPE") == ["2"])
  }

  @Test func nestedObjectsMustAgreeOnToOnesUnlessRowsMayChange() throws {
    for value in [#"{"id": "c9"}"#, "null"] {
      let made = try filled()
      let text = #"{"id": "new", "recipes": [{"id": 1, "category": \#(value)}]}"#
      #expect(throws: ImportError.self) {
        try importing(made, text, entity: "Category", on: .fail)
      }
    }
  }
}
