import StoreDiagnostics
import StoreModel
import StorePredicate

extension ModelDecoder {
  /// Parses `predicateString`; what is wrong with it becomes a fault of the template.
  mutating func readPredicate(
    of element: XMLElement, into template: inout FetchRequestTemplate, context: String
  ) {
    template.predicateText = predicateText("predicateString", of: element, context: context)
  }

  /// Parses an expression in an attribute; nil, and reported, when it is none.
  mutating func parseExpression(
    _ attribute: String, of element: XMLElement, context: String
  ) -> Expression? {
    nil
  }

  private func predicateText(
    _ attribute: String, of element: XMLElement, context: String
  ) -> PredicateText? {
    guard let text = element[attribute] else { return nil }
    let origin = findings.source.origin(of: element.spot(of: attribute))
    return PredicateText(text, origin: origin, context: context)
  }
}
