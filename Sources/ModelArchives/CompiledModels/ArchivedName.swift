/// The keys of the values of a compiled model's objects (docs/formats/compiled-models.md).
enum ArchivedKey {
  // The keys of a model.
  static let entities = "NSEntities"
  static let templates = "NSFetchRequestTemplates"
  static let versionIdentifiers = "NSVersionIdentifiers"
  static let configurations = "NSConfigurations"

  // The keys of an entity.
  static let entityName = "NSEntityName"
  static let className = "NSClassNameForEntity"
  static let isAbstract = "NSIsAbstract"
  static let superentity = "NSSuperentity"
  static let properties = "NSProperties"
  static let compoundIndexes = "NSCompoundIndexes"
  static let fetchIndexes = "NSFetchIndexDescriptions"
  static let uniqueTuples = "NSUniqueTuples"

  // The keys of entities and properties.
  static let renamingIdentifier = "NSRenamingIdentifier"
  static let versionHashModifier = "NSVersionHashModifier"
  static let userInfo = "NSUserInfo"

  // The keys of a property.
  static let propertyName = "NSPropertyName"
  static let entity = "NSEntity"
  static let isOptional = "NSIsOptional"
  static let isTransient = "NSIsTransient"
  static let isIndexed = "NSIsIndexed"
  static let isIndexedBySpotlight = "NSIndexedBySpotlight"
  static let validationPredicates = "NSValidationPredicates"
  static let validationWarnings = "NSValidationWarnings"

  // The keys of an attribute.
  static let attributeType = "NSAttributeType"
  static let valueClassName = "NSAttributeValueClassName"
  static let defaultValue = "NSDefaultValue"
  static let valueTransformer = "NSValueTransformerName"
  static let flags = "NSFlagsKey"
  static let allowsCloudEncryption = "NSAllowsCloudEncryption"
  static let derivation = "NSDerivationExpression"
  static let filter = "NSFilteringPredicate"
  /// The key is assumed from the name of a property of the class, because no known archive contains a composite.
  static let elements = "NSElements"
  static let compositeName = "NSCompositeName"

  // The keys of a relationship.
  static let destination = "NSDestinationEntity"
  static let destinationName = "_NSDestinationEntityName"
  static let inverse = "NSInverseRelationship"
  static let inverseName = "_NSInverseRelationshipName"
  static let deleteRule = "NSDeleteRule"
  static let minimumCount = "NSMinCount"
  static let maximumCount = "NSMaxCount"
  static let isOrdered = "NSIsOrdered"

  // The keys of an index.
  static let indexName = "NSIndexName"
  static let partialPredicate = "NSPartialIndexPredicate"
  static let indexElements = "NSIndexElements"
  static let indexElementType = "NSFetchIndexElementType"
  static let isAscending = "NSAscending"
  static let indexedProperty = "NSIndexedProperty"
  static let indexedExpression = "NSExpression"
  /// The type of the expression's result. `expressionType` has the same key in an object of another class.
  static let expressionResultType = "NSExpressionType"

  // The keys of a fetch request.
  static let fetchRequest = "NSFetchRequest"
  static let fetchRequestEntityName = "_NSFetchRequestEntityName"
  static let predicate = "NSPredicate"
  static let fetchLimit = "NSFetchLimit"
  static let fetchOffset = "NSFetchOffset"
  static let batchSize = "NSBatchSize"
  static let resultType = "NSResultType"
  static let fetchRequestFlags = "NSFetchRequestFlags"
  static let sortDescriptors = "NSSortDescriptors"
  static let valuesToFetch = "NSValuesToFetch"
  static let valuesToGroupBy = "NSValuesToGroupBy"
  static let havingPredicate = "NSHavingPredicate"
  static let prefetching = "NSRelationshipKeyPathsForPrefetching"

  // The keys of a predicate.
  static let compoundType = "NSCompoundPredicateType"
  static let subpredicates = "NSSubpredicates"
  static let left = "NSLeftExpression"
  static let right = "NSRightExpression"
  static let predicateOperator = "NSPredicateOperator"
  static let operatorType = "NSOperatorType"
  static let modifier = "NSModifier"
  /// The options of comparisons such as `==` and `<`. The options of text operators such as `LIKE` are in
  /// `operatorFlags`.
  static let options = "NSOptions"
  static let operatorFlags = "NSFlags"
  static let isNegated = "NSNegate"

  // The keys of an expression.
  static let expressionType = "NSExpressionType"
  static let constant = "NSConstantValue"
  static let constantClassName = "NSConstantValueClassName"
  static let variable = "NSVariable"
  static let operand = "NSOperand"
  static let selector = "NSSelectorName"
  static let arguments = "NSArguments"
  static let keyPath = "NSKeyPath"
  static let collection = "NSCollection"
  /// This key and the next one are assumed from the names of properties of the class, because no known archive contains
  /// a ternary expression.
  static let whenTrue = "NSTrueExpression"
  static let whenFalse = "NSFalseExpression"
}

/// Keys that the encoder writes. The decoder doesn't use most of them, because it derives their values from other keys.
extension ArchivedKey {
  static let model = "NSManagedObjectModel"
  static let subentities = "NSSubentities"
  static let isReadOnly = "NSIsReadOnly"
  /// A number whose bits repeat the flags of a property.
  static let propertyBits = "_P"
  static let fetchIndex = "NSFetchIndexDescription"

  static let hasRequestFlags = "NSHasFetchRequestFlags"
  static let allocationType = "NSAllocationType"

  static let variant = "NSVariant"
  /// This key and `symbol` are assumed, because no known archive contains them.
  static let position = "NSPosition"
  static let symbol = "NSSymbol"

  // The keys of an `NSKnownKeysDictionary`.
  static let values = "values"
  static let searchMapping = "searchMapping"
  static let emptyToken = "emptyToken"
  static let keys = "keys"
  static let length = "length"
  static let version = "version"
}
