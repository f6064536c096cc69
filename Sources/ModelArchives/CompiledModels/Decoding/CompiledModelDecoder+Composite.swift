import StoreModel

extension CompiledModelDecoder {
  /// How deep composites may be nested, as in model XML.
  static let compositeLimit = 16

  /// The name of the composite that an attribute stands for. An archive has only its attributes, so those
  /// with the same ones share a composite, which is named after the first.
  mutating func decodeComposite(
    _ object: KeyedArchive.Object, named name: String, of entity: String
  ) throws(KeyedArchiveError) -> String {
    compositeDepth += 1
    defer { compositeDepth -= 1 }
    guard compositeDepth <= Self.compositeLimit else {
      throw KeyedArchiveError(.tooDeep(limit: Self.compositeLimit), at: object.place)
    }
    var attributes: [Attribute] = []
    let elements = try object.objects(ArchivedKey.elements, expected: "an attribute")
    try count(elements.count + 1)
    for element in elements {
      try require(element, ArchivedClass.attribute, ArchivedClass.compositeAttribute)
      let elementName = try element.requiredText(ArchivedKey.propertyName)
      attributes.append(
        try decodeAttribute(element, named: elementName, of: "\(entity).\(name)"))
    }
    try requireUnique(attributes.map(\.name), in: object)
    let archived = try object.text(ArchivedKey.compositeName)
    return try addComposite(
      attributes, named: archived ?? name.prefix(1).uppercased() + name.dropFirst())
  }

  private mutating func addComposite(_ attributes: [Attribute], named name: String)
    throws(KeyedArchiveError) -> String
  {
    // More than a model can have columns for.
    guard composites.count < Self.partLimit / 200 else { throw KeyedArchiveError(.entangled) }
    let known = composites.first { composite in
      composite.attributes.count == attributes.count
        && zip(composite.attributes, attributes).allSatisfy { $0.isExactly($1) }
    }
    if let known { return known.name }
    let taken = Set(composites.map(\.name))
    var free = name
    var number = 2
    while taken.contains(free) {
      free = "\(name)\(number)"
      number += 1
    }
    composites.append(Composite(name: free, attributes: attributes))
    return free
  }
}
