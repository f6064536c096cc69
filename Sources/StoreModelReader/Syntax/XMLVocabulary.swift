import StoreDiagnostics

/// The elements that a type of file can contain, with their permitted attributes and children.
///
/// Other elements and attributes are reported, so that a misspelled name isn't mistaken for a missing element or
/// attribute.
struct XMLVocabulary {
  struct Word {
    let attributes: Set<String>
    let children: Set<String>
  }

  /// The permitted attributes and children of each element, by the element's name.
  let words: [String: Word]

  /// A name that isn't valid at its location. `known` contains the valid names.
  enum UnknownName: Hashable {
    case element(String, parent: String, known: [String])
    case attribute(String, element: String, known: [String])
  }

  /// Reports the unknown attributes and children of an element and of its known descendants. `problem` creates the
  /// issue for an unknown name.
  func check<Issue: ModelIssue>(
    _ element: XMLElement, reportingTo findings: inout Findings, as problem: (UnknownName) -> Issue
  ) {
    guard let word = words[element.name] else { return }
    for attribute in element.attributes where !word.attributes.contains(attribute.name) {
      findings.report(
        problem(
          .attribute(attribute.name, element: element.name, known: word.attributes.sorted())),
        at: element.spot(ofName: attribute.name))
    }
    for child in element.children {
      guard word.children.contains(child.name) else {
        findings.report(
          problem(.element(child.name, parent: element.name, known: word.children.sorted())),
          at: child.spot)
        continue
      }
      check(child, reportingTo: &findings, as: problem)
    }
  }
}

extension XMLVocabulary {
  /// The elements of a migration file.
  static let definition = XMLVocabulary(words: [
    "migration": Word(attributes: ["from", "to"], children: ["entity", "drop", "sql"]),
    "entity": Word(
      attributes: ["name", "source", "where"], children: ["attribute", "relationship"]),
    "attribute": Word(attributes: ["name", "value", "default"], children: []),
    "relationship": Word(attributes: ["name", "path", "match"], children: []),
    "drop": Word(attributes: ["entity", "property", "where"], children: []),
    "sql": Word(attributes: ["when"], children: []),
  ])
}

extension XMLVocabulary {
  /// The elements of model XML, with the attributes and children that at least one version of Xcode or another tool
  /// writes.
  static let model = XMLVocabulary(words: [
    "model": Word(
      attributes: [
        "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion",
        "userDefinedModelVersionIdentifier", "sourceLanguage", "macOSVersion", "iOSVersion",
        "name", "usedWithSwiftData", "usedWithCloudKit",
      ],
      children: ["entity", "fetchRequest", "configuration", "composite", "elements"]),
    "entity": Word(
      attributes: [
        "name", "representedClassName", "isAbstract", "parentEntity", "elementID",
        "versionHashModifier", "syncable", "codeGenerationType", "spotlightDisplayName",
        "coreSpotlightDisplayNameExpression",
      ],
      children: [
        "attribute", "relationship", "fetchedProperty", "compoundIndexes", "fetchIndex",
        "uniquenessConstraints", "userInfo",
      ]),
    "attribute": Word(
      attributes: [
        "name", "optional", "transient", "attributeType", "minDateTimeInterval", "minValueString",
        "maxDateTimeInterval", "maxValueString", "defaultDateTimeInterval", "defaultValueString",
        "valueTransformerName", "customClassName", "derived", "derivationExpression",
        "usesScalarValueType", "indexed", "spotlightIndexingEnabled", "elementID",
        "versionHashModifier", "storedInTruthFile", "syncable", "composite",
        "allowsCloudEncryption", "preserveAfterDeletion", "allowsExternalBinaryDataStorage",
        "regularExpressionString",
      ],
      children: ["userInfo"]),
    "relationship": Word(
      attributes: [
        "name", "optional", "transient", "toMany", "minCount", "maxCount", "deletionRule",
        "ordered", "destinationEntity", "inverseName", "inverseEntity", "indexed",
        "spotlightIndexingEnabled", "elementID", "versionHashModifier", "storedInTruthFile",
        "syncable",
      ],
      children: ["userInfo"]),
    "fetchedProperty": Word(
      attributes: [
        "name", "optional", "transient", "syncable", "elementID", "versionHashModifier",
      ],
      children: ["fetchRequest", "userInfo"]),
    "fetchRequest": Word(
      attributes: [
        "name", "entity", "predicateString", "fetchLimit", "fetchBatchSize", "includeSubentities",
        "includesSubentities", "includePropertyValues", "includesPropertyValues",
        "returnObjectsAsFaults", "returnsObjectsAsFaults", "returnDistinctResults",
        "returnsDistinctResults", "includesPendingChanges", "resultType",
      ],
      children: []),
    "configuration": Word(
      attributes: ["name", "usedWithCloudKit"], children: ["memberEntity"]),
    "memberEntity": Word(attributes: ["name"], children: []),
    "composite": Word(attributes: ["name", "elementID"], children: ["attribute", "userInfo"]),
    "fetchIndex": Word(
      attributes: ["name", "partialIndexPredicate"], children: ["fetchIndexElement"]),
    "fetchIndexElement": Word(
      attributes: ["property", "expression", "expressionType", "type", "order"], children: []),
    "compoundIndexes": Word(attributes: [], children: ["compoundIndex"]),
    "compoundIndex": Word(attributes: [], children: ["index"]),
    "index": Word(attributes: ["value"], children: []),
    "uniquenessConstraints": Word(attributes: [], children: ["uniquenessConstraint"]),
    "uniquenessConstraint": Word(attributes: [], children: ["constraint"]),
    "constraint": Word(attributes: ["value"], children: []),
    "userInfo": Word(attributes: [], children: ["entry"]),
    "entry": Word(attributes: ["key", "value"], children: []),
    "elements": Word(attributes: [], children: ["element"]),
    "element": Word(
      attributes: ["name", "positionX", "positionY", "width", "height"], children: []),
  ])
}
