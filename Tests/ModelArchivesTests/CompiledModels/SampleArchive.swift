import TestSupport

/// A small compiled model, made object by object as a compiler makes it; tests alter it.
struct SampleArchive {
  typealias Part = ArchiveBuilder.Part
  typealias Values = [(String, Part)]

  var builder = ArchiveBuilder()
  /// The place of each entity.
  private(set) var entities: [String: Int] = [:]
  private var order: [String] = []
  /// Values of the model that are added or that replace its default values.
  var modelValues: Values = []
  private var entityValues: [String: Values] = [:]
  private var properties: [String: Values] = [:]

  mutating func addEntity(_ name: String, parent: String? = nil, _ values: Values = []) {
    entities[name] = builder.reserve()
    order.append(name)
    properties[name] = []
    let inherited: Values = parent.map { [("NSSuperentity", reference($0))] } ?? []
    entityValues[name] = inherited + values
  }

  func reference(_ entity: String) -> Part { .reference(entities[entity] ?? 0) }

  mutating func setEntityValue(_ entity: String, _ key: String, _ value: Part) {
    entityValues[entity]?.append((key, value))
  }

  mutating func addProperty(_ entity: String, _ name: String, _ part: Part) {
    properties[entity]?.append((name, part))
  }

  @discardableResult
  mutating func addAttribute(
    _ entity: String, _ name: String, type: Int64 = 700, _ values: Values = [],
    className: String = "NSAttributeDescription"
  ) -> Part {
    let part = builder.object(
      className,
      [
        ("NSPropertyName", builder.text(name)), ("NSAttributeType", .integer(type)),
        ("NSEntity", reference(entity)), ("NSRenamingIdentifier", builder.text(name)),
      ] + values)
    addProperty(entity, name, part)
    return part
  }

  mutating func addRelationship(
    _ entity: String, _ name: String, to destination: String, inverse: String? = nil,
    maximum: Int64 = 1, _ values: Values = []
  ) {
    var all: Values = [
      ("NSPropertyName", builder.text(name)),
      ("_NSDestinationEntityName", builder.text(destination)),
      ("NSDestinationEntity", reference(destination)), ("NSDeleteRule", .integer(1)),
      ("NSMaxCount", .integer(maximum)), ("NSMinCount", .integer(0)),
      ("NSRenamingIdentifier", builder.text(name)),
    ]
    if let inverse { all.append(("_NSInverseRelationshipName", builder.text(inverse))) }
    addProperty(entity, name, builder.object("NSRelationshipDescription", all + values))
  }

  /// A person with a dog.
  static var pets: SampleArchive {
    var archive = SampleArchive()
    archive.addEntity("Person")
    archive.addEntity("Dog")
    archive.addAttribute("Person", "name")
    archive.addRelationship("Person", "dogs", to: "Dog", inverse: "owner", maximum: 0)
    archive.addAttribute("Dog", "age", type: 100, [("NSDefaultValue", .integer(1))])
    archive.addRelationship("Dog", "owner", to: "Person", inverse: "dogs")
    return archive
  }

  // MARK: Expressions

  mutating func constant(_ value: Part) -> Part {
    builder.object(
      "NSConstantValueExpression", [("NSExpressionType", .integer(0)), ("NSConstantValue", value)])
  }

  mutating func itself() -> Part {
    builder.object("NSSelfExpression", [("NSExpressionType", .integer(1))])
  }

  mutating func variable(_ name: String) -> Part {
    builder.object(
      "NSVariableExpression",
      [("NSExpressionType", .integer(2)), ("NSVariable", builder.text(name))])
  }

  mutating func keyPath(_ path: String) -> Part {
    let specifier = builder.object(
      "NSKeyPathSpecifierExpression",
      [("NSExpressionType", .integer(10)), ("NSKeyPath", builder.text(path))])
    return builder.object(
      "NSKeyPathExpression",
      [
        ("NSExpressionType", .integer(3)), ("NSOperand", itself()),
        ("NSSelectorName", builder.text("valueForKeyPath:")),
        ("NSArguments", builder.list([specifier])),
      ])
  }

  /// One or zero.
  mutating func ternary(_ condition: Part) -> Part {
    let (one, zero) = (constant(.integer(1)), constant(.integer(0)))
    return builder.object(
      "NSTernaryExpression",
      [
        ("NSExpressionType", .integer(20)), ("NSPredicate", condition),
        ("NSTrueExpression", one), ("NSFalseExpression", zero),
      ])
  }

  mutating func comparison(
    _ left: Part, _ code: Int64, _ right: Part, _ values: Values = []
  ) -> Part {
    let operation = builder.object(
      "NSPredicateOperator", [("NSOperatorType", .integer(code))] + values)
    return builder.object(
      "NSComparisonPredicate",
      [
        ("NSLeftExpression", left), ("NSRightExpression", right),
        ("NSPredicateOperator", operation),
      ])
  }

  mutating func compound(_ code: Int64, _ members: [Part]) -> Part {
    builder.object(
      "NSCompoundPredicate",
      [("NSCompoundPredicateType", .integer(code)), ("NSSubpredicates", builder.list(members))])
  }

  // MARK: The archive

  mutating func bytes() -> [UInt8] {
    var entries: Values = []
    for name in order {
      let map = builder.map(properties[name] ?? [])
      let values: Values =
        [("NSEntityName", builder.text(name)), ("NSProperties", map)] + (entityValues[name] ?? [])
      entries.append((name, builder.object("NSEntityDescription", values, at: entities[name])))
    }
    let identifiers = builder.list([builder.text("v1")], "NSSet")
    let root = builder.object(
      "NSManagedObjectModel",
      [("NSEntities", builder.map(entries)), ("NSVersionIdentifiers", identifiers)] + modelValues)
    return builder.bytes(root: root)
  }
}
