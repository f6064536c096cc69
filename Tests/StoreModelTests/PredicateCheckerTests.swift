import StoreDiagnostics
import StoreModel
import StorePredicate
import Testing

struct PredicateCheckerTests {
  private let checker = PredicateChecker(model: TodoModel.model, entity: "Item")

  /// The messages for a predicate in the form that users read.
  private func messages(_ text: String) throws -> String {
    let predicate = try FormatPredicate(parsing: text)
    do throws(CheckErrors) {
      _ = try checker.check(predicate, in: PredicateText(text))
      return "fits"
    } catch {
      return error.diagnostics.map { DiagnosticRenderer().render($0) }.joined()
    }
  }

  private func variables(_ text: String) throws -> String {
    try checker.check(FormatPredicate(parsing: text)).variables
      .map { "\($0.name): \($0.type)" }.joined(separator: ", ")
  }

  private func right(_ text: String) throws -> FormatExpression.Kind? {
    let checked = try checker.check(FormatPredicate(parsing: text))
    guard case .comparison(let comparison) = checked.predicate else { return nil }
    return comparison.right.kind
  }

  @Test(arguments: [
    "title == 'a'", "list.title BEGINSWITH[cd] $TEXT", "priority > 1.5", "done == YES",
    "done == 1", "createdAt < '2026-01-31'", "createdAt - 3600 > now()",
    "code == '6F9619FF-8B86-D011-B42D-00CF4FC964FF'", "site == 'https://example.org'",
    "place.city == 'Bern'", "ANY tags.name == 'a'", "ALL tags.name LIKE 'a*'",
    "NONE tags.items.title == 'a'", "tags.@count > 2", "list.items.@max.priority < 5",
    "'a' IN tags.name", "tags CONTAINS $TAG", "$TAG IN tags", "list == nil",
    "list.items.@count == 0",
    "list == 'x-coredata:///List/p7'", "list == 7", "SELF IN {1, 2}", "entity == 'Task'",
    "SUBQUERY(tags, $t, $t.name == title).@count > 0", "priority BETWEEN {1, 5}",
    "priority IN {1, 2, 3}", "title IN {}", "anything != nil", "anything == 'x'",
    "max(priority, 3) == 3", "length(title) > 3", "priority == '5'", "$A == '' OR title == $A",
    "SUBQUERY(list.items, $i, SUBQUERY($i.tags, $t, $t.name == 'a').@count > 0).@count == 1",
    "list.objectID == 'x-coredata:///List/p1'", "TERNARY(done == YES, 1, 2) == priority",
    "effort > 3 AND entity == 'Task'", "title == 'a' OR (entity IN {'Task'} AND NOT effort > 3)",
    "SUBQUERY(list.items, $i, $i.entity.name == 'Task' AND $i.effort > 3).@count > 0",
  ])
  func accepts(text: String) throws {
    #expect(try messages(text) == "fits")
  }

