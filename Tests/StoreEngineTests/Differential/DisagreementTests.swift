import StorePredicate
import Testing

@testable import StoreEngine

/// What `DifferentialTests` has brought to light, each with the reason, over a few random graphs.
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
      "the mark before bytes that may lie in a file of their own is no part of the value", "Thing",
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
  ])
  func bothSidesAgree(reason: String, entity: String, text: String) throws {
    let predicate = try Predicate(parsing: text)
    for seed in UInt64(1)...8 {
      let comparison = try BackendComparison(SampleGraph(seed: seed))
      guard case .same = comparison.answer(predicate, of: entity) else {
        Issue.record("seed \(seed): \(comparison.explanation(of: predicate, of: entity))")
        return
      }
    }
  }
}
