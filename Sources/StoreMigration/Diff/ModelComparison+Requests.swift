import StoreDiagnostics
import StoreModel
import StorePredicate

extension FetchedProperty {
  func aspects(changedTo new: FetchedProperty) -> [String] {
    request.aspects(changedTo: new.request)
      + (userInfo.keys(changedTo: new.userInfo).isEmpty ? [] : ["user info"])
  }
}

extension FetchRequestTemplate {
  func aspects(changedTo new: FetchRequestTemplate) -> [String] {
    let checks: [(String, Bool)] = [
      ("entity", entity.isExactly(new.entity)),
      ("predicate", (predicateText?.text).isExactly(new.predicateText?.text)),
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
    let names = (attributes + new.attributes).map(\.name).exact.map(\.text).sorted()
    return names.filter { name in
      let old = attributes.first { $0.name.isExactly(name) }
      let new = new.attributes.first { $0.name.isExactly(name) }
      guard let old, let new else { return true }
      return !old.isExactly(new)
    }
  }
}
