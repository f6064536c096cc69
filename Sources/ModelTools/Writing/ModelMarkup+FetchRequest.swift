import StoreModel
import StorePredicate

extension ModelMarkup {
  func element(ofTemplate template: FetchRequestTemplate) -> Markup {
    var element = element(of: template)
    element.comment = comments[.template(template.name)]
    return element
  }

  /// A template of the model, or the request of a fetched property. What is as in a new `NSFetchRequest`
  /// is left out; Xcode's spelling of the rest is uneven.
  func element(of request: FetchRequestTemplate) -> Markup {
    var element = Markup("fetchRequest")
    element.add("name", request.name)
    element.add("entity", request.entity)
    element.add(
      "predicateString", request.predicateText?.text ?? request.predicate?.format)
    if request.limit != 0 { element.add("fetchLimit", request.limit.description) }
    if request.batchSize != 0 { element.add("fetchBatchSize", request.batchSize.description) }
    if !request.includesSubentities { element.add("includeSubentities", "NO") }
    if !request.includesPropertyValues { element.add("includePropertyValues", "NO") }
    if !request.returnsObjectsAsFaults { element.add("returnObjectsAsFaults", "NO") }
    element.add("returnDistinctResults", ifSo: request.returnsDistinctResults)
    if !request.includesPendingChanges { element.add("includesPendingChanges", "NO") }
    if request.resultType != .objects {
      element.add("resultType", request.resultType.rawValue.description)
    }
    return element
  }
}
