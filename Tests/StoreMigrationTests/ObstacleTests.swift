import StoreMigration
import StoreModel
import StorePredicate
import Testing

/// What the models alone tell: rows can't get from one version to the next.
struct ObstacleTests {
  private func obstacles(_ old: Entity, _ new: Entity) -> [MappingProblem] {
    let pairing = ModelPairing(
      from: Model(name: "1", entities: [old]), to: Model(name: "2", entities: [new]))
    return MappingInference.infer(pairing).obstacles
  }

  private func entity(_ attributes: Attribute..., isAbstract: Bool = false) -> Entity {
    Entity(name: "A", isAbstract: isAbstract, attributes: attributes)
  }

  @Test func aNewRequiredAttributeNeedsADefault() {
    let old = entity()
    #expect(
      obstacles(old, entity(Attribute(name: "x", type: .string)))
        == [.missingValue(entity: "A", attribute: "x", sourceAttribute: nil)])
    #expect(obstacles(old, entity(Attribute(name: "x", type: .string, isOptional: true))) == [])
    #expect(obstacles(old, entity(Attribute(name: "x", type: .string, isTransient: true))) == [])
    #expect(
      obstacles(old, entity(Attribute(name: "x", type: .string, defaultValue: .string("")))) == [])
  }

  /// Whether a row has NULL, only the rows tell.
  @Test func whatDependsOnTheRowsIsNone() {
    let optional = entity(Attribute(name: "x", type: .string, isOptional: true))
    #expect(obstacles(optional, entity(Attribute(name: "x", type: .string))) == [])
    #expect(obstacles(optional, entity(Attribute(name: "x", type: .integer64))) == [])
  }

  @Test func someTypesDoNotConvert() {
    #expect(
      obstacles(
        entity(Attribute(name: "x", type: .binary)), entity(Attribute(name: "x", type: .date)))
        == [.typeChange(entity: "A", attribute: "x", from: .binary, to: .date)])
  }

  @Test func rowsOfAnAbstractEntityHaveNoPlace() {
    #expect(obstacles(entity(), entity(isAbstract: true)) == [.abstractEntity("A")])
    #expect(obstacles(entity(isAbstract: true), entity(isAbstract: true)) == [])
  }
}
