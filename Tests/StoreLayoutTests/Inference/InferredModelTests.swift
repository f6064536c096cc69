import StoreDiagnostics
import StoreLayout
import PlainSQLite
import SampleData
import SQLiteAccess
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

struct InferredModelTests {
  @Test func anEmptyStore() throws {
    let inferred = try Self.infer(StoreFixture(SampleModels.league))
    #expect(inferred.unexplained == [])
    #expect(
      inferred.model.lines == [
        "Goalkeeper: Player",
        "Player",
        "  nick String",
        "  number Integer 64",
        "  leads -> Team <-> playersAsLeads",
        "  team -> Team <-> playersAsTeam",
        "  teams -> Team [] <-> captain",
        "  unique number",
        "Team",
        "  city String",
        "  founded Date",
        "  name String",
        "  points Integer 64",
        "  captain -> Player <-> teams",
        "  playersAsLeads -> Player [] <-> leads",
        "  playersAsTeam -> Player [] <-> team",
        "  unique name",
        "  unique city, founded",
      ])
  }

  @Test(arguments: [
    SampleModels.library, SampleModels.league, SampleModels.todo, GraphModel.model,
    CompanyStore.model,
  ])
  func theLayoutIsTheStores(_ model: DataModel) throws {
    let file = try StoreFixture(model)
    let inferred = try Self.infer(file)
    #expect(inferred.unexplained == [])
    let store = try Store.open(LocalPath(file.path), .reading)
    let layout = try store.readableLayout(for: inferred.model)
    let real = StoreLayout(model: model)
    #expect(layout.gaps(in: try store.read { try $0.schema() }) == [])
    #expect(Self.columns(layout) == Self.columns(real))
    #expect(layout.entities.map(\.number) == real.entities.map(\.number))
  }

  private static func columns(_ layout: StoreLayout) -> [String: Set<String>] {
    Dictionary(
      uniqueKeysWithValues: layout.tables.map { ($0.name, Set($0.columns.map(\.name))) }
        + layout.joinTables.map { ($0.name, Set($0.columns.map(\.name))) })
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func aGraphReadsTheSame(_ seed: UInt64) throws {
    let graph = try GraphStore()
    try graph.store.write { connection in
      try RandomGraph(seed: seed, count: 12).insert(into: connection, graph.layout)
      // Without the name of a file, only the first byte of random values would indicate external storage.
      let file: [UInt8] = [2] + Array("6F9619FF-8B86-4011-B42D-00CF4FC964FF".utf8) + [0]
      try connection.run("UPDATE ZTHING SET ZPHOTO = \(value: .blob(file)) WHERE Z_PK = 1")
    }
    let inferred = try graph.store.read { try $0.inferredModel(named: "Inferred") }
    let comparison = ModelComparison(
      real: graph.layout, inferred: try graph.store.layout(for: inferred.model))
    var score = InferenceScore()
    try graph.store.read { try comparison.compare(on: $0, counting: &score, in: "graph") }
    #expect(score.lostAttributes == [])
    // The keys match tags and people, and the relationship doesn't have the name of either.
    #expect(score.missed.values.flatMap(\.self).sorted() == ["Person.things", "Thing.owner"])
    #expect(inferred.unexplained == [])
  }

  /// Names are spelled as in indexes and triggers, otherwise in lower case.
  @Test func anEmptyStoreOfEveryKindOfRelationship() throws {
    let inferred = try Self.infer(StoreFixture(SampleModels.library))
    #expect(
      inferred.model.lines == [
        "Author: Person",
        "  admiredby -> Author [] <-> admires",
        "  admires -> Author [] <-> admiredby",
        "  books -> Book [ordered] <-> author",
        "Book",
        "  authorName String",
        "  cover Binary",
        "  isLent Integer 64",
        "  isbn String",
        "  loanCount Integer 64",
        "  mood Binary",
        "  price Decimal",
        "  title String",
        "  author -> Author <-> books",
        "  lastowner -> Person <-> books2",
        "  visits -> visit [] <-> book",
        "  wishedby -> Reader [] <-> wishes",
        "  unique isbn",
        "  unique title, author",
        "  index title",
        "  index byPrice",
        "  index isLent",
        "  index byLent",
        "  index title_isbn",
        "Person",
        "  born Date",
        "  card Binary",
        "  name String",
        "  rating Double",
        "  rating1 String",
        "  books2 -> Book [] <-> lastowner",
        "  unique name",
        "Reader: Person",
        "  visits -> visit []",
        "  wishes -> Book [ordered] <-> wishedby",
        "Zone",
        "  name String",
        "visit",
        "  day Date",
        "  book -> Book <-> visits",
      ])
  }

  @Test func guessesInWords() throws {
    let file = try StoreFixture(SampleModels.league)
    try file.edit(
      """
      INSERT INTO ZTEAM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZCAPTAIN, Z1_CAPTAIN) VALUES (1, 3, 1, 'A', 1, 2); \
      INSERT INTO ZPLAYER (Z_PK, Z_ENT, Z_OPT, ZLEADS) VALUES (1, 2, 1, 1)
      """)
    let guesses = try Self.infer(file).guesses
    #expect(
      guesses.map { "\(Self.name($0.part)): \($0.text)" }.joined(separator: "\n") == """
        model: a store's tables don't contain optionality, defaults, validation, delete rules, transient properties, \
        fetched properties or fetch-request templates
        Player.number: ZNUMBER may also be Boolean, Integer 16 or Integer 32
        Player.nick: the spelling is unknown: the store contains only the upper-case name ZNICK
        Player.nick: the entity that declares ZNICK is unknown, because no values were found in it
        Player.nick: ZNICK may also be URI
        Team.points: the spelling is unknown: the store contains only the upper-case name ZPOINTS
        Team.points: ZPOINTS may also be Boolean, Integer 16 or Integer 32
        Team.city: ZCITY may also be URI
        Team.name: ZNAME may also be URI
        Player.leads: the spelling is unknown: the store contains only the upper-case name ZLEADS
        Player.leads: the entity that declares ZLEADS is unknown: rows of 'Goalkeeper' have values
        Player.leads: the destination: the key in ZLEADS exists in this entity and in others
        Player.leads: both relationships are to-one and refer to each other in the only row that was checked
        Player.team: the spelling is unknown: the store contains only the upper-case name ZTEAM
        Player.team: the entity that declares ZTEAM is unknown, because no values were found in it
        Player.team: the destination: the entity's name is similar to ZTEAM
        Player.team: ZTEAM is treated as a key only because it has an index; in old stores, integer attributes can also have an index
        Team.players: the store doesn't contain the inverse of 'Player.team'; its name is a guess
        Team.captain: the spelling is unknown: the store contains only the upper-case name ZCAPTAIN
        Team.captain: both relationships are to-one and refer to each other in the only row that was checked
        Player: no row belongs to this entity itself, so it may be abstract
        """)
  }

  private static func name(_ part: ModelPart?) -> String {
    switch part {
    case .entity(let name)?: name
    case .property(let name, let entity)?: "\(entity).\(name)"
    default: "model"
    }
  }

  static func infer(_ file: StoreFixture) throws -> InferredModel {
    try Store.open(LocalPath(file.path), .reading).read { try $0.inferredModel(named: "Inferred") }
  }
}
