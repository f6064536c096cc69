import SampleData
import StoreDiagnostics
import StoreModel
import StorePredicate
import StoreTestSupport
import Testing
import TestSupport

@testable import RecordFormats
@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreLayout

@Suite struct BatchInsertTests {
  static let shop = DataModel(
    name: "Shop",
    entities: [
      EntityDescription(name: "Thing", isAbstract: true, attributes: [attribute("code", .string)]),
      EntityDescription(
        name: "Product", parent: "Thing",
        attributes: [
          attribute("count", .integer16, default: .integer(3)), attribute("price", .decimal),
          attribute("weight", .float), attribute("size", .double), attribute("sold", .boolean),
          attribute("since", .date), attribute("id", .uuid), attribute("blob", .transformable),
          AttributeDescription(
            name: "photo", type: .binary, isOptional: true, allowsExternalStorage: true),
          AttributeDescription(
            name: "name", type: .string, isOptional: true,
            validation: .init(minimum: .integer(2), maximum: .integer(12), pattern: "[A-Z].*")),
          AttributeDescription(
            name: "stars", type: .integer32, isOptional: true,
            validation: .init(minimum: .integer(1), maximum: .integer(5))),
          AttributeDescription(name: "cache", type: .string, isOptional: true, isTransient: true),
        ],
        relationships: [
          RelationshipDescription(
            name: "shelf", destination: "Shelf", inverse: "products", isOptional: true),
          RelationshipDescription(
            name: "tag", destination: "Tag", inverse: "product", isOptional: true),
          SampleModels.toMany("notes", "Shelf"),
        ],
        uniquenessConstraints: [["code"], ["name", "since"]]),
      EntityDescription(
        name: "Shelf", attributes: [attribute("name", .string)],
        relationships: [
          SampleModels.toMany("products", "Product", inverse: "shelf", ordered: true)
        ]),
      EntityDescription(
        name: "Tag",
        relationships: [
          RelationshipDescription(
            name: "product", destination: "Product", inverse: "tag", isOptional: true),
          RelationshipDescription(name: "about", destination: "Thing", isOptional: true),
        ]),
    ])

  static func attribute(
    _ name: String, _ type: AttributeType, default value: DataValue? = nil
  ) -> AttributeDescription {
    AttributeDescription(name: name, type: type, isOptional: true, defaultValue: value)
  }

  /// Shelf is entity 1, Tag 2, Thing 3 and Product 4. Things and products share a table.
  struct Shop {
    let file: StoreFixture
    let store: Store

    init() throws {
      file = try StoreFixture(BatchInsertTests.shop, name: "Shop.sqlite")
      store = try Store.open(LocalPath(file.path), .writing)
      try insert("Shelf", #"{"name": "low"} {"name": "high"}"#)
      try insert("Tag", "{} {}")
    }

    @discardableResult
    func insert(
      _ entity: String, _ text: String, format: RecordFormat = .json, name: String = "in.json",
      pieces: [Int] = []
    ) throws -> InsertResult {
      let layout = StoreLayout(model: BatchInsertTests.shop)
      let plan = try InsertPlan(entity: entity, in: layout)
      let source = MemorySource(Array(text.utf8), name: name, pieces: pieces)
      return try store.insert(source, format: format, by: plan, in: layout)
    }

    func rows(_ sql: SQL) throws -> [String] {
      try store.read { try $0.rows(sql) }.map { row in
        row.map { value in
          switch value {
          case .null: "NULL"
          case .integer(let number): "\(number)"
          case .real(let number): "\(number)"
          case .text(let text): "'\(text)'"
          case .blob(let bytes): "x" + bytes.map { String($0, radix: 16) }.joined(separator: ".")
          }
        }.joined(separator: " ")
      }
    }
  }

