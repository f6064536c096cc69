import PredicateSQL
package import StoreLayout
package import StoreModel
package import StorePredicate

/// What the parts of a batch of links were parsed from; nil for a part that code has built.
package struct LinkTexts: Sendable {
  package var sources: PredicateText?
  package var destinations: PredicateText?
  package var sort: PredicateText?

  package init(
    sources: PredicateText? = nil, destinations: PredicateText? = nil, sort: PredicateText? = nil
  ) {
    self.sources = sources
    self.destinations = destinations
    self.sort = sort
  }
}

extension BatchLink {
  /// How the links are made or ended in a store of this layout. A pure function.
  ///
  /// - Parameters:
  ///   - storeUUID: object IDs that name another store match nothing.
  ///   - texts: what the predicates were parsed from, for the carets of errors.
  /// - Throws: `LinkError`, `ModelLookupError`, `CheckErrors`
  package func plan(
    in layout: StoreLayout, storeUUID: String?, texts: LinkTexts = LinkTexts()
  ) throws -> LinkPlan {
    let linked = try LinkedRelationship(relationship, of: entity, in: layout)
    if position != nil || !sort.isEmpty, !linked.relationship.isOrdered {
      throw LinkError.notOrdered(relationship, entity: entity)
    }
    let sourceRows = try StoreFetchRequest(entity: linked.source.name, predicate: sources)
      .matchingRows(
        in: layout, storeUUID: storeUUID, texts: RequestTexts(predicate: texts.sources))
    let destinationRows = try StoreFetchRequest(
      entity: linked.destination.name, predicate: destinations, sort: sort
    ).matchingRows(
      in: layout, storeUUID: storeUUID,
      texts: RequestTexts(predicate: texts.destinations, sort: texts.sort))
    return LinkPlan(
      kind: kind, relationship: linked, position: position,
      rows: .matching(sources: sourceRows.sql, destinations: destinationRows.sql),
      uniqueness: linked.columns.compactMap { linked.uniqueness(of: $0.side, in: layout) },
      countRules: linked.countRules(in: layout))
  }
}

extension LinkedRelationship {
  fileprivate func uniqueness(of side: LinkSide, in layout: StoreLayout) -> LinkPlan.Side? {
    let place = place(of: side)
    guard let entity = layout.model.entity(named: place.name) else { return nil }
    let builder = InsertPlanBuilder(entity: entity, place: place, layout: layout)
    return .init(entity: entity.name, table: place.table, constraints: builder.uniqueness)
  }
}
