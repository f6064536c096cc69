import RecordFormats
import SampleData
import StoreDiagnostics
import StoreImport
import StoreLayout
import StoreModel
import StoreTestSupport
import Testing
import TestSupport
import StoreCore

/// The sources of values in a record, and the errors.
@Suite struct ImportRecordTests {
  static let model = DataModel(
    name: "Venues",
    entities: [
      EntityDescription(
        name: "Venue", attributes: [attribute("name", .string), attribute("phone", .string)],
        relationships: [
          relationship("price", "Price", inverse: "venue"),
          relationship("place", "Place", inverse: nil),
          SampleModels.toMany("visits", "Visit", inverse: "venue", ordered: true),
        ]),
      EntityDescription(
        name: "Price", attributes: [attribute("symbol", .string, mapped: "currency.symbol")],
        relationships: [relationship("venue", "Venue", inverse: "price")]),
      EntityDescription(
        name: "Place", isAbstract: true, attributes: [attribute("city", .string)],
        relationships: [relationship("country", "Country", inverse: nil)]),
      EntityDescription(
        name: "Street", parent: "Place", attributes: [attribute("number", .integer32)]),
      EntityDescription(name: "Square", parent: "Place"),
      EntityDescription(name: "Country", attributes: [attribute("name", .string)]),
      EntityDescription(
        name: "Visit", attributes: [attribute("day", .date)],
        relationships: [
          RelationshipDescription(
            name: "venue", destination: "Venue", inverse: "visits", isOptional: false)
        ]),
    ])

  private static func attribute(
    _ name: String, _ type: AttributeType, mapped: String? = nil
  ) -> AttributeDescription {
    AttributeDescription(
      name: name, type: type, isOptional: true,
      userInfo: mapped.map { ["mappedKeyName": $0] } ?? [:])
  }

