import Testing

@testable import StorePredicate

/// Compares parsed texts with trees that are written in code.
struct ParserTests {
  private let a = FormatExpression.keyPath("a")
  private let b = FormatExpression.keyPath("b")
  private let c = FormatExpression.keyPath("c")

  private func equal(_ left: FormatExpression, _ right: Int64) -> FormatPredicate {
    .comparison(FormatComparison(left, .equal, .value(.integer(right))))
  }

  @Test func andBindsTighterThanOr() throws {
    #expect(
      try FormatPredicate(parsing: "a == 1 OR b == 2 AND c == 3")
        == .or([equal(a, 1), .and([equal(b, 2), equal(c, 3)])]))
  }

  @Test func notBindsTightest() throws {
    #expect(
      try FormatPredicate(parsing: "not a = 1 or b = 2") == .or([.not(equal(a, 1)), equal(b, 2)]))
  }

  @Test func chainsAreFlat() throws {
    let flat = FormatPredicate.and([equal(a, 1), equal(b, 2), equal(c, 3)])
    #expect(try FormatPredicate(parsing: "a == 1 && b == 2 AND (c == 3)") == flat)
  }

  @Test(arguments: [
    ("=", FormatComparison.Operator.equal), ("==", .equal), ("!=", .notEqual), ("<>", .notEqual),
    ("<", .less), ("<=", .lessOrEqual), ("=<", .lessOrEqual), (">", .greater),
    (">=", .greaterOrEqual), ("=>", .greaterOrEqual), ("between", .between), ("In", .in),
    ("CONTAINS", .contains), ("beginswith", .beginsWith), ("EndsWith", .endsWith),
    ("like", .like), ("MATCHES", .matches),
  ])
  func operators(spelling: String, meaning: FormatComparison.Operator) throws {
    #expect(
      try FormatPredicate(parsing: "a \(spelling) b")
        == .comparison(FormatComparison(a, meaning, b)))
  }

  @Test(
    arguments: [
      ("[c]", FormatComparison.Options.caseInsensitive),
      (" [cd]", [.caseInsensitive, .diacriticInsensitive]),
      ("[N]", .normalized), ("[l]", .localeSensitive), ("", []),
    ] as [(String, FormatComparison.Options)])
  func options(text: String, options: FormatComparison.Options) throws {
    #expect(
      try FormatPredicate(parsing: "a ==\(text) b")
        == .comparison(FormatComparison(a, .equal, b, options: options)))
  }

  @Test func modifiers() throws {
    let any = FormatPredicate.comparison(FormatComparison(a, .equal, b, modifier: .any))
    #expect(try FormatPredicate(parsing: "ANY a == b") == any)
    #expect(try FormatPredicate(parsing: "some a == b") == any)
    #expect(try FormatPredicate(parsing: "NONE a == b") == .not(any))
    #expect(
      try FormatPredicate(parsing: "ALL a == b")
        == .comparison(FormatComparison(a, .equal, b, modifier: .all)))
  }

  @Test(arguments: [
    ("1", DataValue.integer(1)), ("-1", .integer(-1)), ("1.0", .double(1)), ("0x1F", .integer(31)),
    ("0b101", .integer(5)), ("0o17", .integer(15)), ("9.2e-5", .double(9.2e-5)),
    ("3.5e+38", .double(3.5e38)), ("-9223372036854775808", .integer(.min)), ("YES", .boolean(true)),
    ("false", .boolean(false)), ("nil", .null), ("NULL", .null), ("''", .string("")),
    ("\"it's\"", .string("it's")), (#"'a\'b\n\x41\u00e9\101\q'"#, .string("a'b\nAéAq")),
    (#"'\uD83D\uDE00'"#, .string("😀")), ("'%@ $x'", .string("%@ $x")),
    ("CAST(12, 'NSDate')", .date(12)), ("CAST(-1.5, 'NSDate')", .date(-1.5)),
    ("CAST('AQI=', 'NSData')", .binary([1, 2])),
    (
      "CAST('x-coredata:///Item/p7', 'NSManagedObjectID')",
      .objectID(ObjectID(store: nil, entity: "Item", primaryKey: 7))
    ),
  ])
  func literals(text: String, value: DataValue) throws {
    #expect(try FormatExpression(parsing: text) == .value(value))
  }

  @Test func keyPaths() throws {
    let base = FormatExpression(.selfObject)
    func path(_ steps: KeyPathStep.Kind...) -> FormatExpression {
      FormatExpression(.keyPath(base: base, steps.map { KeyPathStep($0) }))
    }
    #expect(try FormatExpression(parsing: "SELF") == base)
    #expect(try FormatExpression(parsing: "SELF.a.b") == path(.key("a"), .key("b")))
    #expect(try FormatExpression(parsing: "a.self.SELF") == path(.key("a")))
    #expect(try FormatExpression(parsing: "#self.size") == path(.key("self"), .key("size")))
    #expect(try FormatExpression(parsing: "größe") == path(.key("größe")))
    #expect(try FormatExpression(parsing: #"\u0024x"#) == path(.key("$x")))
    #expect(
      try FormatExpression(parsing: "items.@sum.price")
        == path(.key("items"), .collection(.sum), .key("price")))
    let onVariable = FormatExpression(
      .keyPath(base: FormatExpression(.variable("x")), [KeyPathStep(.key("a"))]))
    #expect(try FormatExpression(parsing: "$x.a") == onVariable)
  }

  @Test func parenthesesHoldConditionsAndValues() throws {
    let sum = FormatExpression(.arithmetic(.add, a, b))
    let product = FormatExpression(.arithmetic(.multiply, sum, .value(.integer(2))))
    #expect(try FormatPredicate(parsing: "((a + b) * 2 == 6)") == equal(product, 6))
    #expect(try FormatPredicate(parsing: "((((a)))) == 1") == equal(a, 1))
    #expect(try FormatPredicate(parsing: "(((a == 1)))") == equal(a, 1))
  }

  @Test(arguments: [
    ("a + b * c", "a + (b * c)"), ("a - b - c", "(a - b) - c"), ("a ** b ** c", "(a ** b) ** c"),
    ("a * b ** c", "a * (b ** c)"), ("a & b + c", "a & (b + c)"), ("a << 1 & b", "(a << 1) & b"),
    ("a UNION b & c", "a UNION (b & c)"), ("-a ** b", "(-a) ** b"), ("a--1", "a - (-1)"),
    ("-a.b", "-(a.b)"), ("a MINUS b union c", "(a MINUS b) UNION c"),
    ("add:to:(a, b)", "a + b"), ("modulus(a, b)", "modulus:by:(a, b)"), ("avg(a)", "average:(a)"),
    ("FUNCTION('add:to:', 1, 1)", "1 + 1"),
    ("castObject:toType:(a, 'NSDate')", "CAST(a, 'NSDate')"),
    ("a[first]", "a[FIRST]"), ("objectFrom:withIndex:(a, 0)", "a[0]"), ("count(*)", "count:(SELF)"),
  ])
  func sameTree(_ one: String, _ other: String) throws {
    #expect(try FormatExpression(parsing: one) == FormatExpression(parsing: other))
  }

  @Test func argumentsTakeTheirPlaces() throws {
    #expect(
      try FormatPredicate(
        parsing: "%K.%K == %@ AND %d < c AND b IN %@",
        arguments: ["a.@max", "b", "$x OR 1 == 1", true, [1, 2]])
        == FormatPredicate(parsing: "a.@max.b == '$x OR 1 == 1' AND 1 < c AND b IN {1, 2}"))
    let date = FormatArgument.value(.date(5))
    #expect(
      try FormatPredicate(parsing: "a < %@ && b == %@", arguments: [date, nil])
        == FormatPredicate(parsing: "a < CAST(5, 'NSDate') AND b == nil"))
  }

  @Test func rangesPointAtTheText() throws {
    let text = "  ANY a.b ==[c] (c + 1)"
    guard case .comparison(let comparison) = try FormatPredicate(parsing: text) else {
      Issue.record("no comparison")
      return
    }
    func slice(_ range: TextRange) -> String {
      String(decoding: Array(text.utf8)[range.range], as: UTF8.self)
    }
    #expect(slice(comparison.left.range) == "a.b")
    #expect(slice(comparison.operatorRange) == "==[c]")
    #expect(slice(comparison.right.range) == "(c + 1)")
    guard case .keyPath(_, let steps) = comparison.left.kind else {
      Issue.record("no key path")
      return
    }
    #expect(steps.map { slice($0.range) } == ["a", "b"])
  }

  @Test func lists() throws {
    let sorted = try FormatExpression.parseList("name, -list.createdAt", as: .sort)
    #expect(sorted.map(\.expression) == [.keyPath("name"), .keyPath("list", "createdAt")])
    #expect(sorted.map(\.isDescending) == [false, true])
    #expect(sorted.map(\.text) == ["name", "list.createdAt"])

    let selected = try FormatExpression.parseList("name, sum( price ) AS total,-x", as: .select)
    #expect(selected.map(\.alias) == [nil, "total", nil])
    #expect(selected.map(\.text) == ["name", "sum( price )", "-x"])
    #expect(selected[2].expression.kind == .negated(.keyPath("x")))
  }

  @Test func aStarIsForAllAttributes() throws {
    let selected = try FormatExpression.parseList("*, a * b", as: .select)
    #expect(selected.map(\.isAllAttributes) == [true, false])
    #expect(selected.map(\.text) == ["*", "a * b"])
    for text in ["* AS all", "**", "*, 2 *"] {
      #expect(throws: PredicateSyntaxError.self) {
        try FormatExpression.parseList(text, as: .select)
      }
    }
    #expect(throws: PredicateSyntaxError.self) { try FormatExpression.parseList("*", as: .sort) }
  }

  /// The short form, which tables show, and the complete form.
  @Test func objectIDsHaveAShortForm() {
    #expect(ObjectID(text: "Item/p7") == ObjectID(store: nil, entity: "Item", primaryKey: 7))
    #expect(
      ObjectID(text: "x-coredata://AB/Item/p7")
        == ObjectID(store: "AB", entity: "Item", primaryKey: 7))
    for text in ["", "Item", "Item/7", "Item/p0", "/p7", "a/Item/p7", "x-coredata://Item/p7"] {
      #expect(ObjectID(text: text) == nil, "\(text)")
    }
  }
}
