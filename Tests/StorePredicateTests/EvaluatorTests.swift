import StoreDiagnostics
import StorePredicate
import TestSupport
import Testing

struct EvaluatorTests {
  /// A list in two boxes, of which one is missing.
  private static let item = EvaluatedValue.object(
    SampleObject(
      entity: "Gadget", key: 7, ancestors: ["Item"],
      properties: [
        "name": .text("Lamp"), "price": .number(12), "weight": .real(1.5), "note": .null,
        "made": .value(.date(1_000)), "isNew": .value(.boolean(true)), "box": .null,
        "data": .value(.binary([1, 2, 3])),
        "tags": .set([tag("red", 1), tag("blue", 2), tag(nil, 3)]),
        "parts": .list([part(3, ["a", "b"]), part(nil, []), part(5, ["b", "c"])]),
      ],
      toManyPaths: [["box", "items", "name"], ["box", "items"]]))

  private static func tag(_ name: String?, _ key: Int64) -> EvaluatedValue {
    let name = name.map(EvaluatedValue.text) ?? .null
    return .object(SampleObject(entity: "Tag", key: key, properties: ["name": name]))
  }

  private static func part(_ size: Int64?, _ labels: [String]) -> EvaluatedValue {
    .dictionary([
      "size": size.map(EvaluatedValue.number) ?? .null,
      "labels": .list(labels.map(EvaluatedValue.text)),
    ])
  }

  private func answer(
    _ text: String, _ nulls: PredicateEvaluator.NullLogic,
    _ variables: [String: EvaluatedValue] = [:]
  ) throws -> String {
    let predicate = try FormatPredicate(parsing: text)
    var evaluator = PredicateEvaluator(nulls: nulls, variables: variables)
    if try evaluator.matches(predicate, Self.item) { return "true" }
    return try evaluator.matches(.not(predicate), Self.item) ? "false" : "unknown"
  }

  /// Both kinds of NULL logic have the same result.
  @Test(arguments: [
    "name == 'Lamp'", "name ==[c] 'lamp'", "self.name == 'Lamp'", "isNew == 1", "isNew == YES",
    "price == 12.0", "price > weight", "price / 5 == 2", "price / 5.0 == 2.4",
    "data == CAST('AQID', 'NSData')", "length(data) == 3", "made == CAST(1000, 'NSDate')",
    "made + 60 == CAST(1060, 'NSDate')", "made - CAST(400, 'NSDate') == 600",
    "entity == 'Gadget'", "entity.name == 'Gadget'", "entity != 'Item'",
    "SELF == CAST('x-coredata:///Gadget/p7', 'NSManagedObjectID')",
    "SELF == CAST('x-coredata:///Item/p7', 'NSManagedObjectID')",
    "objectID != CAST('x-coredata:///Gadget/p8', 'NSManagedObjectID')",
    "SELF == SELF", "SELF IN {CAST('x-coredata:///Item/p7', 'NSManagedObjectID')}",
    "ANY tags == CAST('x-coredata:///Tag/p2', 'NSManagedObjectID')",
    "tags CONTAINS CAST('x-coredata:///Tag/p2', 'NSManagedObjectID')",
    "ANY tags.name == 'red'", "NOT ALL tags.name IN {'red', 'blue'}", "ANY tags.name == nil",
    "NONE tags.name == 'green'", "SOME tags.entity == 'Tag'", "'blue' IN tags.name",
    "tags.@count == 3", "tags[SIZE] == 3", "parts.@max.size == 5", "parts.@min.size == 3",
    "parts.@sum.size == 8", "parts[0].size == 3", "parts[LAST].size == 5",
    "parts[1]['labels'][SIZE] == 0", "ANY parts.labels == 'c'", "parts.labels[SIZE] == 4",
    "parts.@distinctUnionOfObjects.size == {5, 3}", "parts.@unionOfObjects.size == {3, 5}",
    "parts.@distinctUnionOfObjects.labels == {'a', 'b', 'c'}",
    "parts.labels.@unionOfArrays.self == {'a', 'b', 'b', 'c'}",
    "parts.labels.@distinctUnionOfArrays.self == {'a', 'b', 'c'}",
    "parts.labels.@distinctUnionOfSets.self == {'a', 'b', 'c'}",
    "SUBQUERY(tags, $t, $t.name BEGINSWITH 'r').@count == 1",
    "SUBQUERY(parts, $p, $p.size > 3)[FIRST].labels[FIRST] == 'b'",
    "SUBQUERY(parts, $p, SUBQUERY($p.labels, $l, $l == 'b' AND SELF.price == 12).@count == 1)[SIZE] == 2",
    "tags.name INTERSECT {'red', 'green'} == {'red'}", "{1, {2, 3}} == {1, {2, 3}}",
    "{1, 2} != {2, 1}", "NOT name == 3", "price IN {1, 12.0}", "median(parts.size) == 4",
    "price ** 2 == 144",
    "name CONTAINS 'am' AND NOT name CONTAINS ''", "'' == ''", "'a' < 'b' AND 'B' < 'a'",
    "'a' <[c] 'B'", "9007199254740993 > 9007199254740992.0", "now() > CAST(700000000, 'NSDate')",
    "random() < 1 AND random(3) IN {0, 1, 2}", "FUNCTION(name, 'length') == 4",
    "FUNCTION(name, 'hasPrefix:', 'La') == YES", "FUNCTION(tags, 'count') == 3",
    "FUNCTION(name, 'stringByAppendingString:', 's') == 'Lamps'",
    "FUNCTION(name, 'substringToIndex:', 2) == 'La'", "note.anything.at.all == nil",
    "CAST(made, 'NSNumber') == 1000", "CAST('2001-01-01T00:16:40Z', 'NSDate') == made",
    "CAST(price, 'NSString') == '12'", "CAST(note, 'NSString') == nil",
    "distanceToLocation:fromLocation:($a, $b) BETWEEN {111000, 111400}",
  ])
  func isTrue(text: String) throws {
    let places: [String: EvaluatedValue] = [
      "a": .dictionary(["latitude": .number(50), "longitude": .number(7)]),
      "b": .dictionary(["latitude": .number(51), "longitude": .number(7)]),
    ]
    for nulls in PredicateEvaluator.NullLogic.allCases {
      #expect(try answer(text, nulls, places) == "true", "\(text), \(nulls)")
    }
  }

