import StoreDiagnostics
import StoreModel
import StorePredicate

/// Writes one version of a model: its entities' types, its templates, its schema.
struct UnitEmitter {
  let unit: Unit
  let types: TypeNames
  let access: AccessLevel
  var imports: Imports = []
  private(set) var findings: [(part: ModelPart, diagnostic: Diagnostic)] = []
  let shapes: [EntityShape]
  /// Of fetched properties, by entity.
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
  /// `public `, in front of each declaration that is for others.
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
    findings.append((part, diagnostic))
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
