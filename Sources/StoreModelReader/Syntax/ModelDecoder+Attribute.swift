import StoreModel
import StorePredicate

extension ModelDecoder {
  /// Decodes an attribute of an entity or of a composite.
  mutating func decodeAttribute(_ element: XMLElement, of owner: String) -> AttributeSyntax {
    let name = ownName(of: element)
    let (type, composite) = decodeType(of: element, named: name.text)
    var attribute = AttributeDescription(
      name: name.text, type: type, isOptional: flag("optional", of: element),
      isTransient: flag("transient", of: element))
    attribute.defaultValue = decodeDefault(of: element, type: type)
    attribute.validation = decodeValidation(of: element, type: type)
    attribute.isIndexed = flag("indexed", of: element)
    attribute.allowsExternalStorage = flag("allowsExternalBinaryDataStorage", of: element)
    attribute.isPreservedAfterDeletion = flag("preserveAfterDeletion", of: element)
    attribute.allowsCloudEncryption = flag("allowsCloudEncryption", of: element)
    attribute.isIndexedBySpotlight = flag("spotlightIndexingEnabled", of: element)
    attribute.usesScalarValueType = flag("usesScalarValueType", of: element)
    attribute.valueTransformer = text("valueTransformerName", of: element)
    attribute.customClassName = text("customClassName", of: element)
    let derivation = decodeDerivation(of: element, named: name.text, owner: owner)
    attribute.derivation = derivation?.expression
    attribute.renamingIdentifier = text("elementID", of: element)
    attribute.versionHashModifier = text("versionHashModifier", of: element)
    attribute.userInfo = userInfo(of: element)
    if type == .undefined, !attribute.isTransient, element["attributeType"] == nil {
      findings.report(AttributeIssue.noType(name.text), at: element.spot)
    }
    return AttributeSyntax(
      name: name, composite: composite, derivation: derivation?.text, attribute: attribute)
  }

  private mutating func decodeType(
    of element: XMLElement, named name: String
  ) -> (AttributeType, composite: PlacedName?) {
    if element["attributeType"] == "Composite" {
      guard let composite = optionalName("composite", of: element) else {
        findings.report(AttributeIssue.noComposite(name), at: element.spot(of: "attributeType"))
        return (.undefined, nil)
      }
      return (.composite(composite.text), composite)
    }
    return (word("attributeType", of: element, among: Self.types) ?? .undefined, nil)
  }

  private static let types =
    AttributeType.named.map { (name: $0.name, $0.type) } + [("Composite", .undefined)]

  private mutating func decodeDefault(of element: XMLElement, type: AttributeType) -> DataValue? {
    if type == .date, let date = dateInterval("defaultDateTimeInterval", of: element) {
      return .date(date)
    }
    guard let text = element["defaultValueString"] else { return nil }
    let spot = element.spot(of: "defaultValueString")
    switch TypedText(text, as: type) {
    case .value(let value): return value
    case .absent: return nil
    case .odd(let value, let reading):
      findings.report(AttributeIssue.oddDefault(text, type: type, readAs: reading), at: spot)
      return value
    case .meaningless:
      findings.report(AttributeIssue.ignoredDefault(text, type: type), at: spot)
      return nil
    }
  }

  private mutating func decodeValidation(
    of element: XMLElement, type: AttributeType
  ) -> AttributeDescription.Validation {
    let bounds = ["min", "max"].map { side -> DataValue? in
      if type == .date, let date = dateInterval("\(side)DateTimeInterval", of: element) {
        return .date(date)
      }
      return decodeBound("\(side)ValueString", of: element, type: type)
    }
    return AttributeDescription.Validation(
      minimum: bounds[0], maximum: bounds[1], pattern: text("regularExpressionString", of: element))
  }

