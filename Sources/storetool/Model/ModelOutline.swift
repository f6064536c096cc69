import RecordFormats
import StoreDiagnostics
import StoreModel
import StorePredicate

/// A model as lines that Git can compare, one for each element and each entry of user info. Editing one line doesn't
/// change the order of the others.
struct ModelOutline {
  private(set) var lines: [String] = []

  init(of model: DataModel) {
    let identifiers = model.versionIdentifiers.filter { !$0.isEmpty }.sorted()
    if !identifiers.isEmpty { add("identifiers \(identifiers.joined(separator: ", "))", 0) }
    for entity in model.entities { add(entity) }
    for composite in model.composites.sorted(by: { $0.name < $1.name }) {
      add("composite \(composite.name)", 0)
      for attribute in composite.attributes { add(attribute) }
    }
    for configuration in model.configurations.sorted(by: { $0.name < $1.name }) {
      add("configuration \(configuration.name)", 0)
      for name in configuration.entities.sorted() { add("entity \(name)", 1) }
    }
    for template in model.templates {
      add("template \(template.name): \(Self.words(of: template))", 0)
    }
  }

  var text: String { lines.map { $0 + "\n" }.joined() }

  private mutating func add(_ line: String, _ depth: Int) {
    let shown = ControlCharacters.escaped(in: line)
    lines.append(String(repeating: "  ", count: depth) + shown)
  }

  /// Adds a line. The elements of `facts` that aren't nil follow after a colon.
  private mutating func add(_ line: String, _ facts: [String?], _ depth: Int) {
    let facts = facts.compactMap(\.self)
    add(facts.isEmpty ? line : "\(line): \(facts.joined(separator: ", "))", depth)
  }

  private mutating func add(_ entity: EntityDescription) {
    add(
      "entity \(entity.name)",
      [
        entity.parent.map { "parent \($0)" }, entity.isAbstract ? "abstract" : nil,
        entity.className.map { "class \($0)" },
        entity.codeGeneration.map { "code generation \($0)" },
        entity.renamingIdentifier.map { "elementID \($0)" },
        entity.versionHashModifier.map { "hash modifier \($0)" },
      ], 0)
    add(entity.userInfo, 1)
    for attribute in entity.attributes { add(attribute) }
    for relationship in entity.relationships { add(relationship) }
    for fetched in entity.fetchedProperties {
      add("fetched \(fetched.name): \(Self.words(of: fetched.request))", 1)
      add(fetched.userInfo, 2)
    }
    let constraints = entity.uniquenessConstraints.map { $0.joined(separator: ", ") }
    for constraint in constraints.sorted() { add("unique \(constraint)", 1) }
    for index in entity.indexes.map(Self.words).sorted() { add("index \(index)", 1) }
  }

  private mutating func add(_ attribute: AttributeDescription) {
    let validation = attribute.validation
    add(
      "attribute \(attribute.name)",
      [
        attribute.type.description, attribute.isOptional ? "optional" : "required",
        attribute.derivation.map { "derived from \($0.format)" },
        attribute.defaultValue.map { "default \($0.outlined)" },
        validation.minimum.map { "minimum \($0.outlined)" },
        validation.maximum.map { "maximum \($0.outlined)" },
        validation.pattern.map { "pattern \($0)" },
      ] + attribute.flags + [
        attribute.valueTransformer.map { "transformer \($0)" },
        attribute.customClassName.map { "class \($0)" },
        attribute.renamingIdentifier.map { "elementID \($0)" },
        attribute.versionHashModifier.map { "hash modifier \($0)" },
      ], 1)
    add(attribute.userInfo, 2)
  }

  private mutating func add(_ relationship: RelationshipDescription) {
    add(
      "relationship \(relationship.name)",
      [
        "\(relationship.cardinality.name) \(relationship.destination)",
        relationship.inverse.map { "inverse \($0)" },
        relationship.isOptional ? "optional" : "required",
        relationship.minimumCount.map { "at least \($0)" },
        // A to-one relationship always has at most one destination.
        relationship.isToMany ? relationship.maximumCount.map { "at most \($0)" } : nil,
        "on delete \(relationship.deleteRule.rawValue)",
        relationship.isTransient ? "transient" : nil, relationship.isIndexed ? "indexed" : nil,
        relationship.renamingIdentifier.map { "elementID \($0)" },
        relationship.versionHashModifier.map { "hash modifier \($0)" },
      ], 1)
    add(relationship.userInfo, 2)
  }

  private mutating func add(_ userInfo: [String: String], _ depth: Int) {
    for (key, value) in userInfo.sorted(by: { $0.key < $1.key }) {
      add("user info \(key) = \(value)", depth)
    }
  }

  private static func words(of index: FetchIndex) -> String {
    let elements = index.elements.map(\.description).joined(separator: ", ")
    let condition = index.partialPredicate.map { " where \($0)" } ?? ""
    let origin = index.origin == .compoundIndex ? " (compound)" : ""
    return "\(index.name.isEmpty ? "" : "\(index.name): ")\(elements)\(condition)\(origin)"
  }

  /// Returns the text of a request, such as `Item where done == NO, limit 5`. Settings that have their default values
  /// are omitted.
  private static func words(of request: FetchRequestTemplate) -> String {
    let usual = FetchRequestTemplate(name: "", entity: "")
    let settings: [String?] = [
      request.limit == usual.limit ? nil : "limit \(request.limit)",
      request.batchSize == usual.batchSize ? nil : "batch size \(request.batchSize)",
      request.includesSubentities == usual.includesSubentities ? nil : "no subentities",
      request.includesPropertyValues == usual.includesPropertyValues ? nil : "no property values",
      request.returnsObjectsAsFaults == usual.returnsObjectsAsFaults ? nil : "no faults",
      request.returnsDistinctResults == usual.returnsDistinctResults ? nil : "distinct",
      request.includesPendingChanges == usual.includesPendingChanges ? nil : "no pending changes",
      request.resultType == usual.resultType ? nil : "\(request.resultType)",
    ]
    let condition = request.predicateText.map { " where \($0.text)" } ?? ""
    return ([request.entity + condition] + settings.compactMap(\.self)).joined(separator: ", ")
  }
}

extension DataValue {
  /// The value as text. Strings are in quotes, so that an empty string is visible.
  fileprivate var outlined: String {
    if case .string(let text) = self { "\"\(text)\"" } else { facts.flatText }
  }
}