  @Test(
    arguments: [
      // A to-many of a missing to-one is empty in SQL, but nil in Foundation.
      ("box.items.@count == 0", "true", "false"), ("ANY box.items.name == 'x'", "false", "false"),
      ("ALL box.items.name == 'x'", "true", "true"), ("box.name != 'x'", "unknown", "true"),
      ("'x' IN box.items.name", "false", "false"), ("'x' IN box.name", "unknown", "false"),
      ("parts.@avg.size == 4", "true", "false"), ("parts.@avg.size * 3 == 8", "false", "true"),
      ("tags.@count == count(tags.name)", "false", "true"),
      ("sum({1, nil}) == 1", "unknown", "true"), ("max(price, note) == 12", "unknown", "true"),
      ("price BETWEEN {note, nil}", "unknown", "false"), ("note IN {}", "false", "false"),
      ("note IN {nil}", "unknown", "false"), ("nil IN tags.name", "false", "false"),
      ("{note, 1} CONTAINS 2", "unknown", "false"), ("note == $missing", "true", "true"),
      ("name != $missing", "true", "true"), ("name > $missing", "unknown", "false"),
      ("made == 1000", "true", "false"), ("length('😀') == 1", "true", "false"),
      ("note + 1 == nil", "true", "true"), ("price / 0 == nil", "true", "true"),
      ("modulus(price, 0) == nil AND sqrt(-1) == nil", "true", "true"),
      ("SUBQUERY(tags, $t, $t.name != 'red').@count == 2", "false", "true"),
      ("ALL tags.name != 'green'", "false", "true"), ("ANY price > 10", "true", "true"),
    ])
  func differsByLogic(text: String, sql: String, memory: String) throws {
    let missing: [String: EvaluatedValue] = ["missing": .null]
    #expect(try answer(text, .sql, missing) == sql, "\(text) in SQL's logic")
    #expect(try answer(text, .memory, missing) == memory, "\(text) in memory")
  }

  /// Integers become floating-point numbers if they overflow, as in SQLite. No operation traps.
  @Test(arguments: [
    "9223372036854775807 + 1 == 9223372036854775808.0",
    "-9223372036854775808 - 1 == -9223372036854775809.0",
    "-9223372036854775808 / -1 == 9223372036854775808.0",
    "-(-9223372036854775808) == 9223372036854775808.0",
    "abs(-9223372036854775808) == 9223372036854775808.0",
    "9223372036854775807 * 2 == 18446744073709551614.0",
    "modulus(-9223372036854775808, -1) == 0", "1 << 64 == 0", "-1 >> 99 == -1", "8 >> -1 == 16",
    "8 << -2 == 2", "1 << -9223372036854775808 == 0", "-1 >> -9223372036854775808 == 0",
    "1e300 & 1 == 1", "sum({9223372036854775807, 9223372036854775807}) > 1.8e19",
    "{1}[9223372036854775807 - 9223372036854775807] == 1", "CAST('1e999', 'NSNumber') > 1e308",
    "CAST('99999999999999999999', 'NSNumber') == 1e20", "CAST(' -12.5e1x', 'NSNumber') == -125",
    "CAST('none', 'NSNumber') == 0", "CAST('.', 'NSNumber') == 0", "random(-5) == 0",
  ])
  func numbersDoNotTrap(text: String) throws {
    for nulls in PredicateEvaluator.NullLogic.allCases {
      #expect(try answer(text, nulls) == "true", "\(text), \(nulls)")
    }
  }

