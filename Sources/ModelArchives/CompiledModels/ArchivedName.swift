/// The classes of a compiled model's objects (docs/formats/compiled-models.md).
enum ArchivedClass {
  static let model = "NSManagedObjectModel"
  static let entity = "NSEntityDescription"
  /// An inherited property as a sub-entity has it.
  static let proxy = "_NSPropertyDescriptionProxy"
  static let attribute = "NSAttributeDescription"
  static let derivedAttribute = "NSDerivedAttributeDescription"
  static let compositeAttribute = "NSCompositeAttributeDescription"
  static let relationship = "NSRelationshipDescription"
  static let fetchedProperty = "NSFetchedPropertyDescription"
  static let fetchIndex = "NSFetchIndexDescription"
  static let fetchIndexElement = "NSFetchIndexElementDescription"
  /// The expression of an index's element. It belongs to no entity.
  static let expressionDescription = "NSExpressionDescription"
  static let fetchRequest = "NSFetchRequest"
}

/// The names of their values.
enum ArchivedKey {
  // A model's.
  static let entities = "NSEntities"
  static let templates = "NSFetchRequestTemplates"
  static let versionIdentifiers = "NSVersionIdentifiers"
  static let configurations = "NSConfigurations"

  // An entity's.
  static let entityName = "NSEntityName"
  static let className = "NSClassNameForEntity"
  static let isAbstract = "NSIsAbstract"
  static let superentity = "NSSuperentity"
  static let properties = "NSProperties"
  static let compoundIndexes = "NSCompoundIndexes"
  static let fetchIndexes = "NSFetchIndexDescriptions"
  static let uniqueTuples = "NSUniqueTuples"

  // Of entities and properties.
  static let renamingIdentifier = "NSRenamingIdentifier"
  static let versionHashModifier = "NSVersionHashModifier"
  static let userInfo = "NSUserInfo"

  // A property's.
  static let propertyName = "NSPropertyName"
  static let entity = "NSEntity"
  static let isOptional = "NSIsOptional"
  static let isTransient = "NSIsTransient"
  static let isIndexed = "NSIsIndexed"
  static let isIndexedBySpotlight = "NSIndexedBySpotlight"
  static let validationPredicates = "NSValidationPredicates"
  static let validationWarnings = "NSValidationWarnings"

  // An attribute's.
  static let attributeType = "NSAttributeType"
  static let valueClassName = "NSAttributeValueClassName"
  static let defaultValue = "NSDefaultValue"
  static let valueTransformer = "NSValueTransformerName"
  static let flags = "NSFlagsKey"
  static let allowsCloudEncryption = "NSAllowsCloudEncryption"
  static let derivation = "NSDerivationExpression"
  static let filter = "NSFilteringPredicate"
  /// Assumed after the property of the class: no archive with a composite is known.
  static let elements = "NSElements"
  static let compositeName = "NSCompositeName"

  // A relationship's.
  static let destination = "NSDestinationEntity"
  static let destinationName = "_NSDestinationEntityName"
  static let inverse = "NSInverseRelationship"
  static let inverseName = "_NSInverseRelationshipName"
  static let deleteRule = "NSDeleteRule"
  static let minimumCount = "NSMinCount"
  static let maximumCount = "NSMaxCount"
  static let isOrdered = "NSIsOrdered"

  // An index's.
  static let indexName = "NSIndexName"
  static let partialPredicate = "NSPartialIndexPredicate"
  static let indexElements = "NSIndexElements"
  static let indexElementType = "NSFetchIndexElementType"
  static let isAscending = "NSAscending"
  static let indexedProperty = "NSIndexedProperty"
  static let indexedExpression = "NSExpression"
  /// An expression's own type has the same key.
  static let expressionResultType = "NSExpressionType"

  // A request's.
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

  // A predicate's.
  static let compoundType = "NSCompoundPredicateType"
  static let subpredicates = "NSSubpredicates"
  static let left = "NSLeftExpression"
  static let right = "NSRightExpression"
  static let predicateOperator = "NSPredicateOperator"
  static let operatorType = "NSOperatorType"
  static let modifier = "NSModifier"
  /// Options of comparisons; those of operators on texts stand in flags.
  static let options = "NSOptions"
  static let operatorFlags = "NSFlags"
  static let isNegated = "NSNegate"

  // An expression's.
  static let expressionType = "NSExpressionType"
  static let constant = "NSConstantValue"
  static let constantClassName = "NSConstantValueClassName"
  static let variable = "NSVariable"
  static let operand = "NSOperand"
  static let selector = "NSSelectorName"
  static let arguments = "NSArguments"
  static let keyPath = "NSKeyPath"
  static let collection = "NSCollection"
  /// Assumed after the classes' properties: no archive with a ternary expression is known.
  static let whenTrue = "NSTrueExpression"
  static let whenFalse = "NSFalseExpression"
}

/// Values that only the writer has to do with: a reader knows them from others.
extension ArchivedKey {
  static let model = "NSManagedObjectModel"
  static let subentities = "NSSubentities"
  static let isReadOnly = "NSIsReadOnly"
  /// The flags of a property once more, in one number.
  static let propertyBits = "_P"
  static let fetchIndex = "NSFetchIndexDescription"

  static let hasRequestFlags = "NSHasFetchRequestFlags"
  static let allocationType = "NSAllocationType"

  static let variant = "NSVariant"
  /// Assumed, as is a symbol's: no archive with one is known.
  static let position = "NSPosition"
  static let symbol = "NSSymbol"

  // Of a dictionary whose keys are known beforehand.
  static let values = "values"
  static let searchMapping = "searchMapping"
  static let emptyToken = "emptyToken"
  static let keys = "keys"
  static let length = "length"
  static let version = "version"
}
