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
    "Foundation", "FoundationEssentials", "StoreDiagnostics", "StoreModel", "StorePredicate",
    "Swift",
  ]

  /// What a type of rows and its properties have by our protocols and by those that they inherit.
  static let membersOfObjects: Set<String> = [
    "ID", "Properties", "hash", "hashValue", "propertyValues",
  ]

  /// Types that stand inside every generated type and would be taken for an entity of that name.
  static let nestedTypes: Set<String> = ["ID", "Owner", "Properties"]

  /// The same of its static members.
  static let staticMembersOfObjects: Set<String> = [
    "all", "entityName", "entityNames", "propertyNames",
  ]
}
