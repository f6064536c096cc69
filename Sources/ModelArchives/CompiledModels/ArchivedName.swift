/// The classes of a compiled model's objects (docs/formats/compiled-models.md).
enum ArchivedClass {
  static let model = "NSManagedObjectModel"
  static let entity = "NSEntityDescription"
  /// An inherited property in a subentity.
  static let proxy = "_NSPropertyDescriptionProxy"
  static let attribute = "NSAttributeDescription"
  static let derivedAttribute = "NSDerivedAttributeDescription"
  static let compositeAttribute = "NSCompositeAttributeDescription"
  static let relationship = "NSRelationshipDescription"
  static let fetchedProperty = "NSFetchedPropertyDescription"
  static let fetchIndex = "NSFetchIndexDescription"
  static let fetchIndexElement = "NSFetchIndexElementDescription"
  /// The expression of an index element, which doesn't belong to an entity.
  static let expressionDescription = "NSExpressionDescription"
  static let fetchRequest = "NSFetchRequest"
}

/// The keys of their values.
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
  /// Assumed from the class's property, because no known archive contains a composite.
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
  /// The type of an expression has the same key.
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
  /// Options of comparisons. The options of text operators are in the flags.
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
  /// Assumed from the class's properties, because no known archive contains a ternary expression.
  static let whenTrue = "NSTrueExpression"
  static let whenFalse = "NSFalseExpression"
}

/// Keys that only the writer uses, because a reader knows the values from other keys.
extension ArchivedKey {
  static let model = "NSManagedObjectModel"
  static let subentities = "NSSubentities"
  static let isReadOnly = "NSIsReadOnly"
  /// A copy of a property's flags in one number.
  static let propertyBits = "_P"
  static let fetchIndex = "NSFetchIndexDescription"

  static let hasRequestFlags = "NSHasFetchRequestFlags"
  static let allocationType = "NSAllocationType"

  static let variant = "NSVariant"
  /// Assumed, like the key of a symbol, because no known archive contains one.
  static let position = "NSPosition"
  static let symbol = "NSSymbol"

  // The keys of a dictionary with known keys.
  static let values = "values"
  static let searchMapping = "searchMapping"
  static let emptyToken = "emptyToken"
  static let keys = "keys"
  static let length = "length"
  static let version = "version"
}