  @Test func everyTypeIsStoredAsCoreDataStoresIt() throws {
    let shop = try Shop()
    let outcome = try shop.insert(
      "Product",
      """
      {"code": "a", "count": -5, "price": 12.50, "weight": 0.1, "size": 0.1, "sold": true,
       "since": "2024-05-06T07:00:00.5Z", "id": "e621e1f8-c36c-495a-93fc-0c247a3e6e5f",
       "blob": "AQI=", "photo": "AwQ=", "name": "Räy"}
      {"code": "b", "price": 7, "sold": 0, "since": "2001-01-01"}
      """)
    #expect(outcome == InsertResult(inserted: 2, roundedDecimals: 0))
    #expect(
      try shop.rows(
        """
        SELECT Z_PK, Z_ENT, Z_OPT, ZCODE, ZCOUNT, ZPRICE, ZWEIGHT, ZSIZE, ZSOLD, ZSINCE, ZID, ZBLOB, \
        ZPHOTO, ZNAME FROM ZTHING ORDER BY Z_PK
        """) == [
          "1 4 1 'a' -5 12.5 0.10000000149011612 0.1 1 736671600.5 "
            + "xe6.21.e1.f8.c3.6c.49.5a.93.fc.c.24.7a.3e.6e.5f x1.2 x1.3.4 'Räy'",
          "2 4 1 'b' 3 7 NULL NULL 0 0 NULL NULL NULL NULL",
        ])
    #expect(
      try shop.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT") == [
        "'Shelf' 2", "'Tag' 2", "'Thing' 2", "'Product' 0",
      ])
  }

  @Test func csvTellsNullFromTheEmptyText() throws {
    let shop = try Shop()
    try shop.insert(
      "Product", "code,name,count,sold\n,Abc,,yes\n\"\",Bcd,null,no\nnull,Cde,1,1\n",
      format: .csv, name: "in.csv")
    #expect(
      try shop.rows("SELECT ZCODE, ZCOUNT, ZSOLD FROM ZTHING ORDER BY Z_PK") == [
        "NULL NULL 1", "'' NULL 0", "'null' 1 1",
      ])
  }

  @Test func anArrayIsAListOfRecords() throws {
    let shop = try Shop()
    let text = #"[{"code": "a"}, {"code": "b"}]"#
    #expect(try shop.insert("Product", text).inserted == 2)
    #expect(try shop.insert("Product", "[]").inserted == 0)
    #expect(try shop.insert("Product", "").inserted == 0)
  }

  @Test func keysGoOnBehindTheHighestOne() throws {
    let shop = try Shop()
    try shop.file.edit("UPDATE Z_PRIMARYKEY SET Z_MAX = 40 WHERE Z_NAME = 'Shelf'")
    try shop.insert("Shelf", "{}")
    // Z_MAX was edited by hand and is too low.
    try shop.file.edit("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Shelf'")
    try shop.insert("Shelf", "{}")
    #expect(try shop.rows("SELECT Z_PK FROM ZSHELF") == ["1", "2", "41", "42"])
    #expect(try shop.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 1") == ["42"])
  }

  @Test func anOrderedInverseNumbersItsMembers() throws {
    let shop = try Shop()
    let low = "x-coredata:///Shelf/p1"
    let high = "x-coredata://\(shop.store.metadata.uuid)/Shelf/p2"
    try shop.insert(
      "Product", "{\"shelf\": \"\(low)\"} {} {\"shelf\": \"\(high)\"} {\"shelf\": \"\(low)\"}")
    try shop.insert("Product", "{\"shelf\": \"\(low)\"}")
    #expect(
      try shop.rows("SELECT Z_PK, ZSHELF, Z_FOK_SHELF FROM ZTHING ORDER BY Z_PK") == [
        "1 1 2048", "2 NULL NULL", "3 2 2048", "4 1 3072", "5 1 4096",
      ])
  }

  @Test func aOneToOnePartnerIsTakenOver() throws {
    let shop = try Shop()
    try shop.insert("Product", #"{"tag": "x-coredata:///Tag/p1"}"#)
    #expect(try shop.rows("SELECT Z_PK, Z_OPT, ZPRODUCT FROM ZTAG") == ["1 2 1", "2 1 NULL"])
    try shop.insert(
      "Product",
      #"{"tag": "x-coredata:///Tag/p1"} {"tag": "x-coredata:///Tag/p2"} {"tag": "x-coredata:///Tag/p1"}"#
    )
    #expect(
      try shop.rows("SELECT Z_PK, Z_OPT, ZTAG FROM ZTHING ORDER BY Z_PK") == [
        "1 2 NULL", "2 1 NULL", "3 1 2", "4 1 1",
      ])
    #expect(try shop.rows("SELECT Z_PK, Z_OPT, ZPRODUCT FROM ZTAG") == ["1 3 4", "2 2 3"])
  }

  @Test func aReferenceToATreeOfEntitiesNamesItsEntity() throws {
    let shop = try Shop()
    try shop.insert("Product", "{}")
    try shop.insert("Tag", #"{"about": "x-coredata:///Product/p1"}"#)
    #expect(try shop.rows("SELECT ZABOUT, Z3_ABOUT FROM ZTAG WHERE Z_PK = 3") == ["1 4"])
  }

  static let mistakes: [(String, String, RecordFormat)] = [
    ("Product", #"{"count": "many"}"#, .json), ("Product", #"{"count": 40000}"#, .json),
    ("Product", #"{"count": 1.5}"#, .json), ("Product", #"{"code": 5}"#, .json),
    ("Product", #"{"sold": 2}"#, .json), ("Product", #"{"size": "NaN"}"#, .json),
    ("Product", #"{"weight": 1e300}"#, .json), ("Product", #"{"since": "tomorrow"}"#, .json),
    ("Product", #"{"id": "12"}"#, .json), ("Product", #"{"blob": "?"}"#, .json),
    ("Product", #"{"nmae": "Ray"}"#, .json), ("Product", #"{"cache": "x"}"#, .json),
    ("Product", #"{"notes": []}"#, .json), ("Product", #"{"$id": "x"}"#, .json),
    ("Product", #"{"code": "a", "code": "b"}"#, .json), ("Product", #"{"code": {"a": 1}}"#, .json),
    ("Product", "[1, {}, null]", .json), ("Product", #"{"name": "R"}"#, .json),
    ("Product", #"{"name": "Ray and so many others"}"#, .json),
    ("Product", #"{"name": "ray"}"#, .json),
    ("Product", #"{"stars": 0}"#, .json), ("Product", #"{"stars": 6}"#, .json),
    ("Product", #"{"shelf": 1}"#, .json), ("Product", #"{"shelf": "x-coredata:///Tag/p1"}"#, .json),
    ("Product", #"{"shelf": "x-coredata://OTHER/Shelf/p1"}"#, .json),
    ("Product", #"{} {"shelf": "x-coredata:///Shelf/p9"}"#, .json),
    ("Product", "{}\n{\"code\": \"a\"}\n{\"code\": \"a\"}", .json),
    (
      "Product", #"{"name": "Ray", "since": "2024-01-01"} {"name": "Ray", "since": "2024-01-01"}"#,
      .json
    ),
    ("Product", "{\"count\": \"x\"}\n{}\n{\"nmae\": 1, \"count\": []}\n{\"a\" 1}", .json),
    ("Product", "code,nmae\n", .csv), ("Product", "code,code\n", .csv),
    ("Product", "code,\n", .csv),
    ("Product", "code,count\na,1,2\n", .csv), ("Product", "code,count\na,\"x\ny\"\nb,z\n", .csv),
    ("Product", "code,code2\n", .csv), ("Nobody", "{}", .json), ("Thing", "{}", .json),
  ]

  /// Compares the text of every error. The store must not change.
  @Test func mistakesAreNamedAndNothingIsWritten() throws {
    let shop = try Shop()
    let before = try shop.rows("SELECT * FROM Z_PRIMARYKEY")
    var texts = ""
    for (entity, input, format) in Self.mistakes {
      do {
        try shop.insert(entity, input, format: format, name: format == .csv ? "in.csv" : "in.json")
        texts += "# \(input)\nno error\n\n"
      } catch let error as any DiagnosableError {
        let renderer = DiagnosticRenderer()
        texts += "# \(input)\n" + error.diagnostics.map(renderer.render).joined() + "\n"
      }
    }
    Golden.expect(texts, matches: "batch-insert-errors.txt")
    #expect(try shop.rows("SELECT count(*) FROM ZTHING") == ["0"])
    #expect(try shop.rows("SELECT * FROM Z_PRIMARYKEY") == before)
  }

  @Test func aRequiredPropertyNeedsAValue() throws {
    let model = DataModel(
      name: "M",
      entities: [
        EntityDescription(name: "A", attributes: [AttributeDescription(name: "x", type: .string)])
      ])
    let file = try StoreFixture(model, name: "M.sqlite")
    let store = try Store.open(LocalPath(file.path), .writing)
    let plan = try InsertPlan(entity: "A", in: StoreLayout(model: model))
    for text in ["{}", #"{"x": null}"#] {
      let error = #expect(throws: DiagnosticError.self) {
        try store.insert(MemorySource(text), format: .json, by: plan, in: StoreLayout(model: model))
      }
      #expect(error?.diagnostics.map(\.code) == ["value.missing"])
    }
  }

  @Test func manyRecordsInAnyPieces() throws {
    let shop = try Shop()
    let text = (0..<3_000).map { "{\"code\": \"c\($0)\", \"count\": \($0 % 100)}\n" }.joined()
    let outcome = try shop.insert(
      "Product", text, pieces: (0..<5_000).map { $0 % 37 + 1 })
    #expect(outcome.inserted == 3_000)
    #expect(
      try shop.rows("SELECT count(DISTINCT ZCODE), sum(ZCOUNT), max(Z_PK) FROM ZTHING") == [
        "3000 148500 3000"
      ])
  }

  @Test func cancellingRollsBack() throws {
    let shop = try Shop()
    let layout = StoreLayout(model: Self.shop)
    let plan = try InsertPlan(entity: "Shelf", in: layout)
    let cancellation = Cancellation()
    cancellation.request()
    #expect(throws: Cancelled()) {
      try shop.store.insert(
        MemorySource("{}"), format: .json, by: plan, in: layout, cancellation: cancellation)
    }
    #expect(try shop.rows("SELECT count(*) FROM ZSHELF") == ["2"])
  }

  @Test func decimalsBeyondADoubleAreCounted() throws {
    let shop = try Shop()
    let outcome = try shop.insert(
      "Product", #"{"price": 0.12345678901234567} {"price": 0.5} {"price": 12345678901234567}"#)
    #expect(outcome.roundedDecimals == 1)
    #expect(
      try shop.rows("SELECT ZPRICE FROM ZTHING") == [
        "\(0.12345678901234567)", "0.5", "12345678901234567",
      ])
  }

  @Test func thePlanShowsItsSQL() throws {
    let plan = try InsertPlan(entity: "Tag", in: StoreLayout(model: Self.shop))
    #expect(
      plan.insertion.rendered().text == """
        INSERT INTO ZTAG (Z_PK, ZABOUT, Z3_ABOUT, ZPRODUCT, Z_ENT, Z_OPT) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        """)
  }
}
