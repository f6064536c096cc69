import StoreDiagnostics
import StoreModel
import StorePredicate

/// Writes a version of a model: the types of its entities, the functions of its templates, and the schema.
struct UnitEmitter {
  let unit: Unit
  let types: TypeNames
  let access: AccessLevel
  var imports: Imports = []
  private(set) var findings: [VersionFinding] = []
  let shapes: [EntityShape]
  /// The functions of fetched properties, by the entity's name.
  private(set) var requests: [String: [TemplateEntry]] = [:]

  init(_ unit: Unit, types: TypeNames, access: AccessLevel) {
    self.unit = unit
    self.types = types
    self.access = access
    var builder = ShapeBuilder(unit.version.model, unit.names)
    shapes = builder.shapes()
    findings = builder.findings
  }

  var model: Model { unit.version.model }
  var names: ModelNames { unit.names }
  /// The prefix of declarations for the access level, such as `public `.
  var open: String { access.prefix }

  mutating func emit(into out: inout SwiftWriter) {
    let functions = templateFunctions()
    requests = fetchedPropertyFunctions()
    if unit.isNamespaced {
      out.gap()
      out.comment("The version '\(model.name)'.")
      out.block(schemaHead) { out in
        emitSchema(into: &out)
        for shape in shapes { emit(shape, into: &out) }
        guard !functions.isEmpty else { return }
        out.gap()
        out.block("\(open)enum Templates") { $0.write(functions, open: open) }
      }
    } else {
      for shape in shapes { emit(shape, into: &out) }
      if !functions.isEmpty {
        out.gap()
        out.block("extension StoreModel.Templates") { $0.write(functions, open: open) }
      }
      out.gap()
      out.comment("The version '\(model.name)' of the model.")
      out.block(schemaHead) { emitSchema(into: &$0) }
    }
    if shapes.contains(where: \.needsFoundation) { imports.insert(.foundation) }
  }

  private var schemaHead: SwiftCode {
    .text(
      "\(open)enum \(names.schema): "
        + types.library(unit.history == nil ? "SchemaModel" : "VersionedSchemaModel"))
  }

  mutating func report(_ diagnostic: Diagnostic, at part: ModelPart) {
    findings.append(VersionFinding(version: model.name, part: part, diagnostic: diagnostic))
  }
}

extension EntityShape {
  fileprivate var needsFoundation: Bool { properties.contains(where: \.needsFoundation) }
}

extension PropertyShape {
  fileprivate var needsFoundation: Bool {
    switch kind {
    case .attribute(let type): type.isFoundation
    case .toOne: false
    case .composite(let composite): composite.elements.contains(where: \.needsFoundation)
    }
  }
}

extension UnitEmitter {
  /// Writes the structure `Properties` with the typed key paths of an entity.
  func emitPaths(of shape: EntityShape, into out: inout SwiftWriter) {
    out.gap()
    out.block("\(open)struct Properties: \(types.library("ObjectProperties"))") { out in
      out.line("\(open)typealias Owner = \(shape.typeName)")
      // The initializer that the compiler generates is internal.
      if access != .internal { out.line("\(open)init() {}") }
      for property in shape.properties { emitPath(property, of: shape, into: &out) }
      for relationship in shape.toMany {
        if let comment = relationship.comment { out.comment(comment) }
        let path = types.library("ToManyPath")
        out.block(
          """
          \(open)var \(SwiftName.escaped(relationship.name)): \
          \(path)<\(shape.typeName), \(relationship.destination)>
          """,
          returning: "\(path)(\(SwiftLiteral.string(relationship.modelName)))")
      }
      for composite in shape.properties.compactMap(\.composite) {
        emitPaths(of: composite, in: shape, into: &out)
      }
    }
  }

  private func emitPath(
    _ property: PropertyShape, of shape: EntityShape, into out: inout SwiftWriter
  ) {
    if let comment = property.comment { out.comment(comment) }
    let head = "\(open)var \(property.written): "
    let names = property.path.map(SwiftLiteral.string).joined(separator: ", ")
    switch property.kind {
    case .attribute:
      let path = types.library("AttributePath")
      out.block(
        "\(head)\(path)<\(shape.typeName), \(type(of: property))>", returning: "\(path)(\(names))")
    case .toOne(let destination):
      let path = types.library("ToOnePath")
      out.block(
        "\(head)\(path)<\(shape.typeName), \(destination)>", returning: "\(path)(\(names))")
    case .composite(let composite):
      out.block("\(head)\(composite.name)Paths", returning: "\(composite.name)Paths()")
    }
  }

  private func emitPaths(
    of composite: CompositeShape, in shape: EntityShape, into out: inout SwiftWriter
  ) {
    out.gap()
    out.block("\(open)struct \(composite.name)Paths") { out in
      for element in composite.elements { emitPath(element, of: shape, into: &out) }
    }
    for inner in composite.elements.compactMap(\.composite) {
      emitPaths(of: inner, in: shape, into: &out)
    }
  }

  /// Writes the versions and migration definitions, with which a program migrates stores.
  func emit(_ history: Unit.History, into out: inout SwiftWriter) {
    out.gap()
    out.line(
      "\(open)static let versions: [any \(types.library("SchemaModel")).Type] = ",
      .array(history.schemas.map { .text("\($0).self") }))
    out.gap()
    out.line(
      "\(open)static let migrations: [\(types.library("MigrationDefinition"))] = ",
      .array(history.migrations.map { $0.code }))
  }
}

extension MigrationDefinition {
  fileprivate var code: SwiftCode {
    .initializer(
      .labelled("from", .string(from.meaning)), .labelled("to", .string(to.meaning)),
      .labelled("entities", listing: entities.map { $0.code }),
      .labelled("drops", listing: drops.map { $0.code }),
      .labelled("statements", listing: statements.map { $0.code }),
      isMappingModel ? .labelled("isMappingModel", "true") : nil)
  }
}

extension EntityDefinition {
  fileprivate var code: SwiftCode {
    .initializer(
      .string(name.meaning), source.map { .labelled("from", .string($0.meaning)) },
      filter.map { .labelled("where", SwiftCode($0.meaning)) },
      .labelled("attributes", listing: attributes.map { $0.code }),
      .labelled("relationships", listing: relationships.map { $0.code }))
  }
}

extension AttributeDefinition {
  fileprivate var code: SwiftCode {
    .initializer(
      .string(name.meaning), value.map { .labelled("value", SwiftCode($0.meaning)) },
      fallback.map { .labelled("default", SwiftCode($0.meaning)) })
  }
}

extension RelationshipDefinition {
  fileprivate var code: SwiftCode {
    let destinations: SwiftCode =
      switch destinations {
      case .path(let path): .labelled("path", SwiftCode(path.meaning))
      case .matching(let match): .labelled("matching", SwiftCode(match.meaning))
      }
    return .call(".init", [.string(name.meaning), destinations])
  }
}

extension DropDefinition {
  fileprivate var code: SwiftCode {
    .initializer(
      .labelled("entity", .string(entity.meaning)),
      property.map { .labelled("property", .string($0.meaning)) },
      filter.map { .labelled("where", SwiftCode($0.meaning)) })
  }
}

extension StatementDefinition {
  fileprivate var code: SwiftCode {
    .call(".init", [.text(".\(moment)"), .labelled("sql", .string(sql.meaning))])
  }
}
