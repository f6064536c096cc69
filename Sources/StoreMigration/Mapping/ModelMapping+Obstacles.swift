import StoreEngine
import StoreModel

extension ModelMapping {
  /// What stops every row of an entity, whatever it holds, so that the models alone tell it. What
  /// depends on the values only the planner can ask.
  package var obstacles: [MappingProblem] {
    entities.flatMap { mapping -> [MappingProblem] in
      guard let new = target.entity(named: mapping.target) else { return [] }
      if new.isAbstract { return [.abstractEntity(new.name)] }
      let known = source.entity(named: mapping.source).map { source.storedAttributes(of: $0) } ?? []
      return target.storedAttributes(of: new).compactMap { attribute in
        obstacle(to: attribute, of: new, from: known, mapping.attributes[attribute.name])
      }
    }
  }

  private func obstacle(
    to new: Attribute, of entity: Entity, from known: [Attribute], _ origin: AttributeOrigin?
  ) -> MappingProblem? {
    switch origin?.source {
    case nil, .nothing:
      guard new.lacksValue, origin?.fallback == nil else { return nil }
      return .missingValue(entity: entity.name, attribute: new.name, sourceAttribute: nil)
    case .attribute(let name):
      guard let old = known.first(where: { $0.name == name }), new.derivation == nil,
        Conversion(from: old.type, to: new.type) == nil
      else { return nil }
      return .typeChange(entity: entity.name, attribute: new.name, from: old.type, to: new.type)
    case .expression: return nil
    }
  }
}
