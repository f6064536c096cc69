import StoreDiagnostics
import StoreModel
import StorePredicate

/// Writes a version of a model: the types of its entities, the functions of its templates, and the schema.
struct UnitEmitter {
  let unit: Unit
  let types: TypeNames
  let access: AccessLevel
  private let isCodable: Bool
  var needsFoundation = false
  private(set) var findings: [VersionFinding] = []
  let shapes: [EntityShape]
  /// The functions of fetched properties, by the entity's name.
  private(set) var requests: [String: [TemplateEntry]] = [:]

  init(_ unit: Unit, types: TypeNames, access: AccessLevel, isCodable: Bool) {
    self.unit = unit
    self.types = types
    self.access = access
    self.isCodable = isCodable
    var builder = ShapeBuilder(unit.version.model, unit.names)
    shapes = builder.shapes()
    findings = builder.findings
  }

  var model: DataModel { unit.version.model }
  var names: ModelNames { unit.names }
  /// The prefix of declarations for the access level, such as `public `.
  var open: String { access.prefix }

  /// Returns the conformances of a type that contains values.
  func conformances(_ protocols: String...) -> String {
    (protocols + (isCodable ? [types.swift("Codable")] : [])).joined(separator: ", ")
  }

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
    if shapes.contains(where: \.needsFoundation) { needsFoundation = true }
  }

  private var schemaHead: SwiftCode {
    .text(
      "\(open)enum \(names.schema): "
        + types.library(unit.history == nil ? "SchemaModel" : "VersionedSchemaModel"))
  }

  mutating func report(_ diagnostic: DiagnosticMessage, at part: ModelPart) {
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
  /// Writes the structure `Properties` with the typed key paths of an entity or a composite.
  ///
  /// - Parameter owner: The type of the entity or the composite.
  func emitPaths(
    of properties: [PropertyShape], _ toMany: [ToManyShape] = [], owner: String,
    into out: inout SwiftWriter
  ) {
    out.gap()
    out.block("\(open)struct Properties: \(types.library("ObjectProperties"))") { out in
      out.line("\(open)typealias Owner = \(owner)")
      // The initializer that the compiler generates is internal.
      if access != .internal { out.line("\(open)init() {}") }
      for property in properties {
        let (path, value) =
          switch property.kind {
          case .attribute: ("AttributePath", type(of: property))
          case .toOne(let destination): ("ToOnePath", destination)
          case .composite(let composite): ("CompositePath", composite.qualifiedName)
          }
        emit(
          path, to: value, named: property.written, property.ownName, property.comment,
          owner: owner, into: &out)
      }
      for relationship in toMany {
        emit(
          "ToManyPath", to: relationship.destination, named: SwiftName.escaped(relationship.name),
          relationship.modelName, relationship.comment, owner: owner, into: &out)
      }
    }
  }

  private func emit(
    _ type: String, to value: String, named name: String, _ modelName: String, _ comment: String?,
    owner: String, into out: inout SwiftWriter
  ) {
    if let comment { out.comment(comment) }
    let type = types.library(type)
    out.block(
      "\(open)var \(name): \(type)<\(owner), \(value)>",
      returning: "\(type)(\(SwiftLiteral.string(modelName)))")
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
