import StoreDiagnostics
import StoreModel

/// Writes the classes of a version for SwiftData.
struct PersistentModelEmitter {
  let unit: Unit
  /// The previous version, or nil if it is unknown.
  let previous: DataModel?
  let types: TypeNames
  /// The prefix of declarations for the access level, such as `public `.
  let open: String
  /// The names of the structures, by the composite's name.
  let composites: [String: String]
  private(set) var findings: [VersionFinding] = []

  init(_ unit: Unit, after previous: DataModel?, hidden: Set<String>, open: String) {
    self.unit = unit
    self.previous = previous
    self.open = open
    var pool = NamePool(taken: unit.names.all)
    composites = pool.take(unit.version.model.composites.map(\.name), as: SwiftName.exactType)
    types = TypeNames(
      hidden: hidden.union(composites.values), library: "SwiftData", foundation: "Foundation")
  }

  var model: DataModel { unit.version.model }
  var names: ModelNames { unit.names }

  /// The availability of SwiftData classes that use inheritance.
  static let inheritanceAvailability =
    "@available(iOS 26, macOS 26, tvOS 26, visionOS 26, watchOS 26, *)"

  var hasInheritance: Bool { model.entities.contains { $0.parent != nil } }

  mutating func report(
    _ message: String, at part: ModelPart?, helping help: DiagnosticRemedy? = nil
  ) {
    let diagnostic = DiagnosticMessage(
      .warning, "generate.swift-data", message, help: help.map { [$0] } ?? [])
    findings.append(VersionFinding(version: model.name, part: part, diagnostic: diagnostic))
  }

  // MARK: The version

  /// Returns the structures and classes of the version, which are nested in its schema if the version has a namespace.
  mutating func declarations() -> SwiftWriter {
    var out = SwiftWriter(depth: unit.isNamespaced ? 1 : 0)
    for composite in model.composites { emit(composite, into: &out) }
    for entity in model.entities { emit(entity, into: &out) }
    return out
  }

  func write(_ declarations: SwiftWriter, into out: inout SwiftWriter) {
    out.gap()
    if !unit.isNamespaced {
      out.append(declarations)
      out.gap()
    }
    out.comment("The version '\(model.name)'.")
    if hasInheritance { out.line(.text(Self.inheritanceAvailability)) }
    let version = "\(types.library("Schema")).Version"
    out.block("\(open)enum \(names.schema): \(types.library("VersionedSchema"))") { out in
      out.block(
        "\(open)static var versionIdentifier: \(version)",
        returning: "\(version)(\(unit.version.number), 0, 0)")
      out.gap()
      out.block(
        "\(open)static var models: [any \(types.library("PersistentModel")).Type]",
        returning: .array(model.entities.map { .text("\(names.type(of: $0.name)).self") }))
      guard unit.isNamespaced else { return }
      out.gap()
      out.append(declarations)
    }
  }

  // MARK: Classes

  private mutating func emit(_ entity: EntityDescription, into out: inout SwiftWriter) {
    reportEntity(entity)
    let properties = properties(of: entity)
    let lists = propertyLists(of: entity)
    let parent = entity.parent.flatMap(model.entity(named:))
    let inherited = parent.map { inheritedProperties(of: $0) } ?? []
    out.gap()
    if let comment = entity.userInfo.comment { out.comment(comment) }
    if hasInheritance, !unit.isNamespaced { out.line(.text(Self.inheritanceAvailability)) }
    out.line("@Model")
    let final = model.children(of: entity).isEmpty ? "final " : ""
    let superclass = parent.map { ": \(names.type(of: $0.name))" } ?? ""
    out.block("\(open)\(final)class \(names.type(of: entity.name))\(superclass)") { out in
      for list in lists { out.line(list) }
      out.gap()
      for property in properties { write(property, into: &out) }
      out.gap()
      writeInitializer(properties, inherited: inherited, hasParent: parent != nil, into: &out)
    }
  }

  private mutating func reportEntity(_ entity: EntityDescription) {
    let part = ModelPart.entity(entity.name)
    if names.type(of: entity.name) != entity.name {
      report(
        """
        SwiftData will call the entity '\(entity.name)' by the name of its class, \
        '\(names.type(of: entity.name))'
        """, at: part)
    }
    if entity.isAbstract {
      report(
        "SwiftData doesn't support abstract entities, so '\(entity.name)' can have objects",
        at: part)
    }
    if entity.parent != nil {
      report(
        "'\(entity.name)' has a parent entity, which requires iOS 26 or macOS 26", at: part)
    }
    if let old = entity.renamingIdentifier, !old.isExactly(entity.name), isNew(entity) {
      report(
        "SwiftData doesn't rename entities, so the rows of '\(old)' don't become '\(entity.name)'",
        at: part, helping: "migrate stores to this version with Core Data or storetool")
    }
    if entity.versionHashModifier != nil {
      report(
        "SwiftData doesn't support hash modifiers of entities, so '\(entity.name)' has none",
        at: part)
    }
  }

