import StorePredicate
import Testing

/// Collection expressions, which random predicates rarely contain. The store and the evaluator agree over several
/// random graphs.
struct CollectionAgreementTests {
  @Test(arguments: [
    ("Thing", "children[0].count16 > 0"), ("Thing", "children[LAST].key > key"),
    ("Thing", "children[FIRST] == nil"), ("Thing", "children[count16].text != nil"),
    ("Thing", "children.key[1] < key"), ("Thing", "children[SIZE] == ranking[SIZE]"),
    ("Thing", "ranking[0].key > text"), ("Thing", "ANY children[0].labels.key != nil"),
    ("Thing", "{count16, count32}[1] > 0"), ("Thing", "{count16, count32}[count16] != nil"),
    ("Thing", "children[children.@count - 1] == children[LAST]"),
    ("Tag", "beings[0].key > key"), ("Tag", "beings[LAST].entity == 'Person'"),
    ("Tag", "beings.key[2] != nil"), ("Person", "keepsakes[0].key != nil"),
    ("Person", "tags[1].key > tags[0].key"),
  ])
  func places(entity: String, text: String) throws { try expectAgreement(entity, text) }

  @Test(arguments: [
    ("Thing", "labels UNION ranking CONTAINS ranking[0]"),
    ("Thing", "(labels INTERSECT ranking).@count > 0"),
    ("Thing", "(children.count16 UNION {count16, nil}).@count == 2"),
    ("Thing", "(children.count16 UNION {count16, nil})[SIZE] == 3"),
    ("Thing", "ANY children.count16 MINUS {count32} > 0"),
    ("Thing", "NOT count16 IN children.count16 UNION likes.count16"),
    ("Thing", "ALL (likes MINUS children).count16 > 0"),
    ("Thing", "children.@distinctUnionOfObjects.count16.@count > 1"),
    ("Thing", "sum(likes.@distinctUnionOfObjects.count16) > 0"),
    ("Thing", "likes.@distinctUnionOfObjects.text == children.@distinctUnionOfObjects.text"),
    ("Thing", "likes.@unionOfObjects.count16.@max.self > 0"),
    ("Thing", "children == {}"), ("Thing", "children != likes"),
    ("Thing", "children.count16 == {1, nil}"), ("Thing", "children.labels.key == {}"),
    ("Thing", "children.labels.key == labels.key"), ("Thing", "nil IN children.text"),
    ("Person", "things UNION favourites == keepsakes UNION things"),
    ("Person", "keepsakes == {}"), ("Tag", "beings.tags == beings.tags UNION {}"),
    ("Thing", "SUBQUERY(children.count16 UNION {1}, $n, $n > 0).@count > 1"),
    ("Thing", "SUBQUERY(children, $c, $c.count16 > 0)[LAST].key < key"),
  ])
  func sets(entity: String, text: String) throws { try expectAgreement(entity, text) }

  @Test(arguments: [
    "median(children.count16) > 0", "stddev(likes.count16) < 3", "median(count16, count32, 1) > 0",
    "count16 IN mode(children.count16)", "mode(likes.count16)[0] > 0", "mode(1, count16) == {1}",
    "FUNCTION(text, 'length') > 2", "FUNCTION(text, 'substringFromIndex:', 1) == ''",
    "FUNCTION(text, 'hasSuffix:', key) == YES", "FUNCTION(text, 'integerValue') == 0",
    "FUNCTION(text, 'stringByAppendingString:', key) > text",
    "FUNCTION(text, 'substringToIndex:', count16) != nil",
    "modulus(count64, 7) == 3", "abs(count64) > 5", "children.@sum.count64 > 0",
    "sum(likes.count64) >= count64", "text IN[c] {nil, 'a'}", "NOT text IN[cd] {nil, 'a'}",
  ])
  func values(text: String) throws { try expectAgreement("Thing", text) }

  private func expectAgreement(_ entity: String, _ text: String) throws {
    let predicate = try FormatPredicate(parsing: text)
    for seed in UInt64(1)...8 {
      let comparison = try BackendComparison(SampleGraph(seed: seed))
      guard case .same = comparison.answer(predicate, of: entity) else {
        Issue.record("seed \(seed): \(comparison.explanation(of: predicate, of: entity))")
        return
      }
    }
  }
}