  /// Decodes the minimum or maximum of a number or of a string's length.
  private mutating func decodeBound(
    _ name: String, of element: XMLElement, type: AttributeType
  ) -> DataValue? {
    guard let text = text(name, of: element) else { return nil }
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .string:
      if let whole = Int64(text) { return .integer(whole) }
      if let number = TypedText.number(text) { return .double(number) }
    case .undefined, .boolean, .date, .binary, .uuid, .uri, .transformable, .objectID, .composite:
      break
    }
    findings.report(
      AttributeIssue.ignoredBound(text, attribute: name, type: type), at: name, of: element)
    return nil
  }

  /// Decodes a number of seconds since 2001-01-01 00:00 UTC.
  private mutating func dateInterval(_ name: String, of element: XMLElement) -> Double? {
    guard let text = text(name, of: element) else { return nil }
    if let seconds = TypedText.number(text) { return seconds }
    findings.report(
      AttributeIssue.ignoredBound(text, attribute: name, type: .date), at: element.spot(of: name))
    return nil
  }

  private mutating func decodeDerivation(
    of element: XMLElement, named name: String, owner: String
  ) -> (text: PredicateText, expression: FormatExpression)? {
    let key = "derivationExpression"
    let hasText = text(key, of: element) != nil
    guard flag("derived", of: element) else {
      if hasText { findings.report(AttributeIssue.idleDerivation(name), at: key, of: element) }
      return nil
    }
    guard hasText else {
      findings.report(AttributeIssue.noDerivation(name), at: "derived", of: element)
      return nil
    }
    let text = predicateText(
      key, of: element, context: "in derived attribute '\(owner).\(name)'")
    return parseExpression(text, near: element.spot(of: key)).map { (text, $0) }
  }

  /// Returns the name of an element. A missing name is reported and replaced by the empty text, so that other issues
  /// are found in the same run.
  mutating func ownName(of element: XMLElement) -> PlacedName {
    requiredName("name", of: element) ?? PlacedName(text: "", spot: element.spot)
  }

  /// Returns a required name. A missing or empty name is reported.
  mutating func requiredName(_ attribute: String, of element: XMLElement) -> PlacedName? {
    if let name = optionalName(attribute, of: element) { return name }
    findings.report(
      ShapeIssue.missing(attribute: attribute, element: element.name), at: attribute, of: element)
    return nil
  }

  /// Returns an optional name. An empty text is treated as missing.
  func optionalName(_ attribute: String, of element: XMLElement) -> PlacedName? {
    guard let text = element[attribute], !text.isEmpty else { return nil }
    return PlacedName(text: text, spot: element.spot(of: attribute))
  }

  /// Returns the value of an attribute, or nil if it is missing or empty.
  func text(_ attribute: String, of element: XMLElement) -> String? {
    optionalName(attribute, of: element)?.text
  }

  /// Returns the value of a Boolean attribute, or `value` if the attribute is missing or invalid. An invalid value is
  /// reported.
  mutating func flag(_ attribute: String, of element: XMLElement, default value: Bool = false)
    -> Bool
  {
    guard let text = element[attribute] else { return value }
    if let flag = TypedText.flag(text) { return flag }
    if text == "1" || text == "0" { return text == "1" }
    findings.report(ShapeIssue.notAFlag(text, attribute: attribute), at: attribute, of: element)
    return value
  }

  mutating func integer(_ attribute: String, of element: XMLElement) -> Int? {
    guard let text = element[attribute] else { return nil }
    if let number = Int(text) { return number }
    findings.report(ShapeIssue.notANumber(text, attribute: attribute), at: attribute, of: element)
    return nil
  }

  /// Returns the meaning of a keyword in an attribute, or nil if the attribute is missing or has another value. Another
  /// value is reported.
  mutating func word<Meaning>(
    _ attribute: String, of element: XMLElement, among meanings: [(name: String, Meaning)]
  ) -> Meaning? {
    guard let text = element[attribute] else { return nil }
    if let known = meanings.first(where: { $0.name == text }) { return known.1 }
    findings.report(
      ShapeIssue.unknownWord(text, attribute: attribute, known: meanings.map(\.name)),
      at: attribute, of: element)
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
