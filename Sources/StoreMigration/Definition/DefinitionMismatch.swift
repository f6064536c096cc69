import StoreDiagnostics
import StoreModel

/// A mismatch between a definition and the two models.
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

  var diagnostic: DiagnosticMessage {
    switch self {
    case .unknownEntity(let name, let version, let known):
      error("unknown-entity", "'\(version)' has no entity '\(name)'", .notFound)
        .didYouMean(name, among: known, elseListing: "its entities are")
    case .noSource(let name, let known):
      error("no-source", "the source of '\(name)' is unknown")
        .helping("add source=\"…\", one of: \(Self.list(known))")
    case .abstractTarget(let name, let source):
      error("abstract-entity", "rows of '\(source)' can't become '\(name)', which is abstract")
        .helping("specify one of its subentities, or drop the rows: <drop entity=\"\(source)\"/>")
    case .repeated(let entity, let source, let line):
      error(
        "repeated-entity",
        "duplicate element: the same rows of '\(source)' become '\(entity)' twice"
      )
      .helping("\(Self.first(line))remove one, or select different rows with where=\"…\"")
    case .droppedAndUsed(let name, let target, let line):
      error(
        "dropped-and-used", "the rows of '\(name)' are dropped, but also become '\(target)'"
      ).helping("\(Self.first(line))remove one of the two, or drop only some rows with where=\"…\"")
    case .unknownVariable(let name):
      error("unknown-variable", "the variable '$\(name)' has no value here")
        .helping("write the names of the row's properties without '$'; $source is the row itself")
    // Properties
    case .unknownProperty(let name, let entity, let version, let known):
      error("unknown-property", "'\(entity)' of '\(version)' has no property '\(name)'", .notFound)
        .didYouMean(name, among: known, elseListing: "it has")
    case .isRelationship(let name, let entity):
      error("wrong-element", "'\(name)' of '\(entity)' is a relationship")
        .helping("write <relationship name=\"\(name)\" path=\"…\"/>")
    case .isAttribute(let name, let entity):
      error("wrong-element", "'\(name)' of '\(entity)' is an attribute")
        .helping("write <attribute name=\"\(name)\" value=\"…\"/>")
    case .transient(let name, let entity):
      error(
        "transient-property", "'\(name)' of '\(entity)' is transient, so stores don't contain it"
      )
      .helping("remove the element")
    case .derived(let name, let entity):
      error("derived-attribute", "'\(name)' of '\(entity)' is derived, so its value can't be set")
        .helping("remove the element")
    case .wrongType(let found, let attribute, let type):
      error(
        "wrong-type",
        "'\(attribute)' is of type \(type.name), but this expression is of type \(found)"
      )
      .helping(Self.conversion(to: type))
    case .defaultIsNoConstant(let attribute):
      error("default-not-constant", "a default must be a constant")
        .helping("for a value per row, write value=\"TERNARY(x == nil, …, x)\" for '\(attribute)'")
    // Relationships
    case .leadsToValues(let found, let relationship):
      error(
        "not-an-object", "'\(relationship)' refers to rows, but this expression is of type \(found)"
      )
      .helping("end the path with a relationship, or match rows: match=\"name == $source.name\"")
    case .manyForOne(let relationship):
      error("many-for-one", "'\(relationship)' refers to one row, but this path refers to many")
        .helping(
          "select one of them with items[FIRST] (ordered to-many relationships only) or match=\"…\""
        )
    case .noWay(let entity, let destination, let relationship):
      error(
        "no-way", "'\(relationship)' refers to '\(destination)', but '\(entity)' isn't mapped to it"
      ).helping("add <entity name=\"\(destination)\" source=\"\(entity)\"/>, or use another path")
    case .noRows(let destination, let relationship):
      error(
        "no-rows",
        "'\(relationship)' refers to '\(destination)', which has no rows after the migration"
      )
      .helping("add <entity name=\"\(destination)\" source=\"…\"/>")
    case .otherSideTells(let name, let inverse):
      error("other-side", "'\(name)' is stored in its inverse '\(inverse)', which is to-one")
        .helping("write the element for '\(inverse)' instead")
    case .bothSides(let name, let inverse, let line):
      error("both-sides", "'\(name)' is already defined by its inverse '\(inverse)'")
        .helping("\(Self.first(line))remove one of the two")
    }
  }

  private static func conversion(to type: AttributeType) -> String {
    switch type {
    case .string: "write CAST(…, 'NSString')"
    case .integer16, .integer32, .integer64, .double, .float, .boolean:
      "write CAST(…, 'NSNumber')"
    case .decimal: "write CAST(…, 'NSDecimalNumber')"
    case .date: "write CAST(…, 'NSDate') with seconds since 2001-01-01"
    case .uuid: "write CAST(…, 'NSUUID')"
    case .binary: "write CAST(…, 'NSData') with base64 text"
    case .uri: "write CAST(…, 'NSURL')"
    case .undefined, .transformable, .objectID, .composite:
      "use an attribute of the same type, or nil"
    }
  }

  private static func first(_ line: Int?) -> String {
    line.map { "the other one is on line \($0); " } ?? ""
  }

  private static func list(_ names: [String]) -> String {
    names.map { "'\($0)'" }.joined(separator: ", ")
  }

  private func error(
    _ code: String, _ message: String, _ cause: DiagnosticMessage.Cause = .invalid
  ) -> DiagnosticMessage {
    .error("migration.\(code)", message, cause: cause)
  }
}
