import StoreModel
import Testing

@testable import ModelArchives

struct ArchivedCodeTests {
  @Test func everyTypeAndRuleHasACodeOfItsOwn() {
    let types = ArchivedCode.attributeTypes.pairs
    #expect(Set(types.map(\.meaning)) == Set(AttributeType.named.map(\.type)))
    #expect(Set(types.map(\.code)).count == types.count)
    let rules = ArchivedCode.deleteRules.pairs.map(\.meaning)
    #expect(Set(rules) == Set(RelationshipDescription.DeleteRule.allCases))
  }
}
