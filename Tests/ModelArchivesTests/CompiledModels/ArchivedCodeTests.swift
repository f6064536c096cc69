import StoreModel
import Testing

@testable import ModelArchives

struct ArchivedCodeTests {
  @Test func everyTypeAndRuleHasACodeOfItsOwn() {
    let types = ArchivedCode.attributeTypes
    #expect(Set(types.map(\.type)) == Set(AttributeType.named.map(\.type)))
    #expect(Set(types.map(\.code)).count == types.count)
    #expect(Set(ArchivedCode.deleteRules.map(\.rule)) == Set(Relationship.DeleteRule.allCases))
  }
}
