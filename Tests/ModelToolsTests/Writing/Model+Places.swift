import StoreDiagnostics
import StoreModel
import StorePredicate

extension DataModel {
  /// The model without locations in the file.
  var withoutPlaces: DataModel {
    DataModel(
      name: name, versionIdentifiers: versionIdentifiers,
      entities: entities.map { entity in
        var entity = entity
        for index in entity.fetchedProperties.indices {
          entity.fetchedProperties[index].request =
            entity.fetchedProperties[index].request.withoutPlaces
        }
        return entity
      },
      templates: templates.map(\.withoutPlaces), configurations: configurations,
      composites: composites)
  }
}

extension FetchRequestTemplate {
  fileprivate var withoutPlaces: FetchRequestTemplate {
    var template = self
    template.predicateText = predicateText.map { PredicateText($0.text) }
    for index in template.faults.indices {
      template.faults[index].place = nil
      template.faults[index].excerpt = nil
    }
    return template
  }
}
