import StoreModel

/// Which names a style of generated code gives, and which it needs for itself.
struct NamingRules: Sendable {
  /// The type of an entity, where that is not its name with a capital letter.
  var type: (@Sendable (Entity) -> String)?
  /// Names at the top.
  var types: Set<String> = []
  /// What a type of rows and its properties have by the library's protocols and classes.
  var members: Set<String>
  /// The same of its static members.
  var statics: Set<String>
  /// Types that stand inside every generated type, and would be taken for one of that name.
  var nested: Set<String> = []
  /// Composites and enumerations stand inside the types of entities.
  var nestsTypes = false
  /// Functions of templates stand among the static members.
  var templatesAreMembers = false
}

extension NamingRules {
  /// The name of a type that no other type needs.
  func typeName(_ name: String) -> String {
    let type = SwiftName.type(name)
    return nested.contains(type) ? type + "Object" : type
  }

  /// Structures for our own libraries.
  static let types = NamingRules(
    types: ["Templates"],
    members: ["ID", "Properties", "hash", "hashValue", "propertyValues"],
    statics: ["all", "entityName", "entityNames", "propertyNames"],
    nested: ["ID", "Owner", "Properties"], nestsTypes: true)

  /// Classes for Core Data. A class has the name that the model gives it.
  static let managedObjects = NamingRules(
    type: { SwiftName.exactType(ObjectClass(of: $0).name) },
    members: SwiftName.membersOfManagedObjects, statics: SwiftName.staticMembersOfManagedObjects,
    templatesAreMembers: true)

  /// Classes for SwiftData, which calls an entity by the name of its class.
  static let swiftData = NamingRules(
    type: { SwiftName.exactType($0.name) },
    members: SwiftName.membersOfPersistentModels, statics: ["schemaMetadata"],
    templatesAreMembers: true)
}
