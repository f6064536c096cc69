extension ModelDecoder {
  /// A thing's own name. One without is reported and has the empty name, so that what else is
  /// wrong with it is found in the same run.
  mutating func ownName(of element: XMLElement) -> PlacedName {
    requiredName("name", of: element) ?? PlacedName(text: "", spot: element.spot)
  }

  /// A name that must be there and not be empty.
  mutating func requiredName(_ attribute: String, of element: XMLElement) -> PlacedName? {
    if let name = optionalName(attribute, of: element) { return name }
    findings.report(
      ShapeIssue.missing(attribute: attribute, element: element.name),
      at: element.spot(of: attribute))
    return nil
  }

  /// A name that may be absent; the empty text is none.
  func optionalName(_ attribute: String, of element: XMLElement) -> PlacedName? {
    guard let text = element[attribute], !text.isEmpty else { return nil }
    return PlacedName(text: text, spot: element.spot(of: attribute))
  }

  /// A text that means nothing when it is empty.
  func text(_ attribute: String, of element: XMLElement) -> String? {
    optionalName(attribute, of: element)?.text
  }

  /// Xcode writes `YES`, or nothing at all for no.
  mutating func flag(_ attribute: String, of element: XMLElement, default value: Bool = false)
    -> Bool
  {
    guard let text = element[attribute] else { return value }
    if let flag = TypedText.flag(text) { return flag }
    if text == "1" || text == "0" { return text == "1" }
    findings.report(
      ShapeIssue.notAFlag(text, attribute: attribute), at: element.spot(of: attribute))
    return value
  }

  mutating func integer(_ attribute: String, of element: XMLElement) -> Int? {
    guard let text = element[attribute] else { return nil }
    if let number = Int(text) { return number }
    findings.report(
      ShapeIssue.notANumber(text, attribute: attribute), at: element.spot(of: attribute))
    return nil
  }

  /// One of a fixed set of words.
  mutating func word<Meaning>(
    _ attribute: String, of element: XMLElement, among meanings: [(name: String, Meaning)]
  ) -> Meaning? {
    guard let text = element[attribute] else { return nil }
    if let known = meanings.first(where: { $0.name == text }) { return known.1 }
    findings.report(
      ShapeIssue.unknownWord(text, attribute: attribute, known: meanings.map(\.name)),
      at: element.spot(of: attribute))
    return nil
  }

  mutating func userInfo(of element: XMLElement) -> [String: String] {
    var entries: [String: String] = [:]
    for entry in element.children(named: "userInfo").flatMap({ $0.children(named: "entry") }) {
      guard let key = requiredName("key", of: entry) else { continue }
      if entries.updateValue(entry["value"] ?? "", forKey: key.text) != nil {
        findings.report(ShapeIssue.repeatedKey(key.text), at: key.spot)
      }
    }
    return entries
  }
}
