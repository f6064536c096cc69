import StoreModel
import StorePredicate

/// The hash of an attribute or relationship.
enum PropertyHash {
  /// attribute = SHA256( base ‖ type ‖ 1 if external storage is allowed ‖ 1 if preserved after deletion ). The hash of
  /// a derived attribute is the SHA256 of its expression.
  static func of(_ attribute: Attribute) -> [UInt8] {
    var input = HashInput()
    if let derivation = attribute.derivation {
      input.append(DerivationText.text(of: derivation))
      return input.sha256
    }
    input.append(
      base(
        name: attribute.name, isOptional: attribute.isOptional,
        isTransient: attribute.isTransient, modifier: attribute.versionHashModifier))
    input.append(typeCode(of: attribute.type))
    if attribute.allowsExternalStorage { input.append(UInt8(1)) }
    if attribute.isPreservedAfterDeletion { input.append(UInt8(1)) }
    return input.sha256
  }

  /// relationship = SHA256( base ‖ destination ‖ inverse? ‖ maxCount ‖ minCount ‖ 1 if ordered )
  static func of(_ relationship: Relationship, inverse: String?) -> [UInt8] {
    var input = HashInput()
    input.append(
      base(
        name: relationship.name, isOptional: relationship.isOptional,
        isTransient: relationship.isTransient, modifier: relationship.versionHashModifier))
    input.append(relationship.destination)
    if let inverse { input.append(inverse) }
    let unwrittenMaximum = relationship.isToMany ? 0 : 1
    input.append(Int32(truncatingIfNeeded: relationship.maximumCount ?? unwrittenMaximum))
    input.append(Int32(truncatingIfNeeded: relationship.minimumCount ?? 0))
    if relationship.isOrdered || relationship.isOrderedToOne { input.append(UInt16(1)) }
    return input.sha256
  }

  /// base = SHA256( name ‖ flags ‖ modifier? )
  private static func base(
    name: String, isOptional: Bool, isTransient: Bool, modifier: String?
  ) -> [UInt8] {
    var input = HashInput()
    input.append(name)
    input.append(UInt16(isOptional ? 1 : 0) | UInt16(isTransient ? 2 : 0))
    if let modifier { input.append(modifier) }
    return input.sha256
  }

  /// The raw value of `NSAttributeType`.
  private static func typeCode(of type: AttributeType) -> Int32 {
    switch type {
    case .undefined: 0
    case .integer16: 100
    case .integer32: 200
    case .integer64: 300
    case .decimal: 400
    case .double: 500
    case .float: 600
    case .string: 700
    case .boolean: 800
    case .date: 900
    case .binary: 1000
    case .uuid: 1100
    case .uri: 1200
    case .transformable: 1800
    case .objectID: 2000
    case .composite: 2100
    }
  }
}

/// The text of a derivation expression that Core Data hashes.
enum DerivationText {
  /// Returns `count:(pages)` for `pages.@count`, a key path unchanged, and otherwise the formatted expression, which is
  /// a guess.
  static func text(of expression: FormatExpression) -> String {
    guard let path = KnownPath(expression) else { return expression.format }
    return path.isCounted ? "count:(\(path.keys))" : path.keys
  }

  /// Returns whether known stores confirm the text of the expression: a key path, or a key path with `@count` at its
  /// end.
  static func isKnown(_ expression: FormatExpression) -> Bool {
    KnownPath(expression) != nil
  }

  private struct KnownPath {
    var keys: String
    var isCounted: Bool

    init?(_ expression: FormatExpression) {
      guard case .keyPath(let base, let steps) = expression.kind, base.kind == .selfObject else {
        return nil
      }
      isCounted = steps.last?.kind == .collection(.count)
      var names: [String] = []
      for step in isCounted ? steps.dropLast() : steps[...] {
        guard case .key(let name) = step.kind else { return nil }
        names.append(name)
      }
      guard !names.isEmpty else { return nil }
      keys = names.joined(separator: ".")
    }
  }
}
