import StoreMigration
import StoreModel
import StorePredicate
import Testing

/// Obstacles between two versions that the models alone reveal.
struct ObstacleTests {
  private func obstacles(_ old: EntityDescription, _ new: EntityDescription) -> [MappingError] {
    let pairing = ModelPairing(
      from: DataModel(name: "1", entities: [old]), to: DataModel(name: "2", entities: [new]))
    return MappingInference.infer(pairing).obstacles
  }

  private func risks(_ old: EntityDescription, _ new: EntityDescription) -> [MappingError] {
    let pairing = ModelPairing(
      from: DataModel(name: "1", entities: [old]), to: DataModel(name: "2", entities: [new]))
    return MappingInference.infer(pairing).risks
  }

  private func entity(_ attributes: AttributeDescription..., isAbstract: Bool = false)
    -> EntityDescription
  {
    EntityDescription(name: "A", isAbstract: isAbstract, attributes: attributes)
  }

  @Test func aNewRequiredAttributeNeedsADefault() {
    let old = entity()
    #expect(
      obstacles(old, entity(AttributeDescription(name: "x", type: .string)))
        == [.missingValue(entity: "A", attribute: "x", type: .string, sourceAttribute: nil)])
    #expect(
      obstacles(old, entity(AttributeDescription(name: "x", type: .string, isOptional: true))) == []
    )
    #expect(
      obstacles(old, entity(AttributeDescription(name: "x", type: .string, isTransient: true)))
        == [])
    #expect(
      obstacles(
        old, entity(AttributeDescription(name: "x", type: .string, defaultValue: .string(""))))
        == [])
  }

  /// Only the rows show whether a value is NULL.
  @Test func whatMayBeNullIsARisk() {
    func string(isOptional: Bool = false, default value: DataValue? = nil) -> AttributeDescription {
      AttributeDescription(name: "x", type: .string, isOptional: isOptional, defaultValue: value)
    }
    func missing(_ type: AttributeType) -> MappingError {
      .missingValue(entity: "A", attribute: "x", type: type, sourceAttribute: "x")
    }
    let optional = entity(string(isOptional: true))
    #expect(risks(optional, entity(string())) == [missing(.string)])
    #expect(risks(entity(string()), entity(string())) == [])
    #expect(risks(optional, optional) == [])
    // A default is used for rows without a value.
    #expect(risks(optional, entity(string(default: .string("")))) == [])
    #expect(risks(optional, entity(string(), isAbstract: true)) == [])
    // Only the rows show whether values can be converted to another type.
    let number = entity(AttributeDescription(name: "x", type: .integer64, isOptional: true))
    #expect(
      risks(number, entity(AttributeDescription(name: "x", type: .integer16))) == [
        missing(.integer16)
      ])
    for new in [entity(string()), entity(AttributeDescription(name: "x", type: .integer64))] {
      #expect(obstacles(optional, new) == [])
    }
  }

  @Test func elementsOfCompositesAreLookedAt() {
    func model(_ version: String, isOptional: Bool) -> DataModel {
      DataModel(
        name: version,
        entities: [
          entity(AttributeDescription(name: "place", type: .composite("Place"), isOptional: true))
        ],
        composites: [
          CompositeDescription(
            name: "Place",
            attributes: [
              AttributeDescription(name: "street", type: .string, isOptional: isOptional)
            ])
        ])
    }
    let pairing = ModelPairing(
      from: model("1", isOptional: true), to: model("2", isOptional: false))
    #expect(
      MappingInference.infer(pairing).risks
        == [
          .missingValue(
            entity: "A", attribute: "place.street", type: .string, sourceAttribute: "place.street")
        ])
  }

  @Test func someTypesDoNotConvert() {
    #expect(
      obstacles(
        entity(AttributeDescription(name: "x", type: .binary)),
        entity(AttributeDescription(name: "x", type: .date)))
        == [.typeChange(entity: "A", attribute: "x", from: .binary, to: .date)])
  }

  @Test func rowsOfAnAbstractEntityHaveNoPlace() {
    #expect(obstacles(entity(), entity(isAbstract: true)) == [.abstractEntity("A")])
    #expect(obstacles(entity(isAbstract: true), entity(isAbstract: true)) == [])
  }
}