  /// `«»` marks the position of the error.
  private static let mistakes: [(marked: String, code: String)] = [
    ("«colour» == 1", "unknown-key"), ("tags.«colour» == 1", "unknown-key"),
    ("price.«colour» == 1", "unknown-key"), ("«$x» == 1", "unbound-variable"),
    ("«name < 3»", "incomparable"), ("ANY «parts < 3»", "incomparable"),
    ("«name» + 1 == 2", "expected-number"), ("-«tags» == 2", "expected-number"),
    ("sqrt(«name») == 2", "expected-number"), ("«price» LIKE '1*'", "expected-text"),
    ("name LIKE «12»", "expected-text"), ("uppercase(«price») == '1'", "expected-text"),
    ("price IN «name.length»", "expected-collection"), ("«price»[0] == 1", "expected-collection"),
    ("SUBQUERY(«name», $x, TRUEPREDICATE)[SIZE] == 1", "expected-collection"),
    ("name.«@count» == 1", "expected-collection"),
    ("«price» UNION {1} == {1}", "expected-collection"), ("«tags»[FIRST] == nil", "unordered"),
    ("parts[«3»] == nil", "index-out-of-range"), ("parts[«-1»] == nil", "index-out-of-range"),
    ("price BETWEEN «{1}»", "bounds-count"), ("price BETWEEN «5»", "expected-collection"),
    ("name MATCHES «'a('»", "invalid-pattern"),
    ("'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' MATCHES «'(a+)+$'»", "excessive-pattern"),
    ("«FUNCTION(name, 'explode')» == 1", "unknown-method"),
    ("distanceToLocation:fromLocation:(«SELF», parts) == 1", "expected-location"),
    ("CAST('x-coredata:///Item/p9', 'NSManagedObjectID').«name» == 1", "unknown-object"),
  ]

  @Test(arguments: mistakes)
  func errorsPointAtTheirPlace(marked: String, code: String) throws {
    let text = marked.filter { $0 != "«" && $0 != "»" }
    let error = try #require(throws: EvaluationError.self) { try answer(text, .memory) }
    let diagnostic = error.diagnostic(in: PredicateText(text))
    #expect(diagnostic.code == "evaluation.\(code)")
    let bytes = Array(text.utf8)
    let range = error.range.range
    let parts = [bytes[..<range.lowerBound], bytes[range], bytes[range.upperBound...]]
    let found = parts.map { String(decoding: $0, as: UTF8.self) }
    #expect("\(found[0])«\(found[1])»\(found[2])" == marked)
  }

  @Test func explainsMistakes() throws {
    let renderer = DiagnosticRenderer()
    let texts = try Self.mistakes.map { marked, _ in
      let text = marked.filter { $0 != "«" && $0 != "»" }
      let error = try #require(throws: EvaluationError.self) { try answer(text, .memory) }
      return renderer.render(error.diagnostic(in: PredicateText(text)))
    }
    Golden.expect(texts.joined(separator: "\n"), matches: "evaluation-errors.txt")
  }

  /// Keys of a constant object in the predicate.
  @Test func followsAnObjectInThePredicate() throws {
    let tag = ObjectID(store: nil, entity: "Tag", primaryKey: 4)
    let predicate = try FormatPredicate(
      parsing: "name IN %@.names AND name != %@.names[0]",
      arguments: [.value(.objectID(tag)), .value(.objectID(tag))])
    var evaluator = PredicateEvaluator(nulls: .sql)
    evaluator.object = { id in
      SampleObject(
        entity: id.entity, key: id.primaryKey,
        properties: ["names": .list([.text("Bulb"), .text("Lamp")])])
    }
    #expect(try evaluator.matches(predicate, Self.item))
  }

  /// Comparing all pairs would take minutes.
  @Test func largeSetsAreFine() throws {
    let many = EvaluatedValue.list((0..<20_000).map { .number(Int64($0 % 10_000)) })
    var evaluator = PredicateEvaluator(nulls: .memory, variables: ["many": many])
    let predicate = try FormatPredicate(
      parsing: "($many UNION {-1})[SIZE] == 10001 AND ($many MINUS $many)[SIZE] == 0")
    #expect(try evaluator.matches(predicate, .null))
  }

  @Test func valueOfAnExpression() throws {
    var evaluator = PredicateEvaluator(nulls: .sql)
    let price = try #require(FormatExpression.parseList("price * 2", as: .plain).first).expression
    guard case .value(.integer(24)) = try evaluator.value(of: price, Self.item) else {
      Issue.record("not 24")
      return
    }
  }
}
