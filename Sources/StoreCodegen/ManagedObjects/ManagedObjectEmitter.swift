import StoreDiagnostics
import StoreModel

extension SchemaSource {
  /// Classes for Core Data, of the current version: a program has one class for an entity.
  func managedObjects() -> GeneratedSource {
    guard let current else { return GeneratedSource(text: "", findings: []) }
    var emitter = ManagedObjectEmitter(
      current.model, ModelNames(of: current.model, schema: modelName, by: .managedObjects), access)
    var body = SwiftWriter()
    emitter.emit(into: &body)
    var out = SwiftWriter()
    writeHead(into: &out, hasUnderscores: emitter.types.hidden.contains { $0.contains("_") })
    // Foundation comes with it.
    let isShown = current.model.entities.contains { emitter.classes.owner(of: $0.name) != nil }
    out.line("\(isShown ? access.prefix : "")import CoreData")
    out.gap()
    let findings = emitter.findings.map {
      VersionFinding(version: current.model.name, part: $0.part, diagnostic: $0.diagnostic)
    }
    return GeneratedSource(text: out.text + body.text, findings: findings)
  }
}

/// Writes the subclasses of `NSManagedObject` of one version.
struct ManagedObjectEmitter {
  let model: Model
  let names: ModelNames
  let types: TypeNames
  let classes: ObjectClasses
  /// `public `, in front of each declaration that is for others.
  let open: String
  private(set) var findings: [(part: ModelPart, diagnostic: Diagnostic)] = []

  init(_ model: Model, _ names: ModelNames, _ access: AccessLevel) {
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
        no function for the fetch-request template '\(template.name)': '\(template.entity)' has no \
        class of its own
        """, at: .template(template.name), code: "generate.template")
    }
  }

  mutating func report(
    _ message: String, at part: ModelPart, code: String = "generate.managed-objects",
    helping help: Remedy? = nil
  ) {
    findings.append((part, Diagnostic(.warning, code, message, help: help.map { [$0] } ?? [])))
  }

  mutating func report(_ finding: Diagnostic, at part: ModelPart) {
    findings.append((part, finding))
  }

  /// The type of an entity's objects.
  func type(of entity: String) -> String {
    classes.owner(of: entity).map(names.type(of:)) ?? types.library(ObjectClass.base)
  }

  // MARK: Classes

  private mutating func remark(for entity: Entity) -> String {
    guard let owner = classes.owner(of: entity.name) else {
      return "Objects of '\(entity.name)' are of the class \(ObjectClass.base)."
    }
    if !(entity.attributes.isEmpty && entity.relationships.isEmpty) {
      report(
        "'\(entity.name)' has the class of '\(owner)', which has none of its own properties",
        at: .entity(entity.name), helping: "name a class of its own in the model")
    }
    return "Objects of '\(entity.name)' are of the class of '\(owner)'."
  }

  private mutating func emitClass(of entity: Entity, into out: inout SwiftWriter) {
    let name = names.type(of: entity.name)
    let objectClass = ObjectClass(of: entity)
    reportName(name, of: objectClass, entity)
    out.gap()
    // The program has the class, and what is written is the category.
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
    _ name: String, of objectClass: ObjectClass, _ entity: Entity
  ) {
    let part = ModelPart.entity(entity.name)
    let isNameable = SwiftName.isIdentifier(objectClass.name)
    switch objectClass.source {
    case .assumed:
      report(
        """
        the model names no class for '\(entity.name)': its objects are plain \
        \(ObjectClass.base)s until it names '\(isNameable ? objectClass.name : name)'
        """,
        at: part, helping: "write representedClassName=\"\(isNameable ? objectClass.name : name)\"")
    case .plain where !isNameable, .module where name != objectClass.name:
      report(
        "no class of Swift can have the name '\(objectClass.name)': it is written as '\(name)'",
        at: part, helping: "write representedClassName=\"\(name)\"")
    case .plain, .module, .none: break
    }
  }
}