  private static func relationship(
    _ name: String, _ destination: String, inverse: String?
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destination: destination, inverse: inverse, isOptional: true)
  }

  struct Case: CustomTestStringConvertible {
    var json: String
    var entity: String? = "Venue"
    var map: [String] = []
    var root: [String] = []
    /// Without `$entity`, `$id` and NULL.
    var rows: [String] = []
    var ignored: [String: Int] = [:]

    var testDescription: String { "\(json) \(map.joined(separator: " "))" }
  }

  static let cases = [
    Case(json: #"{"name": "A"}"#, rows: [#"Venue {"name":"A"}"#]),
    Case(json: "{}", rows: ["Venue {}"]),
    Case(json: #"{"name": null}"#, rows: ["Venue {}"]),
    Case(
      json: #"[{"name": "A"}, {"name": "B"}]"#,
      rows: [#"Venue {"name":"A"}"#, #"Venue {"name":"B"}"#]),
    Case(
      json: #"{"name": "A"} {"name": "B"}"#, rows: [#"Venue {"name":"A"}"#, #"Venue {"name":"B"}"#]),
    // Keys that don't match a property.
    Case(
      json: #"[{"name": "A", "x": 1, "y": {"z": 1}}, {"name": null, "x": [1]}]"#,
      rows: [#"Venue {"name":"A"}"#, "Venue {}"], ignored: ["x": 2, "y": 1]),
    // Rules.
    Case(
      json: #"{"title": "A", "contact": {"phone": "1", "fax": "2"}, "name": "no"}"#,
      map: ["name=title", "phone=contact.phone"], rows: [#"Venue {"name":"A","phone":"1"}"#],
      ignored: ["contact.fax": 1, "name": 1]),
    Case(
      json: #"{"name": "A", "cost": {"sign": "$"}}"#, map: ["price.symbol=cost.sign"],
      rows: [#"Price {"symbol":"$","venue":"Venue 1"}"#, #"Venue {"name":"A","price":"Price 1"}"#]),
    // Missing values don't create an object.
    Case(
      json: #"{"name": "A", "cost": {"sign": null}}"#, map: ["price.symbol=cost.sign"],
      rows: [#"Venue {"name":"A"}"#]),
    // A rule and a nested object set properties of the same object.
    Case(
      json: #"{"sign": "$", "price": {"other": 1}}"#, map: ["price.symbol=sign"],
      rows: [#"Price {"symbol":"$","venue":"Venue 1"}"#, #"Venue {"price":"Price 1"}"#],
      ignored: ["price.other": 1]),
    Case(
      json: #"{"visits": null, "all": [{"day": "2001-01-01"}]}"#, map: ["visits=all"],
      rows: [
        #"Venue {"visits":["Visit 1"]}"#,
        #"Visit {"day":"2001-01-01T00:00:00Z","venue":"Venue 1"}"#,
      ], ignored: ["visits": 1]),
    // The model's own names.
    Case(
      json: #"{"currency": {"symbol": "€", "code": "EUR"}}"#, entity: "Price",
      rows: [#"Price {"symbol":"€"}"#], ignored: ["currency.code": 1]),
    Case(
      json: #"{"price": {"currency": {"symbol": "€"}}}"#,
      rows: [#"Price {"symbol":"€","venue":"Venue 1"}"#, #"Venue {"price":"Price 1"}"#]),
    // Output of `export` uses the model's names. Other records with an ID follow the model's settings.
    Case(
      json: #"{"$entity": "Price", "$id": "p", "symbol": "€"}"#, rows: [#"Price {"symbol":"€"}"#]),
    Case(
      json:
        #"{"$entity": "Price", "$id": "p", "symbol": "€", "currency": {"symbol": "$", "code": "USD"}}"#,
      rows: [#"Price {"symbol":"€"}"#], ignored: ["currency.code": 1]),
    Case(
      json: #"{"$entity": "Price", "$id": "p", "symbol": null, "currency": {"symbol": "$"}}"#,
      rows: ["Price {}"]),
    Case(
      json: #"{"$entity": "Price", "$id": "p", "currency": {"symbol": "$"}}"#,
      rows: [#"Price {"symbol":"$"}"#]),
    Case(
      json: #"{"$entity": "Price", "symbol": "€", "currency": null, "venue": null}"#,
      rows: ["Price {}"], ignored: ["symbol": 1]),
    Case(
      json: #"{"price": {"$entity": "Price", "$id": "p", "symbol": "€"}}"#,
      rows: [#"Price {"symbol":"€","venue":"Venue 1"}"#, #"Venue {"price":"Price 1"}"#]),
    Case(
      json: #"{"$entity": "Venue", "$id": "v", "name": "A", "title": "B"}"#, map: ["name=title"],
      rows: [#"Venue {"name":"B"}"#], ignored: ["name": 1]),
    // Nested objects on several levels, and their entities.
    Case(
      json: #"{"place": {"$entity": "Street", "number": 7, "country": {"name": "C"}}}"#,
      rows: [
        #"Country {"name":"C"}"#, #"Street {"number":7,"country":"Country 1"}"#,
        #"Venue {"place":"Street 1"}"#,
      ]),
    Case(
      json: #"{"visits": [{"day": "2001-01-02"}, {"day": "2001-01-01", "at": 1}]}"#,
      rows: [
        #"Venue {"visits":["Visit 1","Visit 2"]}"#,
        #"Visit {"day":"2001-01-02T00:00:00Z","venue":"Venue 1"}"#,
        #"Visit {"day":"2001-01-01T00:00:00Z","venue":"Venue 1"}"#,
      ], ignored: ["visits.at": 1]),
    // References: to a later record, to itself through another record, and with a required to-one relationship that the
    // owner sets.
    Case(
      json:
        #"{"$id": "v", "visits": ["b", "a"]} {"$entity": "Visit", "$id": "a"} {"$entity": "Visit", "$id": "b"}"#,
      rows: [
        #"Venue {"visits":["Visit 2","Visit 1"]}"#, #"Visit {"venue":"Venue 1"}"#,
        #"Visit {"venue":"Venue 1"}"#,
      ]),
    Case(
      json: #"{"$id": "v", "price": "p"} {"$entity": "Price", "$id": "p", "venue": "v"}"#,
      rows: [#"Price {"venue":"Venue 1"}"#, #"Venue {"price":"Price 1"}"#]),
    // The members in an array come first, in its order. The other members follow.
    Case(
      json:
        #"{"$id": "v", "visits": ["b"]} {"$entity": "Visit", "$id": "a", "venue": "v"} {"$entity": "Visit", "$id": "b"}"#,
      rows: [
        #"Venue {"visits":["Visit 2","Visit 1"]}"#, #"Visit {"venue":"Venue 1"}"#,
        #"Visit {"venue":"Venue 1"}"#,
      ]),
    // A rule only applies to its own entity.
    Case(
      json: #"{"t": "A"} {"$entity": "Country", "t": "B", "name": "C"}"#, map: ["name=t"],
      rows: [#"Country {"name":"C"}"#, #"Venue {"name":"A"}"#], ignored: ["t": 1]),
    // Roots of the records.
    Case(
      json: #"{"meta": [1, {}], "response": {"n": 1, "venues": [{"name": "A"}]}, "end": 1}"#,
      root: ["response", "venues"], rows: [#"Venue {"name":"A"}"#]),
    Case(
      json: #"{"response": {"name": "A"}}"#, root: ["response"], rows: [#"Venue {"name":"A"}"#]),
    Case(
      json: #"{"r": [{"name": "A"}]} {"r": [{"name": "B"}]}"#, root: ["r"],
      rows: [#"Venue {"name":"A"}"#, #"Venue {"name":"B"}"#]),
    Case(json: #"{"r": []}"#, root: ["r"]),
  ]

  @Test(arguments: cases) func recordsBecomeRows(_ example: Case) throws {
    let made = try GraphStore(Self.model)
    let outcome = try made.importing(
      example.json, entity: example.entity, map: example.map, root: example.root)
    #expect(try Self.rows(of: made).sorted() == example.rows.sorted())
    #expect(outcome.ignored == example.ignored)
    if !example.ignored.isEmpty {
      let strict = try GraphStore(Self.model)
      #expect(throws: ImportError.ignoredKeys(example.ignored)) {
        try strict.importing(
          example.json, entity: example.entity, map: example.map, root: example.root, strict: true)
      }
      #expect(try strict.exported() == "")
    }
  }

  /// Returns `Entity {members}` for each row, with short IDs.
  private static func rows(of made: GraphStore) throws -> [String] {
    var scanner = JSONScanner(MemorySource(Array(try made.exported().utf8), name: "export"))
    var rows: [String] = []
    while let record = try scanner.nextValue() {
      guard case .object(let members) = record.content,
        case .string(let entity)? = record["$entity"]?.content
      else { continue }
      let shown = members.filter {
        !$0.key.hasPrefix("$") && !$0.value.isNull && $0.value.content != .array([])
      }
      rows.append("\(entity) \(JSONValue(.object(shown)))")
    }
    let prefix = "x-coredata://\(made.store.metadata.uuid)/"
    return rows.map { row in
      row.split(separator: prefix, omittingEmptySubsequences: false).enumerated()
        .map { index, part in
          index == 0 ? String(part) : String(part.replacing("/p", with: " ", maxReplacements: 1))
        }
        .joined()
    }
  }

  // MARK: Mistakes

  struct InvalidRecord {
    var json: String
    var entity: String? = "Venue"
    var map: [String] = []
    var root: [String] = []
    var strict = false
  }

  static let mistakes = [
    InvalidRecord(json: "[1]"), InvalidRecord(json: "{} 1"), InvalidRecord(json: "7"),
    InvalidRecord(json: "[{}] x"),
    InvalidRecord(json: #"[{"name": "A"}"#), InvalidRecord(json: #"{"r": [{}]"#, root: ["r"]),
    InvalidRecord(json: #"{"a": {"b": 1}}"#, root: ["a", "c"]),
    InvalidRecord(json: "", root: ["a"]),
    InvalidRecord(json: "[]", root: ["a"]), InvalidRecord(json: #"{"a": "text"}"#, root: ["a"]),
    InvalidRecord(json: "{}", entity: nil), InvalidRecord(json: "{}", entity: "Venu"),
    InvalidRecord(json: #"{"$entity": "Venu"}"#), InvalidRecord(json: #"{"$entity": 7}"#),
    InvalidRecord(json: #"{"$id": 7}"#), InvalidRecord(json: "{}", entity: "Place"),
    InvalidRecord(json: #"{} {"place": {"city": "A"}}"#),
    InvalidRecord(json: #"{"place": {"$entity": "Country"}}"#),
    InvalidRecord(json: #"{"city": "A"}"#, map: ["place.city=city"]),
    InvalidRecord(json: #"{"price": 7}"#), InvalidRecord(json: #"{"price": [{}]}"#),
    InvalidRecord(json: #"{"visits": {}}"#), InvalidRecord(json: #"{"visits": [true]}"#),
    InvalidRecord(
      json: #"{"visits": ["nowhere"], "place": "x-coredata:///Street/p7"} {"price": "x"}"#),
    InvalidRecord(
      json: #"{"$id": "a", "place": "a"}"#), InvalidRecord(json: #"{"$id": "a"} {"$id": "a"}"#),
    InvalidRecord(json: "{}\n  {\"visits\": [{\"day\": \"soon\"}]}"),
    InvalidRecord(json: #"{"name": {"first": "A"}}"#), InvalidRecord(json: #"{"name": true}"#),
    InvalidRecord(json: "{}\n{\"$entity\": \"Visit\"}"),
    InvalidRecord(json: #"{"$entity": "Visit", "venue": null}"#),
    InvalidRecord(json: #"{"a": 1, "b": {"c": 1}}"#), InvalidRecord(json: #"{"nmae": "A"}"#),
    InvalidRecord(json: #"{"name|place": "A|x"}"#),
    InvalidRecord(json: #"{"name": "A", "a": 1, "b": {"c": 1}}"#, strict: true),
    InvalidRecord(json: "{}", map: ["nam=a"]), InvalidRecord(json: "{}", map: ["name.first=a"]),
    InvalidRecord(json: "{}", map: ["visits.day=a"]),
    InvalidRecord(json: "{}", map: ["place.cty=a"]),
    InvalidRecord(json: "{}", entity: nil, map: ["name=a"]),
  ]

  @Test func everyMistakeIsExplained() throws {
    var text = ""
    for mistake in Self.mistakes {
      let made = try GraphStore(Self.model)
      let before = try made.dump()
      let options =
        (mistake.entity.map { [" --entity \($0)"] } ?? []) + mistake.map.map { " --map \($0)" }
        + (mistake.root.isEmpty ? [] : [" --root \(mistake.root.joined(separator: "."))"])
        + (mistake.strict ? [" --strict"] : [])
      text += "\(mistake.json)\(options.joined())\n"
      do {
        try made.importing(
          mistake.json, entity: mistake.entity, map: mistake.map, root: mistake.root,
          strict: mistake.strict)
        Issue.record("imported: \(mistake.json)")
      } catch let error as any DiagnosableError {
        for diagnostic in error.diagnostics { text += DiagnosticRenderer().render(diagnostic) }
      }
      #expect(try made.dump() == before, "\(mistake.json)")
      text += "\n"
    }
    Golden.expect(text, matches: "import-errors.txt")
  }
}
