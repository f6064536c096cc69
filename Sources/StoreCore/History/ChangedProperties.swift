import StoreLayout
package import StoreModel

/// The properties of an entity in the order in which `ZCOLUMNS` numbers them
/// (docs/formats/history.md): all of them by name, inherited and transient ones too.
package struct ChangedProperties: Hashable, Sendable {
  package let names: [String]

  package init(of entity: Entity, in model: Model) {
    let all =
      model.attributes(of: entity).map(\.name) + model.relationships(of: entity).map(\.name)
    names = all.sorted { $0.precedes($1) }
  }

  /// The bit mask with the bits of the given properties: bit 0 is the highest bit of byte 0.
  package func mask(of properties: some Sequence<String>) -> [UInt8] {
    var mask = [UInt8](repeating: 0, count: (names.count + 7) / 8)
    for property in properties {
      // A composite changes with each of its elements, `place.street`.
      let name = property.prefix { $0 != "." }
      guard let bit = names.firstIndex(where: { $0 == name }) else { continue }
      mask[bit / 8] |= 0x80 >> UInt8(bit % 8)
    }
    return mask
  }

  /// The properties whose bits a mask has. Bits beyond the properties, which real stores have too,
  /// name nothing.
  package func properties(in mask: [UInt8]) -> [String] {
    names.enumerated().filter { bit, _ in
      bit / 8 < mask.count && mask[bit / 8] & (0x80 >> UInt8(bit % 8)) != 0
    }.map(\.element)
  }
}
