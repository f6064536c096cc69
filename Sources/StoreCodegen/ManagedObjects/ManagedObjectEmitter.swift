import StoreDiagnostics
import StoreModel

extension SchemaSource {
  /// Returns the Core Data classes of the current version. Other versions have no classes, because a program has only
  /// one class for each entity.
  func managedObjects() -> GeneratedSource {
    guard let current else { return GeneratedSource(text: "", findings: []) }
    var emitter = ManagedObjectEmitter(
      current.model, ModelNames(of: current.model, schema: modelName, by: .managedObjects), access)
    var body = SwiftWriter()
    emitter.emit(into: &body)
    var out = SwiftWriter()
    writeHead(into: &out, hasUnderscores: emitter.types.hidden.contains { $0.contains("_") })
    // The module CoreData also exports Foundation. The import has the access level only if a class is generated.
    let isShown = current.model.entities.contains { emitter.classes.owner(of: $0.name) != nil }
    out.line("\(isShown ? access.prefix : "")import CoreData")
    out.gap()
    return GeneratedSource(text: out.text + body.text, findings: emitter.findings)
  }
}

/// Writes the subclasses of `NSManagedObject` for a version.
struct ManagedObjectEmitter {
  let model: DataModel
  let names: ModelNames
  let types: TypeNames
  let classes: ObjectClasses
  /// The prefix of declarations for the access level, such as `public `.
  let open: String
  private(set) var findings: [VersionFinding] = []

  init(_ model: DataModel, _ names: ModelNames, _ access: AccessLevel) {
    self.model = model
    self.names = names
    types = TypeNames(hidden: names.all, library: "CoreData", foundation: "Foundation")
    classes = ObjectClasses(of: model)
    open = access.prefix
  }

  mutating func emit(into out: inout SwiftWriter) {
    for entity in model.entities {
      guard classes.owner(of: entity.name) == entity.name else {
        out.gap()
        out.comment(remark(for: entity), mark: "//")
        continue
      }
      emitClass(of: entity, into: &out)
      emitProperties(of: entity, into: &out)
      emitAccessors(of: entity, into: &out)
      emitIdentity(of: entity, into: &out)
    }
    for template in model.templates where classes.owner(of: template.entity) == nil {
      report(
        """
        no function for the fetch-request template '\(template.name)': '\(template.entity)' has the \
        class \(ObjectClass.base)
        """, at: .template(template.name), code: "generate.template")
    }
  }

  mutating func report(
    _ message: String, at part: ModelPart, code: String = "generate.managed-objects",
    helping help: DiagnosticRemedy? = nil
  ) {
    report(DiagnosticMessage(.warning, code, message, help: help.map { [$0] } ?? []), at: part)
  }

  mutating func report(_ finding: DiagnosticMessage, at part: ModelPart) {
    findings.append(VersionFinding(version: model.name, part: part, diagnostic: finding))
  }

  /// Returns the type of an entity's objects.
  func type(of entity: String) -> String {
    classes.owner(of: entity).map(names.type(of:)) ?? types.library(ObjectClass.base)
  }

  // MARK: Classes

  private mutating func remark(for entity: EntityDescription) -> String {
    guard let owner = classes.owner(of: entity.name) else {
      return "Objects of '\(entity.name)' are of the class \(ObjectClass.base)."
    }
    if !(entity.attributes.isEmpty && entity.relationships.isEmpty) {
      report(
        "'\(entity.name)' has the class of '\(owner)', which doesn't have its properties",
        at: .entity(entity.name), helping: "specify a separate class in the model")
    }
    return "Objects of '\(entity.name)' are of the class of '\(owner)'."
  }

  private mutating func emitClass(of entity: EntityDescription, into out: inout SwiftWriter) {
    let name = names.type(of: entity.name)
    let objectClass = ObjectClass(of: entity)
    reportName(name, of: objectClass, entity)
    out.gap()
    // For `category`, the program declares the class itself, and only its extensions are generated.
    guard entity.codeGeneration != "category" else { return }
    if let comment = entity.userInfo.comment { out.comment(comment) }
    let parent = classes.parent(of: entity).map(names.type(of:)) ?? types.library(ObjectClass.base)
    if objectClass.source != .module {
      let objectiveC = SwiftName.isIdentifier(objectClass.name) ? objectClass.name : name
      out.line("@objc(\(objectiveC))")
    }
    out.line("\(open)class \(name): \(parent) {}")
  }

  private mutating func reportName(
    _ name: String, of objectClass: ObjectClass, _ entity: EntityDescription
  ) {
    let part = ModelPart.entity(entity.name)
    let isNameable = SwiftName.isIdentifier(objectClass.name)
    switch objectClass.source {
    case .assumed:
      report(
        """
        the model doesn't specify a class for '\(entity.name)', so its objects are plain \
        \(ObjectClass.base)s until it specifies '\(isNameable ? objectClass.name : name)'
        """,
        at: part, helping: "write representedClassName=\"\(isNameable ? objectClass.name : name)\"")
    case .plain where !isNameable, .module where name != objectClass.name:
      report(
        "a Swift class can't have the name '\(objectClass.name)', so it is written as '\(name)'",
        at: part, helping: "write representedClassName=\"\(name)\"")
    case .plain, .module, .none: break
    }
  }
}

/// The entities for which a class is generated. Several entities can share a class.
struct ObjectClasses: Hashable, Sendable {
  /// The name of the entity for which an entity's class is generated, by the entity's name. The two names differ only
  /// if entities share a class.
  private let owners: [String: String]
  private let model: DataModel

