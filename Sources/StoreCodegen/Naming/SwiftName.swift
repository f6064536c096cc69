/// Swift identifiers for names in a model.
enum SwiftName {
  /// Returns the name if it is a valid identifier. Otherwise, the invalid characters separate words, which are joined
  /// in camel case.
  static func member(_ name: String) -> String {
    isIdentifier(name) ? name : startingWell(joined(name, capitalized: false))
  }

  /// Returns the name of a type. Its first letter is converted to upper case.
  static func type(_ name: String) -> String {
    let words = isIdentifier(name) ? name : joined(name, capitalized: true)
    return startingWell(capitalized(words))
  }

  /// Returns the name of a type that also has a meaning outside of Swift, such as the name of a class in the model. It
  /// is unchanged if it is valid in Swift.
  static func exactType(_ name: String) -> String {
    isIdentifier(name) && !keywords.contains(name) ? name : type(name)
  }

  /// Returns the parameter name for a predicate's variable, such as `bornAfter` for `$BORN_AFTER`. A name with
  /// lower-case letters keeps its case.
  static func variable(_ name: String) -> String {
    guard name == name.uppercased(), name != name.lowercased() else { return member(name) }
    return member(name.lowercased().split(separator: "_").joined(separator: " "))
  }

  static func capitalized(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }

  /// Returns an identifier, in backquotes if it is a keyword.
  static func escaped(_ identifier: String) -> String {
    keywords.contains(identifier) ? "`\(identifier)`" : identifier
  }

  private static func joined(_ name: String, capitalized capitalizesFirst: Bool) -> String {
    let words = name.split { character in
      !character.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
    }
    return words.enumerated().map { index, word in
      index == 0 && !capitalizesFirst ? String(word) : capitalized(String(word))
    }.joined()
  }

  private static func startingWell(_ name: String) -> String {
    isIdentifier(name) ? name : "_" + name
  }

  static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, name != "_" else { return false }
    return (first == "_" || first.properties.isXIDStart)
      && name.unicodeScalars.dropFirst().allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
  }
}

extension SwiftName {
  /// Names that require backquotes.
  static let keywords: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func", "guard", "if", "import", "in", "inout", "internal", "is", "let", "nil", "operator",
    "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "static",
    "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
    "where", "while",
  ]

  /// Names that declarations can't have, even in backquotes.
  static let impossible: Set<String> = [
    "Any", "Protocol", "Self", "Type", "init", "self", "_",
  ]

  /// Names of modules, which a type with that name would hide.
  static let modules: Set<String> = [
    "CoreData", "Foundation", "FoundationEssentials", "StoreDiagnostics", "StoreModel",
    "StorePredicate",
    "Swift", "SwiftData",
  ]

  /// The properties and parameterless methods of NSManagedObject and NSObject. Core Data doesn't create accessors with
  /// these names.
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

  /// The static members of NSManagedObject and NSObject.
  static let staticMembersOfManagedObjects: Set<String> = [
    "alloc", "allocWithZone", "contextShouldIgnoreUnmodeledPropertyChanges", "copy",
    "debugDescription",
    "description", "entity", "fetchRequest", "hash", "initialize", "load", "mutableCopy", "new",
    "superclass", "version",
  ]

  /// The members that the macro `@Model` adds, and names that it doesn't allow.
  static let membersOfPersistentModels: Set<String> = [
    "access", "debugDescription", "description", "hasChanges", "hash", "hashValue", "isDeleted",
    "modelContext", "persistentBackingData", "persistentModelID", "schemaMetadata", "withMutation",
  ]
}
