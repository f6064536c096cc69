import StoreModel
import StorePredicate

extension DefinitionDecoder {
  /// A name that must be there and not be empty.
  mutating func requiredName(_ attribute: String, of element: XMLElement) -> Written<String>? {
    if let name = optionalName(attribute, of: element) { return name }
    // An empty one is reported as it is read.
    if element[attribute] == nil {
      findings.report(
        DefinitionIssue.missing(attribute: attribute, element: element.name), at: element.spot)
    }
    return nil
  }

  /// Nil where the element has no such attribute; an empty one is reported.
  mutating func optionalName(_ attribute: String, of element: XMLElement) -> Written<String>? {
    guard let text = element[attribute] else { return nil }
    let spot = element.spot(of: attribute)
    guard !text.isBlank else {
      findings.report(
        DefinitionIssue.missing(attribute: attribute, element: element.name), at: spot)
      return nil
    }
    return Written(text, at: findings.source.place(of: spot))
  }

  /// Nil where there is none, or none that can be read, which is reported.
  mutating func predicate(
    _ attribute: String, of element: XMLElement, _ context: String
  ) -> Written<FormatPredicate>? {
    parse(attribute, of: element, context) { text throws(PredicateSyntaxError) in
      try FormatPredicate(parsing: text)
    }
  }

  /// Nil where there is none, or none that can be read, which is reported.
  mutating func expression(
    _ attribute: String, of element: XMLElement, _ context: String
  ) -> Written<FormatExpression>? {
    parse(attribute, of: element, context) { text throws(PredicateSyntaxError) in
      try FormatExpression(parsing: text)
    }
  }

  private mutating func parse<Meaning>(
    _ attribute: String, of element: XMLElement, _ context: String,
    with parser: (String) throws(PredicateSyntaxError) -> Meaning
  ) -> Written<Meaning>? {
    guard let value = element[attribute] else { return nil }
    let spot = element.spot(of: attribute)
    let text = PredicateText(value, origin: findings.source.origin(of: spot), context: context)
    do throws(PredicateSyntaxError) {
      var place = findings.source.place(of: spot)
      place.text = text
      return Written(try parser(value), at: place)
    } catch {
      findings.reportLocated(error.diagnostic(in: text), near: spot)
      return nil
    }
  }
}

extension XMLSource {
  /// The place of a spot, as a value that needs the file no longer.
  func place(of spot: XMLSpot) -> WrittenPlace {
    let range = range(of: spot)
    return WrittenPlace(place(of: range.lowerBound), excerpt: excerpt(at: range))
  }
}

extension String {
  var isBlank: Bool { allSatisfy(\.isWhitespace) }

  /// Without the white space around it.
  var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