  init(of model: DataModel) {
    self.model = model
    var owners: [String: String] = [:]
    var declared: [String: String] = [:]
    // Parents precede their children, so that a shared class is generated for the parent.
    let roots = model.entities.filter { $0.parent == nil }
    for entity in roots.flatMap(model.subtree(of:)) {
      let objectClass = ObjectClass(of: entity)
      guard objectClass.source != .none else { continue }
      let owner = declared[objectClass.name] ?? entity.name
      declared[objectClass.name] = owner
      owners[entity.name] = owner
    }
    self.owners = owners
  }

  /// Returns the entity for which the class of an entity's objects is generated, or nil if the class is
  /// `NSManagedObject`.
  func owner(of entity: String) -> String? { owners[entity] }

  /// Returns the entity for which the superclass is generated, or nil if the superclass is `NSManagedObject`.
  func parent(of entity: EntityDescription) -> String? {
    let own = owner(of: entity.name)
    return model.ancestors(of: entity).lazy.compactMap { owner(of: $0.name) }.first { $0 != own }
  }
}

/// The class of an entity's objects, as the model specifies it.
struct ObjectClass: Hashable, Sendable {
  enum Source: Hashable, Sendable {
    /// The model contains a plain name such as `Item`. Core Data finds the class at run time by its Objective-C name.
    case plain
    /// The model contains a module, as in `.Item` or `Shop.Item`. Core Data finds the class by its Swift name.
    case module
    /// The model doesn't specify a class. The class has the name of the entity.
    case assumed
    /// The class is `NSManagedObject` itself.
    case none
  }

  /// The name without the module.
  var name: String
  var source: Source

  init(of entity: EntityDescription) {
    let written = entity.className ?? ""
    let name = written.split(separator: ".").last.map(String.init) ?? ""
    if name.isEmpty {
      (self.name, source) = (entity.name, .assumed)
    } else if written == Self.base {
      (self.name, source) = (entity.name, .none)
    } else {
      (self.name, source) = (name, written == name ? .plain : .module)
    }
  }

  static let base = "NSManagedObject"
}

extension ManagedObjectEmitter {
  /// Writes the methods that add and remove members of an entity's to-many relationships.
  mutating func emitAccessors(of entity: EntityDescription, into out: inout SwiftWriter) {
    let properties = Set(
      model.attributes(of: entity).map(\.name) + model.relationships(of: entity).map(\.name))
    var taken: Set<String> = []
    for relationship in entity.relationships where relationship.isToMany {
      guard names.member(relationship.name, of: entity.name) == relationship.name else { continue }
      let key = SwiftName.capitalized(relationship.name)
      let methods = Self.verbs(isOrdered: relationship.isOrdered).map { $0 + key }
      // Methods aren't written if another property's methods or accessors have the same names.
      guard taken.insert(key).inserted, properties.isDisjoint(with: methods) else {
        report(
          """
          '\(entity.name).\(relationship.name)' has no methods that add and remove members, because \
          another property has their names
          """, at: .property(relationship.name, of: entity.name))
        continue
      }
      out.gap()
      out.block("extension \(names.type(of: entity.name))") { out in
        for accessor in accessors(of: relationship, key) {
          out.gap()
          out.line("@objc(\(accessor.selector))")
          out.line("@NSManaged \(open)func \(accessor.signature)")
        }
      }
    }
  }

  private static func verbs(isOrdered: Bool) -> [String] {
    ["addTo", "removeFrom"] + (isOrdered ? ["insertInto", "replace"] : [])
  }

  private typealias Accessor = (selector: String, signature: String)

  private func accessors(of relationship: RelationshipDescription, _ key: String) -> [Accessor] {
    let member = type(of: relationship.destination)
    let several =
      relationship.isOrdered
      ? types.foundation("NSOrderedSet") : "\(types.swift("Set"))<\(member)>"
    let either: [Accessor] = [
      ("add\(key)Object:", "addTo\(key)(_ value: \(member))"),
      ("remove\(key)Object:", "removeFrom\(key)(_ value: \(member))"),
      ("add\(key):", "addTo\(key)(_ values: \(several))"),
      ("remove\(key):", "removeFrom\(key)(_ values: \(several))"),
    ]
    guard relationship.isOrdered else { return either }
    let (int, indexes) = (types.swift("Int"), types.foundation("NSIndexSet"))
    let ordered: [Accessor] = [
      (
        "insertObject:in\(key)AtIndex:",
        "insertInto\(key)(_ value: \(member), at index: \(int))"
      ),
      ("removeObjectFrom\(key)AtIndex:", "removeFrom\(key)(at index: \(int))"),
      (
        "insert\(key):atIndexes:",
        "insertInto\(key)(_ values: [\(member)], at indexes: \(indexes))"
      ),
      ("remove\(key)AtIndexes:", "removeFrom\(key)(at indexes: \(indexes))"),
      (
        "replaceObjectIn\(key)AtIndex:withObject:",
        "replace\(key)(at index: \(int), with value: \(member))"
      ),
      (
        "replace\(key)AtIndexes:with\(key):",
        "replace\(key)(at indexes: \(indexes), with values: [\(member)])"
      ),
    ]
    return ordered + either
  }

  /// Writes the `Identifiable` conformance of a class without a generated superclass. Subclasses inherit it.
  func emitIdentity(of entity: EntityDescription, into out: inout SwiftWriter) {
    guard classes.parent(of: entity) == nil else { return }
    // A property `id` would be the identity. The conformance is omitted if the property's type may not be hashable.
    let id = entity.attributes.first { $0.name == "id" }
    if case .composite? = id?.type { return }
    if id?.type == .transformable || entity.relationships.contains(where: { $0.name == "id" }) {
      return
    }
    out.gap()
    out.line("extension \(names.type(of: entity.name)): \(types.swift("Identifiable")) {}")
  }
}