  /// Returns whether the previous version is unknown or has no entity with this name. Only then can the entity be a
  /// renamed one.
  private func isNew(_ entity: EntityDescription) -> Bool {
    previous.map { !$0.entities.map(\.name).containsExactly(entity.name) } ?? true
  }

  // MARK: Composites

  private mutating func emit(_ composite: CompositeDescription, into out: inout SwiftWriter) {
    let name = composites[composite.name] ?? composite.name
    var pool = NamePool()
    let members = pool.take(composite.attributes.map(\.name), as: SwiftName.member)
    let properties = composite.attributes.filter { !$0.isTransient }.compactMap { attribute in
      element(attribute, named: members[attribute.name] ?? attribute.name, of: composite)
    }
    let conformances = ["Codable", "Hashable", "Sendable"].map(types.swift).joined(separator: ", ")
    out.gap()
    out.block("\(open)struct \(name): \(conformances)") { out in
      for property in properties { write(property, into: &out) }
      out.gap()
      writeInitializer(properties, inherited: [], hasParent: false, into: &out)
    }
  }

  /// Returns the macros `#Unique` and `#Index` with the constraints and indexes of an entity.
  mutating func propertyLists(of entity: EntityDescription) -> [SwiftCode] {
    let type = names.type(of: entity.name)
    var lists: [SwiftCode] = []
    let constraints = entity.uniquenessConstraints.filter { names in
      // A constraint of one attribute is written in the macro of the attribute.
      names.count > 1 || !entity.attributes.contains { $0.name == names[0] }
    }
    let unique = constraints.compactMap { constraint in
      keyPaths(constraint, of: entity, "a uniqueness constraint", at: .entity(entity.name))
    }
    if !unique.isEmpty { lists.append(.call("#Unique<\(type)>", unique)) }
    let single = entity.attributes.filter { $0.isIndexed && !$0.isTransient }.compactMap {
      keyPaths(
        [$0.name], of: entity, "an index", at: .property($0.name, of: entity.name))
    }
    var indexes: [SwiftCode] = []
    for code in single + entity.indexes.compactMap({ index($0, of: entity) })
    where !indexes.contains(code) {
      indexes.append(code)
    }
    if !indexes.isEmpty { lists.append(.call("#Index<\(type)>", indexes)) }
    return lists
  }

  private mutating func index(_ index: FetchIndex, of entity: EntityDescription) -> SwiftCode? {
    let part: ModelPart =
      index.name.isEmpty ? .entity(entity.name) : .index(index.name, of: entity.name)
    let subject = index.name.isEmpty ? "a compound index" : "the index '\(index.name)'"
    var properties: [String] = []
    for element in index.elements {
      guard case .property(let name) = element.target, element.kind == .binary else {
        report(
          "'\(entity.name)' doesn't have \(subject), because SwiftData only indexes properties",
          at: part)
        return nil
      }
      properties.append(name)
    }
    if index.partialPredicate != nil {
      report(
        "'\(entity.name)' doesn't have \(subject), because SwiftData's indexes contain all objects",
        at: part)
      return nil
    }
    if index.elements.contains(where: { !$0.isAscending }) {
      report(
        "SwiftData doesn't support descending indexes, so \(subject) of '\(entity.name)' is ascending",
        at: part)
    }
    return keyPaths(properties, of: entity, subject, at: part)
  }

  /// Returns the key paths of properties, such as `[\.name, \.list]`. If the class doesn't contain a property, reports
  /// it and returns nil.
  private mutating func keyPaths(
    _ properties: [String], of entity: EntityDescription, _ subject: String, at part: ModelPart
  ) -> SwiftCode? {
    var keyPaths: [SwiftCode] = []
    for property in properties {
      guard let path = keyPath(property, of: entity) else {
        report(
          "'\(entity.name)' doesn't have \(subject), because '\(property)' isn't in its class",
          at: part)
        return nil
      }
      keyPaths.append(.text(path))
    }
    return .array(keyPaths)
  }

  private func keyPath(_ path: String, of entity: EntityDescription) -> String? {
    // Paths to elements of composites aren't supported. They are rare in indexes and constraints, and they would
    // require optional chaining if the composite is optional.
    switch model.property(named: path, of: entity)?.0 {
    case .attribute(let attribute)? where isStored(attribute) && !attribute.isTransient: break
    case .relationship(let relationship)? where !relationship.isTransient: break
    default: return nil
    }
    return "\\." + names.member(path, of: entity.name)
  }
}
