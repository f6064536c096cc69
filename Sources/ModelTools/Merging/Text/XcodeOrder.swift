import StoreModel

/// The order in which Xcode writes attributes and elements (docs/formats/model-xml.md, "As Xcode writes it").
enum XcodeOrder {
  /// Returns the rank of an attribute in its element. Unknown attributes are last.
  static func rank(ofAttribute name: String, in element: String) -> Int {
    attributes[element]?.firstIndex(of: name) ?? Int.max
  }

  /// Returns the rank of an element among its siblings. Unknown elements are last.
  static func rank(ofElement name: String) -> Int {
    children.firstIndex(of: name) ?? Int.max
  }

  /// Returns whether Xcode sorts sibling elements with this XML name, such as `entity`, by their `name` or `key`.
  static func isSorted(_ element: String) -> Bool { sorted.contains(element) }

  private static let sorted: Set = [
    "entity", "attribute", "relationship", "fetchedProperty", "fetchRequest", "entry",
  ]

  /// All child elements in Xcode's order. Each parent can contain some of them.
  private static let children = [
    "entity", "fetchRequest", "configuration", "composite", "elements", "attribute",
    "relationship", "fetchedProperty", "compoundIndexes", "fetchIndex", "uniquenessConstraints",
    "userInfo",
  ]

  /// The attributes in Xcode's order, by the name of the element.
  static let attributes: [String: [String]] = [
    "model": [
      "name", "type", "documentVersion", "lastSavedToolsVersion", "systemVersion",
      "minimumToolsVersion", "macOSVersion", "iOSVersion", "sourceLanguage", "usedWithCloudKit",
      "usedWithSwiftData", "userDefinedModelVersionIdentifier",
    ],
    "entity": [
      "name", "representedClassName", "isAbstract", "parentEntity", "elementID",
      "versionHashModifier", "syncable", "codeGenerationType",
    ],
    "attribute": [
      "name", "optional", "transient", "attributeType", "minDateTimeInterval", "minValueString",
      "maxDateTimeInterval", "maxValueString", "defaultDateTimeInterval", "defaultValueString",
      "regularExpressionString", "valueTransformerName", "customClassName", "composite",
      "allowsCloudEncryption", "allowsExternalBinaryDataStorage", "derived",
      "derivationExpression", "usesScalarValueType", "preserveAfterDeletion", "indexed",
      "spotlightIndexingEnabled", "elementID", "versionHashModifier", "storedInTruthFile",
      "syncable",
    ],
    "relationship": [
      "name", "optional", "transient", "toMany", "minCount", "maxCount", "deletionRule", "ordered",
      "destinationEntity", "inverseName", "inverseEntity", "indexed", "spotlightIndexingEnabled",
      "elementID", "versionHashModifier", "storedInTruthFile", "syncable",
    ],
    "fetchedProperty": [
      "name", "optional", "transient", "elementID", "versionHashModifier", "syncable",
    ],
    "fetchRequest": [
      "name", "entity", "predicateString", "fetchLimit", "fetchBatchSize", "includeSubentities",
      "includePropertyValues", "returnObjectsAsFaults", "returnDistinctResults",
      "includesPendingChanges", "resultType",
    ],
    "fetchIndex": ["name", "partialIndexPredicate"],
    "fetchIndexElement": ["property", "expression", "expressionType", "type", "order"],
    "entry": ["key", "value"],
    "element": ["name", "positionX", "positionY", "width", "height"],
  ]
}
