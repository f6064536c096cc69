import StorePredicate
import Testing

/// Predicates for which the evaluator and SQL once differed, as `DifferentialTests` found. Each has a description of
/// the expected result, and is compared on several random graphs.
struct DisagreementTests {
  @Test(arguments: [
    (
      "a missing row has no entity, even if the relationship allows only one entity",
      "Thing", "owner.entity == 'Person'"
    ),
    (
      "missing rows of a to-many key path have no entity", "Tag",
      "ALL things.owner.entity == 'Person'"
    ),
    (
      "an object ID of one subentity doesn't match a row of another, even if a join table contains only keys",
      "Tag", "ANY beings IN {'x-coredata:///Robot/p6', 'x-coredata:///Robot/p12'}"
    ),
    (
      "CONTAINS with an object ID of the wrong subentity is false", "Thing",
      "likedBy CONTAINS 'x-coredata:///Gadget/p6'"
    ),
    (
      "text in a list with numeric columns is converted to a number", "Thing",
      "count16 IN {count32, '-1'}"
    ),
    (
      "text in a list with date columns is converted to a date", "Thing",
      "made IN {parent.made, '2001-01-01T00:00:00Z'}"
    ),
    (
      "the marker byte of externally stored attributes isn't part of the value", "Thing",
      "photo == data OR data BETWEEN {photo, parent.photo} OR photo IN {data, 'AQE='}"
    ),
    (
      "the marker byte isn't part of a maximum or minimum", "Person",
      "things.@max.photo > 'AQ==' OR max(things.photo) < 'AA=='"
    ),
    (
      "the marker byte isn't compared by < or in TERNARY", "Thing",
      "photo < 'AQE=' OR TERNARY(flag == YES, photo, data) == 'AQ=='"
    ),
    (
      "a composed letter differs from a letter with a combining mark", "Thing",
      "text CONTAINS text OR text LIKE key"
    ),
    (
      "a missing object isn't a member of a to-many key path", "Tag",
      "count(things.owner) != things.@count AND things.owner[SIZE] == things.owner.@count"
    ),
    (
      "SUBQUERY skips a missing object", "Tag",
      "SUBQUERY(things.owner, $x, NONE $x.friends.age > 2).@count > 1"
    ),
    (
      "a set doesn't contain a missing object", "Tag",
      "(things.owner UNION {}).@count > 1 OR things.owner == {}"
    ),
    (
      "a missing object has no index in an ordered collection", "Thing",
      "children.parent[LAST] == SELF OR children.owner[1] == nil"
    ),
    (
      "ANY and ALL compare a missing object with nil", "Tag",
      "ANY things.owner == nil OR ALL things.owner != nil"
    ),
    ("CAST converts text to a UUID", "Thing", "CAST(key, 'NSUUID') == nil"),
    (
      "CAST converts a UUID to text and back", "Thing",
      "CAST(CAST(ident, 'NSString'), 'NSUUID') == ident AND CAST(ident, 'NSString') BEGINSWITH '0'"
    ),
    (
      "CAST converts text to bytes", "Thing",
      "CAST(text, 'NSData') != nil OR CAST(data, 'NSData') == data"
    ),
    (
      "CAST converts a floating-point number or Decimal to its shortest text", "Thing",
      "CAST(price, 'NSString') IN {'7', '19.99'} OR CAST(ratio, 'NSString') IN {'-1', '1e+300', '0.1'}"
    ),
    (
      "CAST converts a date to text", "Thing",
      "CAST(made, 'NSString') CONTAINS '2001-01-01T00:00:0'"
    ),
    (
      "CAST converts the text of a date to the date", "Thing",
      "CAST(CAST(made, 'NSString'), 'NSDate') == made"
    ),
    (
      "CAST converts a product beyond 64 bits like a floating-point number", "Thing",
      "CAST(count64 * 4, 'NSString') ENDSWITH '0'"
    ),
    (
      "CAST converts a sum beyond 64 bits like a floating-point number", "Tag",
      "FUNCTION(CAST(things.@sum.count64, 'NSString'), 'length') > 20"
    ),
    (
      "an attribute of a subentity can be used after a condition that requires the subentity",
      "Thing",
      "serial > 0 AND entity == 'Gadget'"
    ),
    (
      "if two subentities have attributes with the same name, the condition selects one", "Tag",
      "SUBQUERY(beings, $b, $b.entity IN {'Robot'} AND NOT $b.age < 1.5).@count > 0"
    ),
    (
      "a relationship of a subentity can be used after such a condition", "Thing",
      "entity == 'Gadget' AND model.key != key"
    ),
    (
      "a to-many relationship of a subentity can follow a to-one relationship", "Robot",
      "maker.entity == 'Person' AND maker.things.@count > 0 AND ANY maker.things.count16 > 0"
    ),
    (
      "a sum of a list is computed from left to right, so it can overflow", "Thing",
      "sum(count64, 1, -1) == count64"
    ),
  ])
  func bothSidesAgree(reason: String, entity: String, text: String) throws {
    let predicate = try FormatPredicate(parsing: text)
    for seed in UInt64(1)...8 {
      let comparison = try BackendComparison(SampleGraph(seed: seed))
      guard case .same = comparison.answer(predicate, of: entity) else {
        Issue.record("seed \(seed): \(comparison.explanation(of: predicate, of: entity))")
        return
      }
    }
  }

  @Test func constantObjectsOfTwoTablesAreTwoRowsThoughTheirKeysAreOne() throws {
    let predicate = try FormatPredicate(
      parsing: "%@.key == %@.key",
      arguments: ["Thing", "Tag"].map {
        .value(.objectID(ObjectID(store: nil, entity: $0, primaryKey: 1)))
      })
    for seed in UInt64(1)...8 {
      let comparison = try BackendComparison(SampleGraph(seed: seed))
      let sql = comparison.explanation(of: predicate, of: "Passport")
      #expect(sql.contains("ZTHING") && sql.contains("ZTAG"))
      guard case .same = comparison.answer(predicate, of: "Passport") else {
        Issue.record("seed \(seed): \(sql)")
        return
      }
    }
  }
}
