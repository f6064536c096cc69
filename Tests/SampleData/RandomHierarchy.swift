package import SeededRandom
package import StoreModel

/// Random models whose entities have subentities and many-to-many relationships.
package enum RandomHierarchy {
  package static func model(_ generator: inout SeededGenerator) -> DataModel {
    var entities: [EntityDescription] = []
    for index in 0..<(2 + generator.below(6)) {
      let parent =
        index > 0 && generator.below(5) < 2 ? entities[generator.below(index)].name : nil
      entities.append(
        EntityDescription(
          name: "\(generator.pick(["a", "B", "m", "Z"]))\(index)", parent: parent,
          attributes: [AttributeDescription(name: "text\(index)", type: .string, isOptional: true)])
      )
    }
    for number in 0..<(1 + generator.below(5)) {
      let (one, other) = (generator.below(entities.count), generator.below(entities.count))
      entities[one].relationships.append(
        toMany("forth\(number)", entities[other].name, inverse: "back\(number)", &generator))
      entities[other].relationships.append(
        toMany("back\(number)", entities[one].name, inverse: "forth\(number)", &generator))
    }
    return DataModel(name: "Random", entities: entities)
  }

  /// Returns the model with one to three more subentities, whose names change the numbers of the other ones.
  package static func model(
    adding generator: inout SeededGenerator, to model: DataModel
  ) -> DataModel {
    var entities = model.entities
    for number in 0...generator.below(3) {
      let parent = model.entities[generator.below(model.entities.count)].name
      entities.append(
        EntityDescription(name: "\(generator.pick(["A", "k", "zz"]))_new\(number)", parent: parent))
    }
    return DataModel(name: model.name, entities: entities)
  }

  private static func toMany(
    _ name: String, _ destination: String, inverse: String, _ generator: inout SeededGenerator
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destination: destination, inverse: inverse,
      cardinality: .toMany(ordered: generator.below(3) == 0), isOptional: true)
  }
}
