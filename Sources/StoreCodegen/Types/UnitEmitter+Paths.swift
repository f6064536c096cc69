extension UnitEmitter {
  /// The typed key paths.
  func emitPaths(of shape: EntityShape, into out: inout SwiftWriter) {
    out.gap()
    out.block("\(open)struct Properties: \(types.library("ObjectProperties"))") { out in
      out.line("\(open)typealias Owner = \(shape.typeName)")
      // That of the compiler is never public.
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
}
