import StoreModel
import StorePredicate

extension FetchedProperty {
  func aspects(changedTo new: FetchedProperty) -> [String] {
    request.aspects(changedTo: new.request) + (userInfo == new.userInfo ? [] : ["user info"])
  }
}

extension FetchRequestTemplate {
  func aspects(changedTo new: FetchRequestTemplate) -> [String] {
    let checks: [(String, Bool)] = [
      ("entity", entity == new.entity),
      ("predicate", predicateText?.text == new.predicateText?.text),
      ("limit", limit == new.limit), ("batch size", batchSize == new.batchSize),
      ("result type", resultType == new.resultType),
      ("sub-entities", includesSubentities == new.includesSubentities),
      ("property values", includesPropertyValues == new.includesPropertyValues),
      ("faults", returnsObjectsAsFaults == new.returnsObjectsAsFaults),
      ("distinct results", returnsDistinctResults == new.returnsDistinctResults),
      ("pending changes", includesPendingChanges == new.includesPendingChanges),
    ]
    return checks.filter { !$0.1 }.map(\.0)
  }
}

extension Composite {
  func aspects(changedTo new: Composite) -> [String] {
    let names = Set((attributes + new.attributes).map(\.name)).sorted()
    return names.filter { name in
      attributes.first { $0.name == name } != new.attributes.first { $0.name == name }
    }
  }
}
