import KeyedArchives

/// Core Data's own classes, and those of predicates.
extension ArchivedClass {
  static let model = ArchivedClass("NSManagedObjectModel")
  static let entity = ArchivedClass("NSEntityDescription")
  static let attribute = ArchivedClass("NSAttributeDescription", "NSPropertyDescription")
  static let derivedAttribute = ArchivedClass(
    "NSDerivedAttributeDescription", "NSAttributeDescription", "NSPropertyDescription")
  static let compositeAttribute = ArchivedClass(
    "NSCompositeAttributeDescription", "NSAttributeDescription", "NSPropertyDescription")
  static let relationship = ArchivedClass("NSRelationshipDescription", "NSPropertyDescription")
  static let fetchedProperty = ArchivedClass(
    "NSFetchedPropertyDescription", "NSPropertyDescription")
  static let expressionDescription = ArchivedClass(
    "NSExpressionDescription", "NSPropertyDescription")
  static let fetchIndex = ArchivedClass("NSFetchIndexDescription")
  static let fetchIndexElement = ArchivedClass("NSFetchIndexElementDescription")
  static let fetchRequest = ArchivedClass("NSFetchRequest", "NSPersistentStoreRequest")

  /// A dictionary whose keys are known beforehand: the entities of a model that is in use.
  static let knownKeys = ArchivedClass(
    "NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary")
  static let knownKeysMapping = ArchivedClass(
    "NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy")
}

extension ArchivedClass {
  static let compoundPredicate = ArchivedClass("NSCompoundPredicate", "NSPredicate")
  static let comparisonPredicate = ArchivedClass("NSComparisonPredicate", "NSPredicate")
  static let truePredicate = ArchivedClass("NSTruePredicate", "NSPredicate")
  static let falsePredicate = ArchivedClass("NSFalsePredicate", "NSPredicate")

  static let equalityOperator = ArchivedClass("NSEqualityPredicateOperator", "NSPredicateOperator")
  static let orderOperator = ArchivedClass("NSComparisonPredicateOperator", "NSPredicateOperator")
  static let membershipOperator = ArchivedClass("NSInPredicateOperator", "NSPredicateOperator")
  static let betweenOperator = ArchivedClass("NSBetweenPredicateOperator", "NSPredicateOperator")
  static let substringOperator = ArchivedClass(
    "NSSubstringPredicateOperator", "NSStringPredicateOperator", "NSPredicateOperator")
  static let likeOperator = ArchivedClass(
    "NSLikePredicateOperator", "NSStringPredicateOperator", "NSPredicateOperator")
  static let matchingOperator = ArchivedClass(
    "NSMatchingPredicateOperator", "NSStringPredicateOperator", "NSPredicateOperator")

  static let constantExpression = ArchivedClass("NSConstantValueExpression", "NSExpression")
  static let selfExpression = ArchivedClass("NSSelfExpression", "NSExpression")
  static let variableExpression = ArchivedClass("NSVariableExpression", "NSExpression")
  static let functionExpression = ArchivedClass("NSFunctionExpression", "NSExpression")
  static let keyPathExpression = ArchivedClass(
    "NSKeyPathExpression", "NSFunctionExpression", "NSExpression")
  static let keyPathSpecifier = ArchivedClass("NSKeyPathSpecifierExpression", "NSExpression")
  static let listExpression = ArchivedClass("NSAggregateExpression", "NSExpression")
  static let setExpression = ArchivedClass("NSSetExpression", "NSExpression")
  static let subqueryExpression = ArchivedClass("NSSubqueryExpression", "NSExpression")
  static let symbolicExpression = ArchivedClass("NSSymbolicExpression", "NSExpression")
  static let ternaryExpression = ArchivedClass("NSTernaryExpression", "NSExpression")
}
