import StoreDiagnostics
import StoreModel

/// Something in a definition that does not fit the models.
enum DefinitionMismatch: Hashable {
  case unknownEntity(String, version: String, known: [String])
  case noSource(String, known: [String])
  case abstractTarget(String, source: String)
  case repeated(entity: String, source: String, firstLine: Int?)
  case droppedAndUsed(String, target: String, line: Int?)
  case unknownVariable(String)
  // Properties
  case unknownProperty(String, entity: String, version: String, known: [String])
  case isRelationship(String, entity: String)
  case isAttribute(String, entity: String)
  case transient(String, entity: String)
  case derived(String, entity: String)
  case wrongType(ValueType, String, AttributeType)
  case defaultIsNoConstant(String)
  // Relationships
  case leadsToValues(ValueType, String)
  case manyForOne(String)
  case noWay(String, destination: String, String)
  case noRows(String, String)
  case otherSideTells(String, inverse: String)
  case bothSides(String, inverse: String, line: Int?)

  var diagnostic: Diagnostic {
    switch self {
    case .unknownEntity(let name, let version, let known):
      error("unknown-entity", "'\(version)' has no entity '\(name)'", .notFound)
        .didYouMean(name, among: known, elseListing: "its entities are")
    case .noSource(let name, let known):
      error("no-source", "nothing says which rows become '\(name)'")
        .helping("add source=\"…\", one of: \(Self.list(known))")
    case .abstractTarget(let name, let source):
      error("abstract-entity", "rows of '\(source)' can't become '\(name)', which is abstract")
        .helping("name one of its sub-entities, or drop the rows: <drop entity=\"\(source)\"/>")
    case .repeated(let entity, let source, let line):
      error("repeated-entity", "all these rows of '\(source)' become '\(entity)' twice")
        .helping("\(Self.first(line))remove one, or tell the rows apart with where=\"…\"")
    case .droppedAndUsed(let name, let target, let line):
      error(
        "dropped-and-used", "the rows of '\(name)' are dropped, and '\(target)' is made of them"
      ).helping("\(Self.first(line))remove one of the two, or drop some rows only: where=\"…\"")
    case .unknownVariable(let name):
      error("unknown-variable", "the variable '$\(name)' has no value here")
        .helping("the row's own properties are named as they are; $source is the row itself")
    // Properties
    case .unknownProperty(let name, let entity, let version, let known):
      error("unknown-property", "'\(entity)' of '\(version)' has no '\(name)'", .notFound)
        .didYouMean(name, among: known, elseListing: "it has")
    case .isRelationship(let name, let entity):
      error("wrong-element", "'\(name)' of '\(entity)' is a relationship")
        .helping("write <relationship name=\"\(name)\" path=\"…\"/>")
    case .isAttribute(let name, let entity):
      error("wrong-element", "'\(name)' of '\(entity)' is an attribute")
        .helping("write <attribute name=\"\(name)\" value=\"…\"/>")
    case .transient(let name, let entity):
      error("transient-property", "'\(name)' of '\(entity)' is transient: a store does not have it")
        .helping("remove the line")
    case .derived(let name, let entity):
      error("derived-attribute", "'\(name)' of '\(entity)' is derived: it follows from the row")
        .helping("remove the line")
    case .wrongType(let found, let attribute, let type):
      error("wrong-type", "'\(attribute)' is \(type.name), this is \(found)")
        .helping(Self.conversion(to: type))
    case .defaultIsNoConstant(let attribute):
      error("default-not-constant", "a default is one value for all rows")
        .helping("write value=\"TERNARY(x == nil, …, x)\" for '\(attribute)'")
    // Relationships
    case .leadsToValues(let found, let relationship):
      error("not-an-object", "'\(relationship)' leads to rows, this is \(found)")
        .helping("end the path with a relationship, or match rows: match=\"name == $source.name\"")
    case .manyForOne(let relationship):
      error("many-for-one", "'\(relationship)' leads to one row, this path to many")
        .helping("take one of them: items[FIRST] of an ordered to-many, or match=\"…\"")
    case .noWay(let entity, let destination, let relationship):
      error(
        "no-way", "'\(relationship)' leads to '\(destination)', and no '\(entity)' becomes one"
      ).helping("add <entity name=\"\(destination)\" source=\"\(entity)\"/>, or take another path")
    case .noRows(let destination, let relationship):
      error("no-rows", "'\(relationship)' leads to '\(destination)', which begins without rows")
        .helping("add <entity name=\"\(destination)\" source=\"…\"/>")
    case .otherSideTells(let name, let inverse):
      error("other-side", "'\(name)' is kept by its inverse '\(inverse)', which leads to one row")
        .helping("write the line for '\(inverse)'; this side follows")
    case .bothSides(let name, let inverse, let line):
      error("both-sides", "'\(name)' follows from its inverse '\(inverse)'")
        .helping("\(Self.first(line))remove one of the two")
    }
  }

  private static func conversion(to type: AttributeType) -> String {
    switch type {
    case .string: "write CAST(…, 'NSString')"
    case .integer16, .integer32, .integer64, .double, .float, .boolean:
      "write CAST(…, 'NSNumber')"
    case .decimal: "write CAST(…, 'NSDecimalNumber')"
    case .date: "write CAST(…, 'NSDate') of seconds since 2001"
    case .uuid: "write CAST(…, 'NSUUID')"
    case .binary: "write CAST(…, 'NSData') of base64"
    case .uri: "write CAST(…, 'NSURL')"
    case .undefined, .transformable, .objectID, .composite:
      "give an attribute of the same type, or nil"
    }
  }

  private static func first(_ line: Int?) -> String {
    line.map { "the other is in line \($0); " } ?? ""
  }

  private static func list(_ names: [String]) -> String {
    names.map { "'\($0)'" }.joined(separator: ", ")
  }

  private func error(
    _ code: String, _ message: String, _ cause: Diagnostic.Cause = .invalid
  ) -> Diagnostic {
    Diagnostic(.error, "migration.\(code)", message, cause: cause)
  }
}
