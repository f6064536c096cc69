/// The elements of model XML with the attributes and children that any version of Xcode has written.
///
/// Whatever is not in here is reported and not read: a misspelt name must not pass for an absent one.
struct ModelVocabulary {
  struct Word {
    let attributes: Set<String>
    let children: Set<String>
  }

  /// By element name.
  static let words: [String: Word] = [
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
  ]

  /// Reports everything below `element` that the vocabulary lacks.
  static func check(_ element: XMLElement, reportingTo findings: inout Findings) {
    guard let word = words[element.name] else { return }
    for attribute in element.attributes where !word.attributes.contains(attribute.name) {
      let known = word.attributes.sorted()
      findings.report(
        ShapeProblem.unknownAttribute(attribute.name, element: element.name, known: known),
        at: element.spot(ofName: attribute.name))
    }
    for child in element.children {
      guard word.children.contains(child.name) else {
        let known = word.children.sorted()
        findings.report(
          ShapeProblem.unknownElement(child.name, parent: element.name, known: known),
          at: child.spot)
        continue
      }
      check(child, reportingTo: &findings)
    }
  }
}
