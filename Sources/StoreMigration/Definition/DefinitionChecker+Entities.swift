import StoreDiagnostics
import StoreModel
import StorePredicate

extension DefinitionChecker {
  /// Checks an `<entity>` element and adds it to `lines`.
  mutating func addLine(_ entity: EntityDefinition) {
    guard let new = self.entity(entity.name, in: target), let old = sourceEntity(of: entity, new)
    else {
      return
    }
    if new.isAbstract, !old.isAbstract {
      report(.abstractTarget(new.name, source: old.name), at: entity.name.place)
    }
    let twin = lines.first {
      $0.source.name == old.name && $0.target.name == new.name
        && $0.definition.filter == entity.filter
    }
    if let twin {
      let line = twin.definition.name.place.start?.line
      report(
        .repeated(entity: new.name, source: old.name, firstLine: line), at: entity.name.place)
    }
    var line = DefinedLine(index: lines.count, definition: entity, source: old, target: new)
    line.filter = entity.filter.flatMap { condition($0, of: old) }
    lines.append(line)
  }

  /// Determines the routes: one for each `<entity>` element whose source isn't abstract, and the inferred routes
  /// between entities for which there isn't such an element.
  mutating func findRoutes(_ inferred: ModelMapping) {
    func own(_ source: String, _ target: String) -> [EntityRoute] {
      lines.filter { $0.source.name == source && $0.target.name == target }
        .map { EntityRoute(source: source, target: target, line: $0.index) }
    }
    for entity in inferred.entities {
      let own = own(entity.source, entity.target)
      routes += own.isEmpty ? [EntityRoute(source: entity.source, target: entity.target)] : own
    }
    let known = Set(routes.compactMap(\.line))
    routes += lines.filter { !known.contains($0.index) && !$0.source.isAbstract }
      .map { EntityRoute(source: $0.source.name, target: $0.target.name, line: $0.index) }
  }

  /// Returns the source entity that an `<entity>` element specifies, otherwise the entity that is paired with the
  /// target entity. Returns nil after reporting an error.
  private mutating func sourceEntity(of line: EntityDefinition, _ new: EntityDescription)
    -> EntityDescription?
  {
    if let name = line.source { return entity(name, in: source) }
    if let pair = pairing.pair(toTarget: new.name) { return source.entity(named: pair.source) }
    let free = pairing.removedEntities.filter { !$0.isAbstract }
    let known = (free.isEmpty ? source.entities : free).map(\.name)
    report(.noSource(new.name, known: known), at: line.name.place)
    return nil
  }

  mutating func entity(_ name: Written<String>, in model: DataModel) -> EntityDescription? {
    if let entity = model.entity(named: name.meaning) { return entity }
    report(
      .unknownEntity(name.meaning, version: model.name, known: model.entities.map(\.name)),
      at: name.place)
    return nil
  }

  // MARK: Drops

  /// Applies a `<drop>` element to the routes.
  ///
  /// - Returns: the names of the losses that the element allows, such as `Item.note`.
  mutating func drop(_ drop: DropDefinition) -> [String] {
    guard let entity = entity(drop.entity, in: source) else { return [] }
    let below = source.subtree(of: entity)
    if let property = drop.property {
      return dropProperty(property, of: entity, below)
    }
    let isConcerned = { (route: EntityRoute) in below.contains { $0.name == route.source } }
    if let filter = drop.filter {
      guard let filter = condition(filter, of: entity) else { return [] }
      for index in routes.indices where isConcerned(routes[index]) {
        routes[index].dropped.append(filter)
      }
    } else {
      let used = lines.first { line in
        line.definition.source != nil && below.contains { $0.name == line.source.name }
      }
      if let used {
        report(
          .droppedAndUsed(
            entity.name, target: used.target.name, line: used.definition.name.place.start?.line),
          at: drop.entity.place)
      }
      routes.removeAll(where: isConcerned)
    }
    return below.map(\.name)
  }

  private mutating func dropProperty(
    _ name: Written<String>, of entity: EntityDescription, _ below: [EntityDescription]
  ) -> [String] {
    guard let (_, declaring) = source.property(named: name.meaning, of: entity) else {
      let known =
        (source.attributes(of: entity).map(\.name))
        + source.relationships(of: entity).map(\.name)
      report(
        .unknownProperty(name.meaning, entity: entity.name, version: source.name, known: known),
        at: name.place)
      return []
    }
    return ([declaring] + below).map { "\($0.name).\(name.meaning)" }
  }

  // MARK: Conditions

  /// Checks a condition over rows of a source entity. Returns nil after reporting an error.
  private mutating func condition(
    _ written: Written<FormatPredicate>, of entity: EntityDescription
  ) -> TypedPredicate? {
    let row = FormatExpression(.selfObject)
    let predicate = written.meaning.substituting([MigrationDefinition.sourceVariable: row])
    do throws(CheckErrors) {
      let checked = try PredicateChecker(model: source, entity: entity.name).check(predicate)
      guard isBound(checked.variables, at: written.place) else { return nil }
      return checked.typed
    } catch {
      report(error, at: written.place)
      return nil
    }
  }

  mutating func isBound(_ variables: [TypedVariable], at place: WrittenPlace) -> Bool {
    guard let variable = variables.first else { return true }
    report(.unknownVariable(variable.name), at: place)
    return false
  }

  mutating func report(_ failure: CheckErrors, at place: WrittenPlace) {
    for error in failure.errors { report(place.locate(error.diagnostic, at: error.range)) }
  }
}
