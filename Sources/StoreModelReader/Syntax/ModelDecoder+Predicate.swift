import StoreDiagnostics
import StoreModel
import StorePredicate

extension ModelDecoder {
  /// Parses `predicateString`; what is wrong with it becomes a fault of the template.
  mutating func readPredicate(
    of element: XMLElement, into template: inout FetchRequestTemplate, context: String
  ) {
    let attribute = "predicateString"
    let text = predicateText(attribute, of: element, context: context)
    template.predicateText = text
    do throws(PredicateSyntaxError) {
      template.predicate = try FormatPredicate(parsing: text.text)
    } catch {
      findings.reportLocated(error.diagnostic(in: text), near: element.spot(of: attribute))
    }
  }

  /// Parses an expression; nil, and reported, when it is none.
  mutating func parseExpression(_ text: PredicateText, near spot: XMLSpot) -> FormatExpression? {
    do throws(PredicateSyntaxError) {
      return try FormatExpression(parsing: text.text)
    } catch {
      findings.reportLocated(error.diagnostic(in: text), near: spot)
      return nil
    }
  }

  func predicateText(
    _ attribute: String, of element: XMLElement, context: String
  ) -> PredicateText {
    PredicateText(
      element[attribute] ?? "", origin: findings.source.origin(of: element.spot(of: attribute)),
      context: context)
  }
}
