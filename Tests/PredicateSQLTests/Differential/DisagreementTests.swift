import StorePredicate
import Testing

/// Disagreements that `DifferentialTests` has found, each with the reason, over several random graphs.
struct DisagreementTests {
  @Test(arguments: [
    (
      "a row that is not there has no entity, also where the relationship allows but one",
      "Thing", "owner.entity == 'Person'"
    ),
    ("the same among many", "Tag", "ALL things.owner.entity == 'Person'"),
    (
      "an ID of a sub-entity names no object of another one in its table, where a join table has keys alone",
      "Tag", "ANY beings IN {'x-coredata:///Robot/p6', 'x-coredata:///Robot/p12'}"
    ),
    ("the same for one object", "Thing", "likedBy CONTAINS 'x-coredata:///Gadget/p6'"),
    (
      "text in a list is a number beside one, also where the list holds a column", "Thing",
      "count16 IN {count32, '-1'}"
    ),
    ("the same for dates", "Thing", "made IN {parent.made, '2001-01-01T00:00:00Z'}"),
    (
      "the mark before bytes that may be in an external file is not part of the value", "Thing",
      "photo == data OR data BETWEEN {photo, parent.photo} OR photo IN {data, 'AQE='}"
    ),
    (
      "nor of what is found from it", "Person",
      "things.@max.photo > 'AQ==' OR max(things.photo) < 'AA=='"
    ),
    (
      "nor where it has an order", "Thing",
      "photo < 'AQE=' OR TERNARY(flag == YES, photo, data) == 'AQ=='"
    ),
    (
      "to the evaluator a letter with its mark is not the composed one", "Thing",
      "text CONTAINS text OR text LIKE key"
    ),
    (
      "a missing object is not a member of the result of a path", "Tag",
      "count(things.owner) != things.@count AND things.owner[SIZE] == things.owner.@count"
    ),
    (
      "nor is it looked at by a SUBQUERY", "Tag",
      "SUBQUERY(things.owner, $x, NONE $x.friends.age > 2).@count > 1"
    ),
    ("nor is it in a set", "Tag", "(things.owner UNION {}).@count > 1 OR things.owner == {}"),
    ("nor has it a place", "Thing", "children.parent[LAST] == SELF OR children.owner[1] == nil"),
    ("but ANY and ALL ask about it", "Tag", "ANY things.owner == nil OR ALL things.owner != nil"),
    ("CAST turns what a column holds into a UUID", "Thing", "CAST(key, 'NSUUID') == nil"),
    (
      "and back", "Thing",
      "CAST(CAST(ident, 'NSString'), 'NSUUID') == ident AND CAST(ident, 'NSString') BEGINSWITH '0'"
    ),
    ("text into bytes", "Thing", "CAST(text, 'NSData') != nil OR CAST(data, 'NSData') == data"),
    (
      "a real number has one text, whole or not", "Thing",
      "CAST(price, 'NSString') IN {'7', '19.99'} OR CAST(ratio, 'NSString') IN {'-1', '1e+300', '0.1'}"
    ),
    ("a date has a text", "Thing", "CAST(made, 'NSString') CONTAINS '2001-01-01T00:00:0'"),
    ("and a text its date", "Thing", "CAST(CAST(made, 'NSString'), 'NSDate') == made"),
    (
      "integers that 64 bits do not hold have the text of a real one", "Thing",
      "CAST(count64 * 4, 'NSString') ENDSWITH '0'"
    ),
    (
      "the attribute of a sub-entity follows the condition that requires it", "Thing",
      "serial > 0 AND entity == 'Gadget'"
    ),
    (
      "of two attributes with the same name, the named entity's attribute is used", "Tag",
      "SUBQUERY(beings, $b, $b.entity IN {'Robot'} AND NOT $b.age < 1.5).@count > 0"
    ),
    ("a relationship of a sub-entity", "Thing", "entity == 'Gadget' AND model.key != key"),
    (
      "a to-many of a sub-entity, after a to-one", "Robot",
      "maker.entity == 'Person' AND maker.things.@count > 0 AND ANY maker.things.count16 > 0"
    ),
    ("written sums overflow one by one", "Thing", "sum(count64, 1, -1) == count64"),
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
