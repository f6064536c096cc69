import StoreLayout
package import StoreModel

/// Infers a mapping between two versions of a model, like Core Data's lightweight migration, with additional safe
/// conversions.
///
/// Inference always succeeds. Whether a migration is possible depends on the rows, which the planner checks.
package enum MappingInference {
  package static func infer(_ pairing: ModelPairing) -> ModelMapping {
    ModelMapping(
      from: pairing.source, to: pairing.target,
      entities: pairing.entities.compactMap { infer($0, in: pairing) })
  }

  /// Returns nil if the source entity is abstract, because it has no rows.
  static func infer(_ pair: EntityPair, in pairing: ModelPairing) -> EntityMapping? {
    guard let old = pairing.source.entity(named: pair.source), !old.isAbstract,
      let new = pairing.target.entity(named: pair.target)
    else { return nil }
    var mapping = EntityMapping(from: old.name, to: new.name)
    let attributes = pairing.source.storedAttributes(of: old).map { ($0.name, $0) }
    let known = Dictionary(attributes) { first, _ in first }
    for attribute in pairing.target.storedAttributes(of: new) {
      let source = pair.sourcePath(ofAttribute: attribute.name).flatMap { known[$0] }
      mapping.attributes[attribute.name] = origin(of: attribute, from: source)
    }
    let relationships = Dictionary(
      pairing.source.relationships(of: old).map { ($0.name, $0) }
    ) { first, _ in first }
    for relationship in pairing.target.relationships(of: new) where !relationship.isTransient {
      let source = pair.relationships[relationship.name].flatMap { relationships[$0] }
      mapping.relationships[relationship.name] =
        source.map { $0.isTransient ? .nothing : .relationship($0.name) } ?? .nothing
    }
    return mapping
  }

  private static func origin(of new: AttributeDescription, from old: AttributeDescription?)
    -> AttributeOrigin
  {
    // Derived attributes are computed from the rows after the migration.
    if let old, let derivation = new.derivation {
      return old.derivation == derivation ? AttributeOrigin(.attribute(old.name)) : .nothing
    }
    guard let old, new.derivation == nil else {
      return AttributeOrigin(.nothing, fallback: new.derivation == nil ? new.defaultValue : nil)
    }
    let becomesRequired = old.isOptional && !new.isOptional
    return AttributeOrigin(.attribute(old.name), fallback: becomesRequired ? new.defaultValue : nil)
  }
}

extension AttributeOrigin {
  /// The origin of an attribute that is NULL in all rows.
  package static let nothing = AttributeOrigin(.nothing)
}

extension EntityPair {
  /// Returns the source's name of a target attribute, or of an element of a composite such as `address.city`.
  fileprivate func sourcePath(ofAttribute path: String) -> String? {
    let dot = path.firstIndex(of: ".") ?? path.endIndex
    return attributes[String(path[..<dot])].map { "\($0)\(path[dot...])" }
  }
}

/// The conversion of a value from one type to another.
package enum Conversion: Hashable, Sendable {
  /// The stored value doesn't change.
  case copy
  /// `VALUE_CONVERT` converts the value. It returns NULL for a value that it can't represent, which stops the
  /// migration.
  case checked

  /// Returns nil if there isn't a safe conversion.
  package init?(from old: AttributeType, to new: AttributeType) {
    switch (old, new) {
    case (old, old): self = .copy
    // The new column can store the same bytes, or its affinity converts them.
    case (.boolean, .integer16), (.boolean, .integer32), (.boolean, .integer64),
      (.integer16, .integer32), (.integer16, .integer64), (.integer32, .integer64),
      (.integer16, .double), (.integer32, .double), (.integer16, .float), (.float, .double),
      (.boolean, .decimal), (.integer16, .decimal), (.integer32, .decimal),
      (.integer64, .decimal), (.uri, .string), (.boolean, .double), (.boolean, .float):
      self = .copy
    case (let old, let new) where old.isNumber && new.isNumber: self = .checked
    case (let old, .string) where old.hasText: self = .checked
    case (.string, let new) where new.hasText || new == .uri: self = .checked
    default: return nil
    }
  }
}

extension AttributeType {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
    default: false
    }
  }

  /// Whether each value has exactly one text, which can be converted back.
  fileprivate var hasText: Bool { isNumber || self == .date || self == .uuid }
}
