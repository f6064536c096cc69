extension PropertyShape {
  /// The identifier, as a declaration writes it.
  var written: String { SwiftName.escaped(name) }

  var composite: CompositeShape? {
    if case .composite(let composite) = kind { composite } else { nil }
  }

  /// The structure that the entity's declaration must hold.
  var declaredComposite: CompositeShape? {
    composite.flatMap { $0.isDeclaredHere ? $0 : nil }
  }

  /// What has a column: the property itself, or the elements of a composite.
  var values: [PropertyShape] {
    guard let composite else { return [self] }
    return composite.elements.flatMap(\.values)
  }

  /// The same with the way to each from the row: `address.city`.
  var writtenValues: [(modelName: String, access: String)] {
    guard let composite else { return isDerived ? [] : [(modelName, written)] }
    return composite.elements.flatMap(\.writtenValues)
      .map { ($0.modelName, "\(written).\($0.access)") }
  }
}
