extension SwiftName {
  /// Names that need backquotes.
  static let keywords: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func", "guard", "if", "import", "in", "inout", "internal", "is", "let", "nil", "operator",
    "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "static",
    "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
    "where", "while",
  ]

  /// Names that no declaration can have, in backquotes or not.
  static let impossible: Set<String> = [
    "Any", "Protocol", "Self", "Type", "init", "self", "_",
  ]

  /// Names of modules: a type of that name would hide what generated code says of the module.
  static let modules: Set<String> = [
    "CoreData", "Foundation", "FoundationEssentials", "StoreDiagnostics", "StoreModel",
    "StorePredicate",
    "Swift", "SwiftData",
  ]

  /// Properties, and methods without parameters, of NSManagedObject and NSObject: Core Data makes no
  /// accessors where there is one already.
  static let membersOfManagedObjects: Set<String> = [
    "autoContentAccessingProxy", "autorelease", "awakeFromFetch", "awakeFromInsert",
    "changedValues", "changedValuesForCurrentEvent", "class", "classForCoder", "copy", "dealloc",
    "debugDescription", "description", "didSave", "didTurnIntoFault", "entity", "faultingState",
    "finalize", "hasChanges", "hasPersistentChangedValues", "hash", "hashValue", "isDeleted",
    "isFault", "isInserted", "isProxy", "isUpdated", "managedObjectContext", "mutableCopy",
    "objectID", "objectWillChange", "observationInfo", "prepareForDeletion", "release", "retain",
    "retainCount", "superclass", "validateForDelete", "validateForInsert", "validateForUpdate",
    "willSave", "willTurnIntoFault", "zone",
  ]

  /// The same of their static members.
  static let staticMembersOfManagedObjects: Set<String> = [
    "alloc", "allocWithZone", "contextShouldIgnoreUnmodeledPropertyChanges", "copy",
    "debugDescription",
    "description", "entity", "fetchRequest", "hash", "initialize", "load", "mutableCopy", "new",
    "superclass", "version",
  ]

  /// What a class has by the macro `@Model`, and names that the macro does not allow.
  static let membersOfPersistentModels: Set<String> = [
    "access", "debugDescription", "description", "hasChanges", "hash", "hashValue", "isDeleted",
    "modelContext", "persistentBackingData", "persistentModelID", "schemaMetadata", "withMutation",
  ]
}
