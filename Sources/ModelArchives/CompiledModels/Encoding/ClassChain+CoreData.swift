/// The classes of Core Data and of predicates.
extension ClassChain {
  static let model = ClassChain("NSManagedObjectModel")
  static let entity = ClassChain("NSEntityDescription")
  static let attribute = ClassChain("NSAttributeDescription", "NSPropertyDescription")
  static let derivedAttribute = ClassChain(
    "NSDerivedAttributeDescription", "NSAttributeDescription", "NSPropertyDescription")
  static let compositeAttribute = ClassChain(
    "NSCompositeAttributeDescription", "NSAttributeDescription", "NSPropertyDescription")
  static let relationship = ClassChain("NSRelationshipDescription", "NSPropertyDescription")
  static let fetchedProperty = ClassChain(
    "NSFetchedPropertyDescription", "NSPropertyDescription")
  static let expressionDescription = ClassChain(
    "NSExpressionDescription", "NSPropertyDescription")
  static let fetchIndex = ClassChain("NSFetchIndexDescription")
  static let fetchIndexElement = ClassChain("NSFetchIndexElementDescription")
  static let fetchRequest = ClassChain("NSFetchRequest", "NSPersistentStoreRequest")

  /// The dictionary of the entities in a model that Core Data has loaded.
  static let knownKeys = ClassChain(
    "NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary")
  static let knownKeysMapping = ClassChain(
    "NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy")

  static let compoundPredicate = ClassChain("NSCompoundPredicate", "NSPredicate")
  static let comparisonPredicate = ClassChain("NSComparisonPredicate", "NSPredicate")
  static let truePredicate = ClassChain("NSTruePredicate", "NSPredicate")
  static let falsePredicate = ClassChain("NSFalsePredicate", "NSPredicate")

  static let equalityOperator = ClassChain("NSEqualityPredicateOperator", "NSPredicateOperator")
  static let orderOperator = ClassChain("NSComparisonPredicateOperator", "NSPredicateOperator")
  static let membershipOperator = ClassChain("NSInPredicateOperator", "NSPredicateOperator")
  static let betweenOperator = ClassChain("NSBetweenPredicateOperator", "NSPredicateOperator")
  static let substringOperator = ClassChain(
    "NSSubstringPredicateOperator", "NSStringPredicateOperator", "NSPredicateOperator")
  static let likeOperator = ClassChain(
    "NSLikePredicateOperator", "NSStringPredicateOperator", "NSPredicateOperator")
  static let matchingOperator = ClassChain(
    "NSMatchingPredicateOperator", "NSStringPredicateOperator", "NSPredicateOperator")

  static let constantExpression = ClassChain("NSConstantValueExpression", "NSExpression")
  static let selfExpression = ClassChain("NSSelfExpression", "NSExpression")
  static let variableExpression = ClassChain("NSVariableExpression", "NSExpression")
  static let functionExpression = ClassChain("NSFunctionExpression", "NSExpression")
  static let keyPathExpression = ClassChain(
    "NSKeyPathExpression", "NSFunctionExpression", "NSExpression")
  static let keyPathSpecifier = ClassChain("NSKeyPathSpecifierExpression", "NSExpression")
  static let listExpression = ClassChain("NSAggregateExpression", "NSExpression")
  static let setExpression = ClassChain("NSSetExpression", "NSExpression")
  static let subqueryExpression = ClassChain("NSSubqueryExpression", "NSExpression")
  static let symbolicExpression = ClassChain("NSSymbolicExpression", "NSExpression")
  static let ternaryExpression = ClassChain("NSTernaryExpression", "NSExpression")
}
