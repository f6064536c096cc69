import StoreDiagnostics
import StoreModel
import StorePredicate

extension ModelDecoder {
  /// A template of the model, or the request of a fetched property.
  ///
  /// Its mistakes are faults of the template, not of the model: they stop only those who use it.
  mutating func decodeFetchRequest(
    _ element: XMLElement, of fetchedProperty: String?
  ) -> FetchRequestSyntax {
    let name = ownName(of: element)
    let entity = optionalName("entity", of: element)
    var own = ModelDecoder(findings: Findings(source: findings.source))
    var template = own.template(element, name: name.text, entity: entity?.text ?? "")
    if entity == nil {
      own.findings.report(
        ShapeIssue.missing(attribute: "entity", element: element.name), at: element.spot)
    }
    if text("predicateString", of: element) != nil {
      let context =
        fetchedProperty.map { "in fetched property '\($0)'" }
        ?? "in fetch request '\(name.text)'"
      own.readPredicate(of: element, into: &template, context: context)
    }
    template.faults += own.findings.diagnostics
    return FetchRequestSyntax(name: name, entity: entity, template: template)
  }

  /// What is absent has `NSFetchRequest`'s own default. The names are spelt unevenly by Xcode;
  /// other tools write the even spelling.
  private mutating func template(
    _ element: XMLElement, name: String, entity: String
  ) -> FetchRequestTemplate {
    FetchRequestTemplate(
      name: name, entity: entity, limit: integer("fetchLimit", of: element) ?? 0,
      batchSize: integer("fetchBatchSize", of: element) ?? 0,
      includesSubentities: flag(
        either: "includeSubentities", "includesSubentities", of: element, default: true),
      includesPropertyValues: flag(
        either: "includePropertyValues", "includesPropertyValues", of: element, default: true),
      returnsObjectsAsFaults: flag(
        either: "returnObjectsAsFaults", "returnsObjectsAsFaults", of: element, default: true),
      returnsDistinctResults: flag(
        either: "returnDistinctResults", "returnsDistinctResults", of: element, default: false),
      includesPendingChanges: flag("includesPendingChanges", of: element, default: true),
      resultType: word("resultType", of: element, among: Self.resultTypes) ?? .objects)
  }

  private static let resultTypes: [(name: String, FetchRequestTemplate.ResultType)] = [
    ("0", .objects), ("1", .objectIDs), ("2", .dictionaries), ("4", .count),
  ]

  private mutating func flag(
    either first: String, _ second: String, of element: XMLElement, default value: Bool
  ) -> Bool {
    flag(element[first] == nil ? second : first, of: element, default: value)
  }
}
