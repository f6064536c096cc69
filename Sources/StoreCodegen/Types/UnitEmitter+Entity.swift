import StoreModel
import StorePredicate

extension UnitEmitter {
  func emit(_ shape: EntityShape, into out: inout SwiftWriter) {
    out.gap()
    if let comment = shape.comment { out.comment(comment) }
    let conformances = conformances(types.library("StoredObject"))
    out.block("\(open)struct \(shape.typeName): \(conformances)") { out in
      emitVariables(of: shape.properties, into: &out)
      out.gap()
      emitInitializer(of: shape.properties, into: &out)
      for enumeration in shape.enums { emit(enumeration, into: &out) }
      for composite in shape.properties.compactMap(\.declaredComposite) {
        emit(composite, into: &out)
      }
      emitPaths(of: shape.properties, shape.toMany, owner: shape.typeName, into: &out)
      emitDescription(of: shape, into: &out)
      emitReading(of: shape.properties, into: &out)
      emitWriting(of: shape.properties, into: &out)
      out.write(requests[shape.entityName] ?? [], open: open)
    }
  }

  func type(of property: PropertyShape) -> String {
    let mark = property.isOptional ? "?" : ""
    return switch property.kind {
    case .attribute(let type): types(type) + mark
    case .toOne(let destination): "\(destination).ID?"
    case .composite(let composite): composite.qualifiedName
    }
  }

  func emitVariables(of properties: [PropertyShape], into out: inout SwiftWriter) {
    for property in properties {
      if let comment = property.comment { out.comment(comment) }
      let setter = property.isDerived ? "private(set) " : ""
      out.line("\(open)\(setter)var \(property.written): \(type(of: property))")
    }
  }

  /// Writes an initializer with parameters for all properties except derived ones. The parameters have the model's
  /// defaults.
  func emitInitializer(of properties: [PropertyShape], into out: inout SwiftWriter) {
    let given = properties.filter { !$0.isDerived }
    let parameters = given.map { property -> SwiftCode in
      let head = SwiftCode.text("\(property.written): \(type(of: property))")
      return defaultValue(of: property).map { .row([head, " = ", $0]) } ?? head
    }
    out.block(.list(open: "\(open)init(", items: parameters, close: ")")) { out in
      for property in given { out.line("self.\(property.written) = \(property.written)") }
    }
  }

  private func defaultValue(of property: PropertyShape) -> SwiftCode? {
    switch property.defaultValue {
    case nil: return nil
    case DefaultValue.none?: return "nil"
    case .enumCase(let name): return ".\(name)"
    case .elements: return .text(type(of: property) + "()")
    case .value(let value):
      guard case .attribute(let type) = property.kind else { return nil }
      return types.literal(value, as: type)
    }
  }

  private func emit(_ enumeration: EnumShape, into out: inout SwiftWriter) {
    out.gap()
    if let comment = enumeration.comment { out.comment(comment) }
    let conformances = conformances(
      types(enumeration.rawType), types.library("StorableValue"), types.swift("CaseIterable"))
    out.block("\(open)enum \(enumeration.name): \(conformances)") { out in
      for member in enumeration.cases {
        guard let value = types.literal(member.value, as: enumeration.rawType) else { continue }
        let isPlain = member.value == .string(member.name)
        let name = SwiftName.escaped(member.name)
        out.line(isPlain ? "case \(name)" : .row(["case \(name) = ", value]))
      }
    }
  }

  func emit(_ composite: CompositeShape, into out: inout SwiftWriter) {
    out.gap()
    let conformances = conformances(types.library("CompositeValue"))
    out.block("\(open)struct \(composite.name): \(conformances)") { out in
      emitVariables(of: composite.elements, into: &out)
      out.gap()
      emitInitializer(of: composite.elements, into: &out)
      emitPaths(of: composite.elements, owner: composite.qualifiedName, into: &out)
      emitReading(of: composite.elements, into: &out)
      emitWriting(of: composite.elements, into: &out)
    }
    for inner in composite.elements.compactMap(\.composite) { emit(inner, into: &out) }
  }

  private func emitDescription(of shape: EntityShape, into out: inout SwiftWriter) {
    let string = types.swift("String")
    out.gap()
    out.line("\(open)static let entityName = \(SwiftLiteral.string(shape.entityName))")
    out.line(
      "\(open)static let entityNames: \(types.swift("Set"))<\(string)> = ",
      SwiftLiteral.strings(shape.entityNames))
    out.line(
      "\(open)static let propertyNames: [\(string)] = ",
      SwiftLiteral.strings(shape.properties.flatMap(\.values).map(\.modelName)))
  }

  private func emitReading(of properties: [PropertyShape], into out: inout SwiftWriter) {
    out.gap()
    out.block("\(open)init(row: inout some \(types.library("RowReader"))) throws") { out in
      for property in properties { emitReading(of: property, into: &out) }
    }
  }

  private func emitReading(of property: PropertyShape, into out: inout SwiftWriter) {
    // The parameter of the initializer is named `row`, so a property with this name requires `self`.
    let target = property.name == "row" ? "self.row" : property.written
    guard let composite = property.composite else {
      out.line("\(target) = try row.read()")
      return
    }
    // The structure reads its elements from the same row, in the order of their declaration.
    out.line("\(target) = try \(composite.qualifiedName)(row: &row)")
  }

  private func emitWriting(of properties: [PropertyShape], into out: inout SwiftWriter) {
    let entries = properties.filter { !$0.isDerived }.flatMap { property in
      property.writtenValues.map { entry in
        SwiftCode.text("\(SwiftLiteral.string(entry.name)): \(entry.access).storeValue")
      }
    }
    out.gap()
    out.block(
      "\(open)var propertyValues: [\(types.swift("String")): \(types.library("DataValue"))]",
      returning: entries.isEmpty ? "[:]" : .array(entries))
  }
}