  @Test func rejectsNamesThatDoNotExist() throws {
    #expect(
      try messages("titel == 'a' AND list.name == 'b'") == """
        error: 'Item' has no property 'titel' [predicate.unknown-key-path]
          titel == 'a' AND list.name == 'b'
          ^^^^^
          help: did you mean 'title'?
        error: 'List' has no property 'name' [predicate.unknown-key-path]
          titel == 'a' AND list.name == 'b'
                                ^^^^

        """)
    #expect(
      try messages("effort > 3") == """
        error: 'Item' has no property 'effort', but its subentity does [predicate.unknown-key-path]
          effort > 3
          ^^^^^^
          help: fetch 'Task' instead, or add a condition: entity == 'Task' AND …

        """)
    #expect(
      try messages("entity == 'Taks'") == """
        error: the model has no entity 'Taks' [predicate.unknown-entity]
          entity == 'Taks'
                    ^^^^^^
          help: did you mean 'Task'?

        """)
  }

  @Test(arguments: [
    "effort > 3 OR entity == 'Task'", "NOT entity == 'Task' AND effort > 3",
    "entity != 'Task' AND effort > 3", "entity IN {'Task', 'Item'} AND effort > 3",
    "entity == 'Task' AND list.items[0].effort > 3",
    "SUBQUERY(list.items, $i, entity == 'Task' AND $i.effort > 3).@count > 0",
    "ANY list.items.entity == 'Task' AND ANY list.items.effort > 3",
  ])
  func wantsTheEntityOfASubentitysAttribute(text: String) throws {
    #expect(try messages(text).contains("'effort'"))
  }

  @Test func saysThatANameIsMissing() throws {
    let error = try #require(throws: CheckErrors.self) {
      try checker.check(FormatPredicate(parsing: "titel == 'a'"))
    }
    #expect(error.diagnostics.map(\.cause) == [.notFound])
  }

  @Test func rejectsStepsThatLeadNowhere() throws {
    #expect(
      try messages("title.first == 'a'") == """
        error: 'title' of 'Item' is a value: 'first' can't follow it [predicate.step-through-attribute]
          title.first == 'a'
                ^^^^^

        """)
    #expect(
      try messages("isLate == YES") == """
        error: 'isLate' of 'Item' is transient, so a store doesn't contain it [predicate.transient-property]
          isLate == YES
          ^^^^^^

        """)
    #expect(
      try messages("siblings.@count > 1") == """
        error: 'siblings' of 'Item' is a fetched property [predicate.fetched-property]
          siblings.@count > 1
          ^^^^^^^^
          help: fetch 'Item.siblings' as a template

        """)
    #expect(
      try messages("place == 'Bern'") == """
        error: 'place' of 'Item' consists of several values [predicate.composite-without-element]
          place == 'Bern'
          ^^^^^
          help: specify one: 'place.city', 'place.latitude'

        """)
    #expect(
      try messages("tags.name == 'a'") == """
        error: 'tags' is a to-many relationship [predicate.to-many-without-any]
          tags.name == 'a'
          ^^^^^^^^^
          help: write ANY, ALL or NONE before the comparison, as in ANY items.price > 5

        """)
    #expect(try messages("tags.name CONTAINS 'a'").contains("[predicate.to-many-without-any]"))
    #expect(try messages("tags == nil").contains("[predicate.to-many-without-any]"))
  }

  @Test func rejectsValuesOfTheWrongType() throws {
    #expect(
      try messages("priority == 'x'") == """
        error: 'x' isn't an Integer 16 [predicate.wrong-value]
          priority == 'x'
                      ^^^
          help: write it as a whole number from -32768 to 32767

        """)
    #expect(
      try messages("createdAt > 5") == """
        error: an Integer 64 and a Date can't be compared [predicate.type-mismatch]
          createdAt > 5
                      ^

        """)
    #expect(
      try messages("title < list") == """
        error: an object of 'List' and a String can't be compared [predicate.type-mismatch]
          title < list
                  ^^^^

        """)
    #expect(
      try messages("list > 5") == """
        error: an object of 'List' can't be compared with '>' [predicate.not-ordered]
          list > 5
          ^^^^

        """)
    #expect(
      try messages("priority LIKE 'a'") == """
        error: LIKE requires text, not an Integer 16 [predicate.wrong-type]
          priority LIKE 'a'
          ^^^^^^^^

        """)
    #expect(
      try messages("priority BETWEEN {1, 2, 3}") == """
        error: BETWEEN requires a list of two bounds, but this list has 3 [predicate.two-bounds]
          priority BETWEEN {1, 2, 3}
                           ^^^^^^^^^
          help: for example: BETWEEN {1, 5}

        """)
    #expect(try messages("priority IN list").contains("[predicate.needs-collection]"))
    #expect(
      try messages("priority == {1, 2}").contains("'==' requires a single value, not a list"))
    #expect(try messages("title + 1 == 2").contains("[predicate.wrong-type]"))
    #expect(
      try messages("createdAt > CAST('2020-01-01', 'NSDate')")
        .contains("CAST to NSDate requires seconds since 2001, not a String"))
    #expect(try messages("createdAt > CAST(5, 'NSDate')") == "fits")
    #expect(try messages("sum(priority) > 5").contains("[predicate.aggregate-of-rows]"))
    #expect(try messages("list == 'x-coredata:///Tag/p1'").contains("[predicate.wrong-value]"))
    #expect(try messages("priority IN {1, 'x', 3}").contains("'x' isn't an Integer 16"))
    #expect(try messages("title == $A AND createdAt > $A").contains("[predicate.type-mismatch]"))
  }

  @Test func variablesTakeTheTypeOfWhatTheyAreComparedWith() throws {
    #expect(
      try variables(
        """
        title == $NAME AND createdAt > $SINCE AND list == $LIST AND priority IN $LEVELS \
        AND $TAG IN tags AND ANY tags.name BEGINSWITH $TEXT AND ratio < $RATIO AND title == $NAME
        """) == """
          NAME: String, SINCE: Date, LIST: object of 'List', LEVELS: list of Integer 16, \
          TAG: object of 'Tag', TEXT: String, RATIO: Float
          """)
    #expect(try variables("priority BETWEEN $RANGE") == "RANGE: list of Integer 16")
    #expect(try variables("priority BETWEEN {$LOW, $HIGH}") == "LOW: Integer 16, HIGH: Integer 16")
    #expect(try variables("$Q == '' OR title BEGINSWITH[cd] $Q") == "Q: String")
    #expect(try variables("priority + $MORE > 5") == "MORE: Double")
    #expect(try variables("$SOURCE.title == title") == "SOURCE: any value")
  }

  @Test func constantsBecomeWhatTheyAreComparedWith() throws {
    #expect(try right("createdAt == '2001-01-01T00:01:00Z'") == .constant(.date(60)))
    #expect(try right("ratio == 0.1") == .constant(.double(Double(Float(0.1)))))
    #expect(try right("price == 0.1") == .constant(.double(0.1)))
    #expect(
      try right("list == 'x-coredata:///List/p7'")
        == .constant(.objectID(ObjectID(store: nil, entity: "List", primaryKey: 7))))
    #expect(
      try right("SELF IN {7}")
        == .list([
          .value(.objectID(ObjectID(store: nil, entity: "Item", primaryKey: 7)))
        ]))
    #expect(try right("priority == '5'") == .constant(.integer(5)))
    #expect(try right("done == 'yes'") == .constant(.boolean(true)))
    // The constant can be outside of the attribute's range.
    #expect(try right("priority < 100000") == .constant(.integer(100_000)))
  }

  @Test func keyPathsHaveTypes() throws {
    let text = """
      TERNARY(done == YES, price, ratio) > $N AND ANY tags.name == 'a' AND done == NO \
      AND SUBQUERY(list.items, $i, $i.place.city == title).@count > 0
      """
    let keyPaths = try checker.check(FormatPredicate(parsing: text)).keyPaths
    #expect(
      keyPaths.map { "\($0.keyPath): \($0.type)" }.joined(separator: "\n") == """
        done: Boolean
        price: Decimal
        ratio: Float
        tags.name: list of String
        SUBQUERY(list.items, $i, $i.place.city == title).@count: Integer 64
        list.items: list of object of 'Item'
        $i.place.city: String
        title: String
        """)
  }

  /// Members of a list are checked again when their type is known.
  @Test func reportsEachMistakeOnceInTheOrderOfTheText() throws {
    let text = "TERNARY(dnoe == YES, prize, 1) > 0 AND title IN {titel, 'b', titel}"
    #expect(
      try messages(text).split(separator: "\n").filter { $0.contains("^") } == [
        "          ^^^^",
        "                       ^^^^^",
        String(repeating: " ", count: 51) + "^^^^^",
        String(repeating: " ", count: 63) + "^^^^^",
      ])
  }
}
