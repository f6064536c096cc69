extension XMLVocabulary {
  /// The elements of model XML with the attributes and children that any version of Xcode has
  /// written.
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
